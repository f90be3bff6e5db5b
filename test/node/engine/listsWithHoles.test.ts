import { setTimeout as wait } from 'node:timers/promises';
import type { INodeParameters } from 'n8n-workflow';

import { fc } from '../../support/fastCheck';
import { ActiveTrigger } from '../../support/engine/activeTrigger';
import { fastClock } from '../../support/engine/fastClock';
import { logLine } from '../../support/engine/n8nLog';
import { runOn, startNode } from '../../support/engine/runNode';
import { useScriptedService } from '../../support/engine/useScriptedService';
import { page } from '../../support/scriptedService/scriptedAnswers';
import type { WrittenAnswer } from '../../support/scriptedService/scriptedAnswers';
import type { SeenRequest } from '../../support/scriptedService/scriptedService';
import { onTheWire } from '../../support/scriptedService/scriptedStore';

// Lists of batches that lack some for a while, or for good, although the service counts them.

/** How many; `npm run test:long:zoo` has five times as many. */
const lists = Number(process.env.LISTS_WITH_HOLES ?? 12);
const longestMs = 180_000 + lists * 2_000;

/** What a service leaves out of its list: so many places from one on, for so many answers of a page. */
interface Hole {
	from: number;
	places: number;
	answers: number;
}

/** Batches a page at most, and whether the service says so. */
interface Cap {
	size: number;
	isEchoed: boolean;
}

const service = useScriptedService();

/** The list as it is, but for the hole, which closes after it was answered so often. */
function listWith(hole: Hole | undefined, cap: Cap | undefined) {
	let answers = hole?.answers ?? 0;
	return ({ query }: SeenRequest): WrittenAnswer => {
		const [number, asked] = [Number(query.page), Number(query.size)];
		const size = Math.min(asked, cap?.size ?? Infinity);
		const all = [...service.batches].reverse().map(onTheWire);
		const place = (index: number) => (number - 1) * size + index;
		const whole = all.slice(place(0), place(size));
		const isLeftOut = (index: number) =>
			hole !== undefined &&
			place(index) >= hole.from &&
			place(index) < hole.from + hole.places &&
			answers > 0;
		const list = whole.filter((_batch, index) => !isLeftOut(index));
		if (list.length < whole.length) answers--;
		return page(list, {
			page: number,
			size: cap?.isEchoed ? size : asked,
			total: all.length,
		});
	};
}

let current: (request: SeenRequest) => WrittenAnswer;

const answerWith = (hole?: Hole, cap?: Cap) => {
	current = listWith(hole, cap);
};

const addBatches = (count: number, status = 3) =>
	Array.from({ length: count }, () => service.addBatch({ status }));

const holes = fc.option(
	fc.record({
		from: fc.integer({ min: 0, max: 250 }),
		places: fc.oneof(fc.integer({ min: 1, max: 30 }), fc.constant(100), fc.constant(1_000)),
		// Once, also when it was asked for again, or through several polls.
		answers: fc.constantFrom(1, 2, 3, 12),
	}),
	{ nil: undefined },
);

const caps = fc.option(fc.record({ size: fc.constantFrom(7, 40, 99), isEchoed: fc.boolean() }), {
	nil: undefined,
});

test(
	'the trigger fires each batch once, whatever is left out for a while',
	async () => {
		service.script('batches', (request) => current(request));
		await fc.assert(
			fc.asyncProperty(
				fc.record({
					cap: caps,
					old: fc.integer({ min: 1, max: 260 }),
					baseline: holes,
					polls: fc.array(
						fc.record({ hole: holes, begin: fc.integer({ min: 0, max: 150 }), end: fc.boolean() }),
						{ minLength: 1, maxLength: 4 },
					),
				}),
				async ({ cap, old, baseline, polls }) => {
					service.batches.length = 0;
					addBatches(old);
					const trigger = new ActiveTrigger({ taskId: service.taskID }, service.credential);
					answerWith(baseline, cap);
					// Nobody can tell old batches from new ones by a list with a hole: then it says so.
					for (let tries = 0; tries < 20 && trigger.staticData === '{}'; tries++) {
						const items = await trigger.poll().catch((error: Error) => {
							expect(error.message).toMatch(/The service counts \d+ batches of task .*, but lists/);
							return null;
						});
						expect(items).toBeNull();
					}
					const fired: unknown[] = [];
					const poll = async () => {
						for (const { json } of (await trigger.poll()) ?? []) fired.push(json.batchID);
					};
					for (const { hole, begin, end } of polls) {
						addBatches(begin, 2);
						if (end)
							for (const batch of service.batches) Object.assign(batch, { status: 3, endTime: 1 });
						answerWith(hole, cap);
						await poll();
					}
					for (const batch of service.batches) Object.assign(batch, { status: 3, endTime: 1 });
					answerWith(undefined, cap);
					await poll();
					await poll();
					const expected = service.batches.slice(old).map(({ batchID }) => batchID);
					expect([...fired].sort()).toEqual([...expected].sort());
				},
			),
			{ numRuns: lists, endOnFailure: true },
		);
	},
	longestMs,
);

describe('a trigger of a service that always counts more batches than it lists', () => {
	/** It counts deleted ones, or always says the same. */
	const counts: Array<[string, () => number]> = [
		['counts those that it has deleted', () => service.batches.length],
		['always counts as many', () => 1_000],
	];

	const retain = (kept: number, cap: number, total: () => number) =>
		service.script('batches', ({ query }) => {
			const [number, asked] = [Number(query.page), Number(query.size)];
			const size = Math.min(asked, cap);
			const list = service.batches.slice(-kept).reverse().map(onTheWire);
			const from = (number - 1) * size;
			return page(list.slice(from, from + size), { page: number, size: asked, total: total() });
		});

	describe.each(counts)('and %s', (_how, total) => {
		test.each([
			[30, 10, 100],
			[30, 29, 100],
			[300, 150, 100],
			[300, 250, 20],
		])('fires each once: %i, of which it lists %i, %i a page', async (old, kept, cap) => {
			addBatches(old);
			retain(kept, cap, total);
			const trigger = new ActiveTrigger({ taskId: service.taskID }, service.credential);
			expect(await trigger.poll()).toBeNull();
			const requests: number[] = [];
			for (let n = 0; n < 12; n++) {
				const before = service.sentTo('batches').length;
				const added = addBatches(n % 3).map(({ batchID }) => batchID);
				const items = (await trigger.poll()) ?? [];
				expect(items.map(({ json }) => json.batchID)).toEqual(added);
				requests.push(service.sentTo('batches').length - before);
			}
			expect(requests.slice(1).filter((count) => count > 1)).toEqual([]);
		});
	});

	const active = () => new ActiveTrigger({ taskId: service.taskID }, service.credential);

	test('begins where some stay left out behind the newest, and fires what comes', async () => {
		addBatches(30);
		service.script('batches', (request) => current(request));
		answerWith({ from: 5, places: 3, answers: Infinity });
		const trigger = active();
		expect(await trigger.poll()).toBeNull();
		const [added] = addBatches(1);
		expect((await trigger.poll())?.map(({ json }) => json.batchID)).toEqual([added.batchID]);
		expect(await trigger.poll()).toBeNull();
		answerWith();
		expect(await trigger.poll()).toBeNull();
	});

	test('does not begin where the newest is left out', async () => {
		addBatches(30);
		service.script('batches', (request) => current(request));
		answerWith({ from: 0, places: 1, answers: Infinity });
		await expect(active().poll()).rejects.toThrow('The service counts 30 batches');
	});
});

describe('a cancel', () => {
	let clock: ReturnType<typeof fastClock>;

	beforeEach(() => {
		clock = fastClock({ shortTimeOuts: false });
	});

	afterEach(async () => {
		// A stop that is wanted outlives its execution: it is over when its run has ended.
		answerWith();
		for (const batch of service.batches) Object.assign(batch, { status: 3 });
		await wait(1_000);
		clock.restore();
	});

	const cancelled = async (hole: Hole, cap?: Cap) => {
		answerWith(undefined, cap);
		service.script('batches', (request) => current(request));
		const parameters = {
			taskId: service.taskID,
			operation: 'runAndGetData',
			// No poll comes before the cancel.
			options: { pollInterval: 59 },
		};
		const before = service.batches.length;
		const { run } = startNode({ parameters, credential: service.credential });
		while (service.batches.length === before) await wait(5);
		answerWith(hole, cap);
		await wait(50);
		run.cancel();
		await run.catch(() => {});
	};

	test.each<[string, Hole, Cap | undefined]>([
		['through two answers', { from: 100, places: 100, answers: 2 }, { size: 100, isEchoed: true }],
		['for good', { from: 1, places: 1_000, answers: 99 }, undefined],
		[
			'for good, with small pages',
			{ from: 5, places: 1, answers: 99 },
			{ size: 3, isEchoed: false },
		],
	])('stops nothing where batches are left out %s', async (_how, hole, cap) => {
		addBatches(1, 2);
		addBatches(120);
		await cancelled(hole, cap);
		const line = await logLine(`is not stopped yet: the service counts 122 batches of the task`);
		expect(line).toContain('and a stop could hit one of the others');
		expect(service.sentTo('stop')).toEqual([]);
	});

	test('sees the run of someone else when a page is asked for again', async () => {
		addBatches(1, 2);
		addBatches(120);
		await cancelled({ from: 100, places: 100, answers: 1 }, { size: 100, isEchoed: true });
		const line = await logLine('is not stopped yet: batch 1001 of the task is running');
		expect(line).toBeDefined();
		expect(service.sentTo('stop')).toEqual([]);
	});
});

describe('the node', () => {
	const on = async (parameters: INodeParameters, hole: Hole) => {
		addBatches(120);
		answerWith(hole);
		service.script('batches', (request) => current(request));
		return await runOn(service, parameters);
	};

	const getById = {
		operation: 'getData',
		batch: 'id',
		batchId: { __rl: true, mode: 'id', value: 1001 },
	};

	test.each<[string, INodeParameters, number]>([
		['List Batches', { operation: 'listBatches', returnAll: true }, 120],
		['the latest batch', { operation: 'getData' }, 0],
		['a batch by its ID', getById, 0],
	])('finds what was left out once: %s', async (_what, parameters, items) => {
		const { rows, error } = await on(parameters, { from: 0, places: 1_000, answers: 1 });
		expect(error).toBeUndefined();
		expect(rows).toHaveLength(items);
	});

	test('List Batches says that some are left out', async () => {
		const list = { operation: 'listBatches', returnAll: true };
		const { rows, hints } = await on(list, { from: 30, places: 5, answers: 99 });
		expect(rows).toHaveLength(115);
		expect(hints).toEqual([
			`The service counts 5 more batches of task ${service.taskID} than it lists: some may be missing here.`,
		]);
	});

	test.each<[string, INodeParameters]>([
		['the latest batch', { operation: 'getData' }],
		['a batch by its ID', getById],
	])('does not call missing what may be left out: %s', async (_what, parameters) => {
		const { error } = await on(parameters, { from: 0, places: 1_000, answers: 99 });
		expect(error?.message).toBe(
			`The service counts 120 batches of task ${service.taskID}, but lists 0`,
		);
		expect(error?.description).toContain('Try again in a moment');
		expect(service.sentTo('start')).toEqual([]);
	});
});
