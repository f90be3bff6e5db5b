import { setTimeout as sleep } from 'node:timers/promises';
import { cloudClient, type Batch, type CloudClient } from './cloudClient';
import { installChromium } from './debianPackage';
import { startService, type RunningService } from './startService';
import { startSite, type Site } from './startSite';
import { extract, loop, onBothPages, pageKinds, step, task, uuidOf } from './taskFiles';

jest.setTimeout(300_000);

// Whatever a task does, the service answers: a request within half a second, a stop within one, and
// SIGTERM ends it within five.

const items = (count: number) =>
	Array.from({ length: count }, (_, index) => `<li><b>${index}</b></li>`).join('');

const pages: Record<string, string> = {
	'/items': `<ul>${items(10_000)}</ul>`,
	'/many': `<ul>${items(50_000)}</ul>`,
	'/one': '<p>one</p>',
	'/frozen': '<p>one<script>for (;;);</script>',
	'/attributes': `<p ${Array.from({ length: 200_000 }, (_, index) => `a${index}`).join(' ')}>text`,
};

const open = (path: string) => step('navigate', { url: `{base}${path}` });

const tasks = {
	elements: task('elements', [
		open('/items'),
		loop({ loopType: 'list', listType: 'elements', selector: 'li' }, [extract({ Text: 'b' })]),
	]),
	rounds: task('rounds', [
		open('/one'),
		loop({ loopType: 'count', times: 100_000 }, [extract({ Text: {} }, 'p')]),
	]),
	emptyRounds: task('emptyRounds', [
		open('/one'),
		// One such loop would be done within three seconds.
		loop({ loopType: 'count', times: 100 }, [
			loop({ loopType: 'count', times: 100_000 }, [
				loop({ loopType: 'list', listType: 'elements', selector: 'u' }, [extract({ Text: {} })]),
			]),
		]),
	]),
	failingRounds: task('failingRounds', [
		loop({ loopType: 'count', times: 100_000 }, [extract({ Never: {} })]),
	]),
	many: task('many', [open('/many'), extract({ Text: 'b' }, 'li')]),
	costly: task('costly', [
		open('/many'),
		loop({ loopType: 'count', times: 100 }, [
			extract({ Text: {} }, 'li:has(~ li:nth-last-child(1) i)'),
		]),
	]),
	attributes: task('attributes', [
		loop({ loopType: 'count', times: 100 }, [open('/attributes'), extract({ Text: {} }, 'p')]),
	]),
	hanging: task('hanging', [open('/hang'), extract({ Text: {} }, 'p')]),
	frozen: task('frozen', [
		loop({ loopType: 'count', times: 100_000 }, [open('/frozen'), extract({ Text: {} }, 'p')]),
	]),
};

/** Those of them that last until they are stopped. */
const lasting = Object.keys(tasks).filter((name) => name !== 'elements' && name !== 'many');

let site: Site;
let service: RunningService;
let client: CloudClient;

beforeAll(async () => {
	await installChromium();
	site = await startSite(async ({ url, closed }) => {
		if (url.pathname === '/hang') await closed;
		return pages[url.pathname] ?? { status: 404 };
	});
	service = await startService({
		tasks: onBothPages(tasks, site.baseUrl),
		env: { SERVICE_AGENTS: '32' },
	});
	client = cloudClient(service);
	const idle = await slowestAnswerDuring(() => sleep(3000));
	slowness = Math.min(10, Math.max(1, idle / quick));
}, 300_000);

afterAll(async () => {
	await service?.kill();
	await site?.stop();
});

/** Milliseconds that an idle service takes at most to answer on a machine with nothing else to do. */
const quick = 25;

/** How much slower this machine is: it may have other things to do. Ten at most, or a stop would be late. */
let slowness = 1;

/** Asks the service over and over while something is done; the longest that it took to answer (ms). */
async function slowestAnswerDuring(work: () => Promise<unknown>): Promise<number> {
	let isDone = false;
	let slowest = 0;
	const asking = (async () => {
		while (!isDone) {
			const before = performance.now();
			await client.batches(uuidOf('hanging http'));
			slowest = Math.max(slowest, performance.now() - before);
			await sleep(20);
		}
	})();
	await work().finally(() => (isDone = true));
	await asking;
	return slowest;
}

const isOver = ({ status }: Batch) => status >= 3;

describe.each(pageKinds)('on a page of kind %s', (kind) => {
	test('a loop over 10,000 elements reads each of them', async () => {
		let batch: Batch | undefined;
		const slowest = await slowestAnswerDuring(async () => {
			batch = await client.waitFor(await client.start(uuidOf(`elements ${kind}`)), isOver);
		});
		expect(batch?.lineCount).toBe(10_000);
		expect(slowest).toBeLessThan(500 * slowness);
	});

	test('a page of 100,000 elements is read', async () => {
		let batch: Batch | undefined;
		const slowest = await slowestAnswerDuring(async () => {
			batch = await client.waitFor(await client.start(uuidOf(`many ${kind}`)), isOver);
		});
		expect(batch?.lineCount).toBe(50_000);
		expect(slowest).toBeLessThan(500 * slowness);
	});

	test.each(lasting)('a run is stopped while it does its worst: %s', async (name) => {
		let stopping = Infinity;
		const slowest = await slowestAnswerDuring(async () => {
			const started = await client.start(uuidOf(`${name} ${kind}`));
			await client.waitFor(started, ({ status }) => status === 2);
			await sleep(3000);
			const before = performance.now();
			const { lineCount } = await client.stop(started.taskID);
			stopping = performance.now() - before;
			await sleep(500);
			expect(await client.waitFor(started, isOver)).toMatchObject({ status: 4, lineCount });
		});
		expect(stopping).toBeLessThan(1000 * slowness);
		expect(slowest).toBeLessThan(500 * slowness);
	});
});

test('SIGTERM ends the service while all of its tasks do their worst', async () => {
	for (const name of Object.keys(tasks)) {
		for (const kind of pageKinds) await client.start(uuidOf(`${name} ${kind}`));
	}
	await sleep(3000);
	const before = performance.now();
	await service.stop();
	expect(performance.now() - before).toBeLessThan(5000 * Math.min(slowness, 4));
});
