import { setTimeout as sleep } from 'node:timers/promises';
import {
	browserOfUsers,
	describeOnBothPagesAtLength,
	testWithBrowser,
} from '../support/service/browser';
import { cloudClient, type Batch, type CloudClient } from '../support/service/cloudClient';
import { consoleClient } from '../support/service/console';
import { isFullLength, length } from '../support/length';
import { startService, type RunningService } from '../support/service/startService';
import { startSite, type Site } from '../support/service/startSite';
import { stopwatch } from '../support/service/stopwatch';
import {
	extract,
	loop,
	onBothPages,
	pageKinds,
	step,
	task,
	uuidOf,
} from '../support/service/taskFiles';

// Whatever a task does, the service answers: a request within half a second, a stop within one, and
// SIGTERM ends it within five.

const items = (count: number) =>
	Array.from({ length: count }, (_, index) => `<li><b>${index}</b></li>`).join('');

/** Elements of a page that a loop goes over. */
const looped = length({ full: 10_000, short: 2_000 });

const pages: Record<string, string> = {
	'/items': `<ul>${items(looped)}</ul>`,
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

/** Of those, and of the others, what is done each time. */
const short = {
	http: ['emptyRounds', 'costly', 'attributes', 'elements'],
	browser: ['frozen'],
};

/** Milliseconds for a task to come to its worst. */
const start = length({ full: 3_000, short: 1_000 });

let site: Site;
let service: RunningService;
let client: CloudClient;
let visit: Awaited<ReturnType<typeof consoleClient>>;

beforeAll(async () => {
	site = await startSite(async ({ url, closed }) => {
		if (url.pathname === '/hang') await closed;
		return pages[url.pathname] ?? { status: 404 };
	});
	service = await startService({
		tasks: onBothPages(tasks, site.baseUrl),
		env: { SERVICE_AGENTS: '32', ...browserOfUsers },
	});
	client = cloudClient(service);
	visit = await consoleClient(service);
}, 300_000);

afterAll(async () => {
	await service?.kill();
	await site?.stop();
});

/**
 * Asks the service and its console over and over while something is done: the longest that one of the
 * two took to answer (ms).
 */
async function slowestAnswerDuring(work: () => Promise<unknown>): Promise<number> {
	let isDone = false;
	const longest = async (ask: () => Promise<unknown>) => {
		let milliseconds = 0;
		while (!isDone) {
			const took = stopwatch(service.process.pid);
			await ask();
			milliseconds = Math.max(milliseconds, took());
			await sleep(20);
		}
		return milliseconds;
	};
	const asking = Promise.all([
		longest(() => client.batches(uuidOf('hanging http'))),
		longest(async () => (await visit('/console/')).text()),
	]);
	await work().finally(() => (isDone = true));
	return Math.max(...(await asking));
}

const isOver = ({ status }: Batch) => status >= 3;

describeOnBothPagesAtLength('on a page of kind', (kind) => {
	const isDone = (name: string) => isFullLength || short[kind].includes(name);

	const testIfDone = (name: string) => (isDone(name) ? test : () => undefined);

	testIfDone('elements')(`a loop over ${looped} elements reads each of them`, async () => {
		let batch: Batch | undefined;
		const slowest = await slowestAnswerDuring(async () => {
			batch = await client.waitFor(await client.start(uuidOf(`elements ${kind}`)), isOver);
		});
		expect(batch?.lineCount).toBe(looped);
		expect(slowest).toBeLessThan(500);
	});

	testIfDone('many')('a page of 100,000 elements is read', async () => {
		let batch: Batch | undefined;
		const slowest = await slowestAnswerDuring(async () => {
			batch = await client.waitFor(await client.start(uuidOf(`many ${kind}`)), isOver);
		});
		expect(batch?.lineCount).toBe(50_000);
		expect(slowest).toBeLessThan(500);
	});

	test.each(lasting.filter(isDone))(
		'a run is stopped while it does its worst: %s',
		async (name) => {
			let stopping = Infinity;
			const slowest = await slowestAnswerDuring(async () => {
				const started = await client.start(uuidOf(`${name} ${kind}`));
				await client.waitFor(started, ({ status }) => status === 2);
				await sleep(start);
				const took = stopwatch(service.process.pid);
				const { lineCount } = await client.stop(started.taskID);
				stopping = took();
				await sleep(500);
				expect(await client.waitFor(started, isOver)).toMatchObject({ status: 4, lineCount });
			});
			expect(stopping).toBeLessThan(1_000);
			expect(slowest).toBeLessThan(500);
		},
	);
});

testWithBrowser('SIGTERM ends the service while all of its tasks do their worst', async () => {
	for (const name of Object.keys(tasks)) {
		for (const kind of pageKinds) await client.start(uuidOf(`${name} ${kind}`));
	}
	await sleep(start);
	const took = stopwatch(service.process.pid);
	await service.stop();
	expect(took()).toBeLessThan(5_000);
});
