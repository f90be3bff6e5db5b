import { withDerivedIds } from '../../service/src/tasks/derivedIds.ts';
import { createHash } from 'node:crypto';
import { cloudClient } from '../support/service/cloudClient';
import { startService, type RunningService } from '../support/inProcess/startService';
import { extract, loop, step, task, uuidOf } from '../support/service/taskFiles';

/** The UUID, version 5, of a name in a namespace (RFC 9562, section 5.5). */
function derived(namespace: string, name: string): string {
	const space = Buffer.from(namespace.replaceAll('-', ''), 'hex');
	const hash = createHash('sha1').update(space).update(name).digest().subarray(0, 16);
	hash.writeUInt8(((hash[6] ?? 0) & 0x0f) | 0x50, 6);
	hash.writeUInt8(((hash[8] ?? 0) & 0x3f) | 0x80, 8);
	return hash.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

const given = '0e4a9c1e-5d8b-4f0e-9a5c-2f4b7d1c8e01';
/** A task of which one field alone has an id. */
const products = {
	taskID: uuidOf('products'),
	name: 'products',
	page: 'http',
	steps: [
		{
			type: 'loop',
			config: {
				loopType: 'list',
				listType: 'urlList',
				urls: ['{site}/shop/products/P001'],
				steps: [
					{ type: 'navigate', config: { useLoopItem: true } },
					{
						type: 'extractData',
						config: {
							fields: [
								{ name: 'Name', selector: 'h1' },
								{ name: 'Number', selector: '.number', id: given },
							],
						},
					},
				],
			},
		},
	],
};
const nameField = derived(products.taskID, '/steps/0/config/steps/1/config/fields/0');

const navigate = step('navigate', { url: 'http://127.0.0.1/' });
const { id: _id, ...withoutId } = navigate;
const rows = extract({ Name: 'h1' });

/** Files whose given ids are derived ones of other places. */
const clashing = {
	steps: task('clash of steps', [
		withoutId,
		{ ...rows, id: derived(uuidOf('clash of steps'), '/steps/0').toUpperCase() },
	]),
	fields: task('clash of fields', [
		loop({ loopType: 'count', times: 1 }, [
			step('extractData', {
				fields: [
					{
						name: 'a',
						id: derived(uuidOf('clash of fields'), '/steps/0/config/steps/0/config/fields/1'),
					},
					{ name: 'b' },
				],
			}),
		]),
	]),
	// Steps and fields may have the same ids, as ever.
	both: task('no clash', [
		withoutId,
		step('extractData', { fields: [{ name: 'a', id: derived(uuidOf('no clash'), '/steps/0') }] }),
	]),
};

let service: RunningService;

beforeAll(async () => {
	service = await startService({ tasks: { products, ...clashing } });
});

afterAll(() => service?.stop());

test('ids that a file leaves out follow from taskID and place', async () => {
	const client = cloudClient(service);
	const { batch } = await client.run(products.taskID);
	expect(batch.fields).toEqual([
		{ id: nameField, name: 'Name' },
		{ id: given, name: 'Number' },
	]);
	expect(await client.rawRowsOf(batch)).toEqual([{ [nameField]: 'Oak Chair', [given]: 'P001' }]);
});

test('a step takes a value by its derived id', async () => {
	const id = derived(products.taskID, '/steps/0');
	const { rows } = await cloudClient(service).run(products.taskID, {
		actionParams: [{ id, value: ['{site}/shop/products/P004'] }],
	});
	expect(rows).toEqual([{ Name: 'Oak Lamp', Number: 'P004' }]);
});

test.each([
	['steps', 'clash of steps', '/steps/0'],
	['fields', 'clash of fields', '/steps/0/config/steps/0/config/fields/1'],
])('a derived id that is given to another one of the %s is a mistake', (name, taskName, place) => {
	const line = service.log.find(({ file }) => String(file).endsWith(`/${name}.json`));
	expect(line?.reason).toBe(
		`${place} has no id, and the one that follows from its place, "${derived(uuidOf(taskName), place)}", is given to another one: give it an id of its own`,
	);
});

test('a step and a field may have the same id', () => {
	expect(service.log.filter(({ msg }) => msg === 'bad task file')).toHaveLength(2);
});

test('a file without a taskID has that mistake alone', () => {
	const steps = [{ type: 'wait', config: { milliseconds: 1 } }];
	expect(withDerivedIds({ steps })).toEqual({
		steps: [{ id: expect.stringMatching(/^[\da-f-]{36}$/) as string, ...steps[0] }],
	});
});
