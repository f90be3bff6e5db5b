import { status, type Batch } from '../../../service/src/store/batch.ts';
import { keyHash } from '../../../service/src/store/apiKeyStore.ts';
import type { NewBatch } from '../../../service/src/store/batchStore.ts';
import type { Store } from '../../../service/src/store/stores.ts';
import { fc } from '../../support/fastCheck';
import { describeOnBothDatabases, type Place } from './bothDatabases';

const taskID = 'abcdef00-1111-4111-8111-111111111111';

const newBatch = (values: Partial<NewBatch> = {}): NewBatch => ({
	taskID,
	task: '{}',
	region: 'us',
	nodeCount: 1,
	requestID: 'test',
	fields: [{ id: 'a', name: 'A' }],
	jobs: [{ first: 0, end: 1 }],
	...values,
});

/** Rows with these values, at positions that begin with `at`. */
const rows = (values: (string | number)[], at = '') =>
	values.map((value, index) => ({
		position: `${at}${index}`,
		content: JSON.stringify({ a: String(value) }),
	}));

const numbers = (from: number, to: number) =>
	Array.from({ length: to - from }, (_, index) => from + index);

/** The values of the rows of a batch that can be read. */
async function valuesIn(store: Store, id: bigint, offset = 0, size = 10_000) {
	const read = await store.rows.read(await store.batches.get(id), { offset, size });
	return read.map((content) => (JSON.parse(content) as { a: string }).a);
}

describeOnBothDatabases((newPlace) => {
	let place: Place;
	let store: Store;
	beforeEach(async () => {
		place = await newPlace();
		store = await place.open();
	});
	afterEach(async () => {
		vi.useRealTimers();
		await store.close();
	});
	const restart = async () => {
		await store.close();
		store = await place.open();
	};
	const create = (values?: Partial<NewBatch>) => store.batches.create(newBatch(values));
	const ids = (batches: Batch[]) => batches.map(({ id }) => id);
	const window = { offset: 0, size: 100 };

	describe('rows', () => {
		const threeJobs = { jobs: numbers(0, 3).map((job) => ({ first: job, end: job + 1 })) };

		test('are read in the order of their jobs; those behind an unfinished job are held back', async () => {
			const { id } = await create(threeJobs);
			await store.rows.append(id, 1, rows(['second']));
			await store.rows.append(id, 0, rows(['first']));
			await store.jobs.markDone(id, 1);
			expect(await valuesIn(store, id)).toEqual(['first']);
			await store.rows.append(id, 0, rows(['first too'], 'later '));
			await store.jobs.markDone(id, 0);
			expect(await valuesIn(store, id)).toEqual(['first', 'first too', 'second']);
			expect(await valuesIn(store, id, 1, 1)).toEqual(['first too']);
			expect(await store.rows.count(await store.batches.get(id))).toBe(3);
			await store.rows.append(id, 2, rows(['third']));
			expect(await valuesIn(store, id, 2)).toEqual(['second', 'third']);
		});

		test('of an ended batch are all there, and no more come', async () => {
			const { id } = await create(threeJobs);
			await store.rows.append(id, 2, rows(['third']));
			await store.batches.end(id, status.stopped);
			await expect(store.rows.append(id, 0, rows(['late']))).rejects.toThrow(
				`batch ${id} has ended, nothing more is stored of it`,
			);
			await restart();
			expect(await valuesIn(store, id)).toEqual(['third']);
			expect(await store.batches.get(id)).toMatchObject({ lineCount: 1 });
		});

		test('at a position that has one are left out, and those that are there already counted', async () => {
			const { id } = await create();
			expect(await store.rows.append(id, 0, [])).toBe(-1);
			expect(await store.rows.append(id, 0, rows(['x', 'y', 'x']))).toBe(1);
			// After a crash, a step begins anew.
			expect(await store.rows.append(id, 0, rows(['other', 'y', 'x', 'z']))).toBe(3);
			expect(await store.rows.append(id, 0, rows(['x'], 'again '))).toBe(-1);
			expect(await store.rows.append(id, 0, rows(['x'], 'again '))).toBe(4);
			expect(await valuesIn(store, id)).toEqual(['x', 'y', 'x', 'z', 'x']);
			expect(await store.batches.get(id)).toMatchObject({ lineCount: 5, duplicatedCount: 2 });
		});

		test('of many writers at once keep their order, and their counts are right', async () => {
			const jobs = numbers(0, 8);
			const { id } = await create({ jobs: jobs.map((job) => ({ first: job, end: job + 1 })) });
			await Promise.all(
				jobs.map(async (job) => {
					for (const part of numbers(0, 20)) {
						// Each value comes twice, in two jobs that write at the same time.
						const values = numbers(0, 5).map((row) => `${job >> 1} ${part * 5 + row}`);
						await store.rows.append(id, job, rows(values, `${part} `));
					}
					await store.jobs.markDone(id, job);
				}),
			);
			const inOrder = jobs.flatMap((job) => numbers(0, 100).map((row) => `${job >> 1} ${row}`));
			expect(await valuesIn(store, id)).toEqual(inOrder);
			expect(await store.batches.get(id)).toMatchObject({ lineCount: 800, duplicatedCount: 400 });
		});

		test('are read as many at once as have so many characters, one at least', async () => {
			const { id } = await create({ jobs: threeJobs.jobs.slice(0, 2) });
			await store.rows.append(id, 0, rows(['x'.repeat(1_000), 'short', 'y'.repeat(1_000)]));
			await store.rows.append(id, 1, rows(['last']));
			const batch = await store.batches.end(id, status.successful);
			const lengths = async (offset: number, most?: number) =>
				(await store.rows.read(batch, { offset, size: 10 }, most)).map(({ length }) => length);
			expect(await lengths(0, 1)).toEqual([1_008]);
			expect(await lengths(0, 1_009)).toEqual([1_008, 13]);
			expect(await lengths(1, 100)).toEqual([13, 1_008]);
			expect(await lengths(0)).toEqual([1_008, 13, 1_008, 12]);
			expect(await lengths(4)).toEqual([]);
		});

		test('hold any text', async () => {
			const texts = fc.array(fc.string({ unit: 'binary' }), { minLength: 1, maxLength: 20 });
			await fc.assert(
				fc.asyncProperty(texts, async (values) => {
					const { id } = await create();
					const given = [...values, '\0', '\ud800', "'; DROP TABLE rows", '{}', '"\\'];
					await store.rows.append(id, 0, rows(given));
					expect(await valuesIn(store, id)).toEqual(given);
				}),
				{ numRuns: 20 },
			);
		});
	});

	describe('batches', () => {
		test('are the same whether their task ID is in capitals or not', async () => {
			const { id } = await create({ taskID: taskID.toUpperCase() });
			for (const asked of [taskID, taskID.toUpperCase()]) {
				expect(await store.batches.count(asked)).toBe(1);
				expect(ids(await store.batches.list(asked, 0, window))).toEqual([id]);
				expect(await store.batches.toStop(asked)).toMatchObject({ id });
				expect(await store.batches.startedBy(asked, 'test')).toMatchObject({ id });
			}
			await create();
			expect(await store.batches.taskIDs()).toEqual([taskID]);
		});

		test('that are created at once have identifiers that grow, also over a restart', async () => {
			const early = await Promise.all(numbers(0, 20).map(() => create()));
			vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 3_600_000 });
			await restart();
			const late = await create();
			const created = ids(await store.batches.list(taskID, 0, window));
			const grown = [...ids(early), late.id].sort((a, b) => (a < b ? 1 : -1));
			expect(created).toEqual(grown);
			expect(created[0]).toBe(late.id);
			expect(late.id < 2n ** 53n).toBe(true);
			await store.close();
			store = await place.open({ largeIdentifiers: true });
			const { id } = await create();
			expect(id > 2n ** 53n && id < 2n ** 63n).toBe(true);
			expect(ids(await store.batches.list(taskID, 0, window))[0]).toBe(id);
		});

		test('are started once by a request that starts one alone, however often it comes', async () => {
			const request = { requestID: 'once', once: true };
			const started = await Promise.all(numbers(0, 5).map(() => create(request)));
			expect(new Set(ids(started)).size).toBe(1);
			await create({ requestID: 'once' });
			expect(await store.batches.count(taskID)).toBe(2);
			expect((await create({ ...request, taskID: 'other' })).id).not.toBe(started[0]?.id);
		});

		test('are listed by creation, running time and rows, page by page', async () => {
			const [first, second, third] = [await create(), await create(), await create()];
			await store.rows.append(first.id, 0, rows(['a', 'b']));
			await store.rows.append(third.id, 0, rows(['a']));
			vi.useFakeTimers({ toFake: ['Date', 'performance'], now: Date.now() });
			await store.batches.markRunning(second.id);
			vi.advanceTimersByTime(5_000);
			const listed = async (order: number, offset = 0, size = 10) =>
				ids(await store.batches.list(taskID, order, { offset, size }));
			expect(await listed(0)).toEqual([third.id, second.id, first.id]);
			expect(await listed(1)).toEqual([second.id, third.id, first.id]);
			expect(await listed(2)).toEqual([first.id, third.id, second.id]);
			expect(await listed(2, 1, 1)).toEqual([third.id]);
			expect(await listed(0, 1_000_000_000_000)).toEqual([]);
			expect(await store.batches.list('nobody\0', 0, window)).toEqual([]);
			const other = await create({ taskID: 'other' });
			expect(await store.batches.taskIDs()).toEqual(['other', taskID]);
			expect(ids((await store.batches.unfinished()).map(({ batch }) => batch))).toEqual([
				first.id,
				second.id,
				third.id,
				other.id,
			]);
		});

		test('are stopped running first, then waiting, the newest of several', async () => {
			const [first, second] = [await create(), await create(), await create()];
			await store.batches.markRunning(first.id);
			await store.batches.markRunning(second.id);
			const stopped: bigint[] = [];
			for (let batch; (batch = await store.batches.toStop(taskID));) {
				stopped.push((await store.batches.end(batch.id, status.stopped)).id);
			}
			expect(stopped.slice(0, 2)).toEqual([second.id, first.id]);
			expect(stopped).toHaveLength(3);
		});

		test('keep what they were made of, and what they were started with', async () => {
			const fields = [{ id: 'ü\u2028', name: 'Größe "x"' }];
			const start = { jobCount: 7, actionParams: '[{"id":"\\u0000"}]' };
			const { id } = await create({ fields, start, task: '{"name":"\\u0000"}', nodeCount: 3 });
			await restart();
			const batch = await store.batches.get(id);
			expect(batch).toMatchObject({ taskID, fields, nodeCount: 3, jobCount: 1, region: 'us' });
			expect(batch).toMatchObject({ status: status.waiting, startTime: 0, requestID: 'test' });
			expect(await store.batches.startOf(id)).toEqual(start);
			expect(await store.batches.unfinished()).toEqual([{ batch, task: '{"name":"\\u0000"}' }]);
			expect(await store.batches.find(id + 1n)).toBeUndefined();
			await expect(store.batches.get(id + 1n)).rejects.toThrow(`There is no batch ${id + 1n}.`);
		});

		test('run once they are begun, and end once', async () => {
			const { id } = await create();
			expect(await store.batches.markRunning(id)).toBe(true);
			const { startTime } = await store.batches.get(id);
			expect(await store.batches.markRunning(id)).toBe(true);
			expect((await store.batches.get(id)).startTime).toBe(startTime);
			const ended = await store.batches.end(id, status.stopped, 'x'.repeat(3_000));
			expect(ended).toMatchObject({ status: status.stopped, endReason: 'x'.repeat(2_000) });
			expect(await store.batches.end(id, status.successful)).toEqual(ended);
			expect(await store.batches.markRunning(id)).toBe(false);
			expect(await store.batches.unfinished()).toEqual([]);
		});

		test('have no negative running time, nor an end before their begin, where a clock is set back', async () => {
			const { id } = await create();
			await store.batches.markRunning(id);
			const { startTime } = await store.batches.get(id);
			vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 3_600_000 });
			const { runTime } = await store.batches.get(id);
			expect(runTime).toBeGreaterThanOrEqual(0);
			expect(runTime).toBeLessThan(60_000);
			const ended = await store.batches.end(id, status.stopped);
			expect(ended.runTime).toBeGreaterThanOrEqual(0);
			expect(ended.endTime).toBe(startTime);
		});

		test('run no longer where it is set forward; before a restart, what it said counts, never below 0', async () => {
			const { id } = await create();
			await store.batches.markRunning(id);
			const now = Date.now();
			vi.useFakeTimers({ toFake: ['Date'], now: now + 3_600_000 });
			expect((await store.batches.get(id)).runTime).toBeLessThan(60_000);
			await restart();
			expect((await store.batches.get(id)).runTime).toBeGreaterThanOrEqual(3_590_000);
			vi.setSystemTime(now - 3_600_000);
			await restart();
			const { runTime } = await store.batches.get(id);
			expect(runTime).toBeGreaterThanOrEqual(0);
			expect(runTime).toBeLessThan(60_000);
		});
	});

	test('jobs say how far they are, also after a restart', async () => {
		const jobs = [
			{ first: 0, end: 10 },
			{ first: 10, end: 15 },
		];
		const { id } = await create({ jobs });
		await store.jobs.advance(id, 0, 4);
		await store.jobs.markDone(id, 1);
		await restart();
		expect(await store.jobs.unfinished(id)).toEqual([{ number: 0, first: 4, end: 10 }]);
		const progress = { jobs: 2, jobsDone: 1, items: 15, itemsDone: 9 };
		expect(await store.jobs.progress(id)).toEqual(progress);
		expect(await store.jobs.progress(id + 1n)).toMatchObject({ jobs: 0, items: 0 });
	});

	test('failed pages are kept up to a thousand, each place once, and all counted', async () => {
		const { id } = await create();
		const page = (number: number) => ({
			job: 0,
			position: `/${number}`,
			what: `page\0${number}`,
			address: '',
			reason: 'gone',
			tries: 1,
			time: number,
		});
		for (const number of numbers(0, 3)) await store.failures.add(id, page(number));
		await Promise.all(numbers(0, 3).map((number) => store.failures.add(id, page(number))));
		expect((await store.batches.get(id)).failedPages).toBe(3);
		expect((await store.failures.of(id)).map(({ time }) => time)).toEqual([0, 1, 2]);
		await Promise.all(numbers(3, 1_003).map((number) => store.failures.add(id, page(number))));
		expect((await store.batches.get(id)).failedPages).toBe(1_003);
		expect(await store.failures.of(id)).toHaveLength(1_000);
	});

	test('selectors that found nothing, or on some pages, are counted on after a restart', async () => {
		const list = { step: 'step', selector: 'li' };
		const price = { ...list, selector: 'b', field: { id: 'p', name: 'Price' } };
		const note = (ofList: boolean, ofPrice: boolean) =>
			store.selectors.note(1n, [
				{ selector: list, found: ofList },
				{ selector: price, found: ofPrice },
			]);
		const notePages = (selector: typeof list, found: number, empty?: string) =>
			store.selectors.notePages(1n, [{ selector, found, empty }]);
		await note(true, false);
		await notePages(list, 3, 'first');
		await restart();
		expect(await store.selectors.emptyOf(1n)).toEqual([price]);
		await note(false, true);
		await store.selectors.notePages(1n, [
			{ selector: list, found: 2, empty: 'second' },
			{ selector: price, found: 2, empty: 'rare' },
		]);
		const gap = { ...list, pages: 7, emptyPages: 2, firstEmpty: 'first' };
		expect(await store.selectors.emptyOnPages(1n)).toEqual([gap]);
		await notePages(price, 4);
		const rare = { ...price, pages: 7, emptyPages: 1, firstEmpty: 'rare' };
		expect(await store.selectors.emptyOnPages(1n)).toEqual([gap, rare]);
		expect(await store.selectors.emptyOf(1n)).toEqual([]);
	});

	describe('the log of a batch', () => {
		function write(batchID: bigint, from: number, to: number): void {
			for (const number of numbers(from, to + 1)) {
				const line = { time: number, level: 'info', message: `line ${number}`, details: '{}' };
				store.logs.add(batchID, line);
			}
		}
		const messages = async (batchID: bigint, count: number) => {
			const { lines, dropped } = await store.logs.newest(batchID, count);
			return { messages: lines.map(({ message }) => message), dropped };
		};
		const lines = (from: number, to: number) =>
			numbers(to, from + 1).map((number) => `line ${from + to - number}`);

		test('keeps the newest thousand lines, also over a restart', async () => {
			write(1n, 1, 700);
			write(2n, 1, 1);
			await restart();
			write(1n, 701, 1_400);
			await store.logs.flush();
			expect(await messages(1n, 2_000)).toEqual({ messages: lines(1_400, 401), dropped: 400 });
			expect(await messages(2n, 2_000)).toEqual({ messages: ['line 1'], dropped: 0 });
			expect(await messages(3n, 2_000)).toEqual({ messages: [], dropped: 0 });
		});

		test('can be read as soon as it is written, the newest line first', async () => {
			write(1n, 1, 3);
			const flushing = store.logs.flush();
			write(1n, 4, 5);
			expect(await messages(1n, 2)).toEqual({ messages: ['line 5', 'line 4'], dropped: 3 });
			await flushing;
		});
	});

	describe('deduplication', () => {
		const hashed = (texts: string[]) => texts.map((text) => ({ text, hash: Buffer.from(text) }));
		const fresh = async (id: string, texts: string[]) =>
			(await store.deduplication.newOf(id, hashed(texts))).map(({ text }) => text);

		test('returns each row once for an id, also over a restart', async () => {
			expect(await fresh('one', ['a', 'b', 'a'])).toEqual(['a', 'b']);
			expect(await fresh('one', ['c', 'b'])).toEqual(['c']);
			expect(await fresh('other', ['b'])).toEqual(['b']);
			await restart();
			expect(await fresh('one', ['a', 'b', 'c', 'd'])).toEqual(['d']);
			expect(await fresh('one', [])).toEqual([]);
		});

		test('returns each row once to requests that come at once', async () => {
			const texts = numbers(0, 50).map(String);
			const answers = await Promise.all(
				numbers(0, 10).map((turn) => fresh('one', turn % 2 === 0 ? texts : texts.toReversed())),
			);
			expect(answers.flat().sort()).toEqual(texts.toSorted());
		});

		test('forgets an id an hour after its last use', async () => {
			const now = Date.now();
			vi.useFakeTimers({ toFake: ['Date'], now });
			await fresh('one', ['a']);
			vi.setSystemTime(now + 3_599_000);
			expect(await fresh('one', ['a'])).toEqual([]);
			vi.setSystemTime(now + 2 * 3_599_000);
			expect(await fresh('one', ['a'])).toEqual([]);
			vi.setSystemTime(now + 3 * 3_600_000);
			expect(await fresh('one', ['a', 'b'])).toEqual(['a', 'b']);
			expect(await fresh('one', ['a', 'b'])).toEqual([]);
		});
	});

	test('retention deletes what ended before a time, with all that belongs to it, and nothing else', async () => {
		const now = Date.now();
		vi.useFakeTimers({ toFake: ['Date'], now: now - 1_000 });
		const [old, waiting] = [
			await create({ start: { jobCount: 1, actionParams: '' } }),
			await create(),
		];
		await store.rows.append(old.id, 0, rows(numbers(0, 450)));
		await store.batches.end(old.id, status.successful);
		vi.setSystemTime(now);
		const recent = await create();
		await store.rows.append(recent.id, 0, rows(['stays']));
		await store.batches.end(recent.id, status.stopped);
		const { signal } = new AbortController();
		expect(await store.retention.deleteBefore(now, signal)).toBe(1);
		expect(await store.batches.find(old.id)).toBeUndefined();
		expect(await store.batches.startOf(old.id)).toBeUndefined();
		await restart();
		expect(await store.retention.deleteLeftOver(signal)).toBe(1);
		expect(await store.retention.deleteLeftOver(signal)).toBe(0);
		expect(await store.rows.read({ ...old, status: status.successful }, window)).toEqual([]);
		expect(await store.jobs.unfinished(waiting.id)).toHaveLength(1);
		expect(await valuesIn(store, recent.id)).toEqual(['stays']);
	});

	test('API keys are made, known, used and revoked, also over a restart', async () => {
		const { make, has, hashOf } = keysOf(store);
		const key = await make('n8n');
		await make('n8n 2');
		expect(key).toMatch(/^[\w-]{32}$/);
		expect(await has(key)).toBe(true);
		expect(await has(`${key}x`)).toBe(false);
		await store.apiKeys.noteUse(hashOf(key), { time: 1, request: 'POST /cloud/start' });
		await store.apiKeys.noteUse(hashOf(key), { time: 2, request: 'GET /cloud/data' });
		await restart();
		const [second, first] = await store.apiKeys.list();
		expect([first, second]).toMatchObject([
			{ name: 'n8n', ending: key.slice(-4) },
			{ name: 'n8n 2' },
		]);
		expect(await store.apiKeys.lastUse(hashOf(key))).toEqual({
			time: 2,
			request: 'GET /cloud/data',
		});
		for (const nobody of [NaN, 1.5, 1e30, 77]) {
			expect(await store.apiKeys.revoke(nobody)).toBeUndefined();
		}
		expect(await store.apiKeys.revoke(first?.id ?? 0)).toMatchObject({ name: 'n8n' });
		expect(await keysOf(store).has(key)).toBe(false);
		expect(await store.apiKeys.lastUse(hashOf(key))).toBeUndefined();
		expect(await store.apiKeys.list()).toHaveLength(1);
	});

	test('a made-up API key is shown once, and stays', async () => {
		const { key, hash, place: said } = await store.keptKey();
		expect(key).toMatch(/^[\w-]{32}$/);
		expect(said).not.toBe('');
		await restart();
		const kept = await store.keptKey();
		expect(kept).not.toHaveProperty('key');
		expect(Buffer.from(kept.hash).equals(hash)).toBe(true);
	});

	test('sessions last a month, are listed, and end', async () => {
		const now = Date.now();
		vi.useFakeTimers({ toFake: ['Date'], now });
		const apiKey = Buffer.from('hash');
		const token = await store.sessions.begin('Browser\ud800\0', apiKey);
		const other = await store.sessions.begin('x'.repeat(400));
		await restart();
		const found = await store.sessions.find(token);
		expect(found).toMatchObject({ createTime: now });
		expect(Buffer.from(found?.apiKey ?? []).equals(apiKey)).toBe(true);
		expect(await store.sessions.find('nobody')).toBeUndefined();
		const [newest] = await store.sessions.list();
		expect(newest).toMatchObject({ browser: 'x'.repeat(300) });
		expect(newest).not.toHaveProperty('apiKey');
		await store.sessions.end(NaN);
		await store.sessions.end(found?.id ?? 0);
		expect(await store.sessions.find(token)).toBeUndefined();
		vi.setSystemTime(now + 30 * 24 * 3_600_000);
		expect(await store.sessions.find(other)).toBeDefined();
		vi.setSystemTime(now + 30 * 24 * 3_600_000 + 1);
		expect(await store.sessions.find(other)).toBeUndefined();
		const last = await store.sessions.begin('');
		expect(await store.sessions.list()).toHaveLength(1);
		await store.sessions.endAll();
		expect(await store.sessions.find(last)).toBeUndefined();
	});
});

function keysOf({ apiKeys }: Store) {
	return {
		make: (name: string) => apiKeys.make(name),
		has: (key: string) => apiKeys.has(keyHash(key)),
		hashOf: keyHash,
	};
}
