import { keyHash } from '../../../service/src/store/apiKeyStore.ts';
import type { Store } from '../../../service/src/store/stores.ts';
import { describeOnBothDatabases } from './bothDatabases';
import { numbers } from './newBatch';

describeOnBothDatabases((kept) => {
	test('failed pages are kept up to a thousand, each place once, and all counted', async () => {
		const { id } = await kept.create();
		const claim = await kept.store.jobs.claim(id, 0);
		const page = (number: number) => ({
			position: `/${number}`,
			what: `page\0${number}`,
			address: '',
			reason: 'gone',
			tries: 1,
			time: number,
		});
		for (const number of numbers(0, 3)) await kept.store.failures.add(claim, page(number));
		await Promise.all(numbers(0, 3).map((number) => kept.store.failures.add(claim, page(number))));
		expect((await kept.store.batches.get(id)).failedPages).toBe(3);
		expect((await kept.store.failures.of(id)).map(({ time }) => time)).toEqual([0, 1, 2]);
		// Not all at once: how long the last would wait for a connection, a busy machine decides.
		for (let from = 3; from < 1_003; from += 50) {
			const some = numbers(from, from + 50);
			await Promise.all(some.map((number) => kept.store.failures.add(claim, page(number))));
		}
		expect((await kept.store.batches.get(id)).failedPages).toBe(1_003);
		expect(await kept.store.failures.of(id)).toHaveLength(1_000);
	});

	test('selectors that found nothing, or on some pages, are counted on after a restart', async () => {
		const list = { step: 'step', selector: 'li' };
		const price = { ...list, selector: 'b', field: { id: 'p', name: 'Price' } };
		const note = (ofList: boolean, ofPrice: boolean) =>
			kept.store.selectors.note(1n, [
				{ selector: list, found: ofList },
				{ selector: price, found: ofPrice },
			]);
		const pages = (selector: typeof list, found: number, firstEmpty = '') => {
			const empty = firstEmpty === '' ? 0 : 1;
			return { selector, found, foundBefore: found, empty, firstEmpty };
		};
		const notePages = (selector: typeof list, found: number, empty?: string) =>
			kept.store.selectors.notePages(1n, [pages(selector, found, empty)]);
		await note(true, false);
		await notePages(list, 3, 'first');
		await kept.restart();
		expect(await kept.store.selectors.emptyOf(1n)).toEqual([price]);
		await note(false, true);
		await kept.store.selectors.notePages(1n, [pages(list, 2, 'second'), pages(price, 2, 'rare')]);
		const gap = { ...list, pages: 7, emptyPages: 2, firstEmpty: 'first' };
		expect(await kept.store.selectors.emptyOnPages(1n)).toEqual([gap]);
		await notePages(price, 4);
		const rare = { ...price, pages: 7, emptyPages: 1, firstEmpty: 'rare' };
		expect(await kept.store.selectors.emptyOnPages(1n)).toEqual([gap, rare]);
		expect(await kept.store.selectors.emptyOf(1n)).toEqual([]);
		await kept.store.selectors.forgetPages(1n);
		await notePages(list, 1, 'third');
		expect(await kept.store.selectors.emptyOnPages(1n)).toEqual([
			{ ...list, pages: 2, emptyPages: 1, firstEmpty: 'third' },
		]);
	});

	test('which kinds of pages a step has had is known after a restart, and no more once its batch is gone', async () => {
		const [{ id }, { id: other }] = [await kept.create(), await kept.create()];
		for (let time = 0; time < 2; time += 1) await kept.store.stepPages.note(id, 'read', 'whole');
		await kept.restart();
		const known = [
			await kept.store.stepPages.has(id, 'read', 'whole'),
			await kept.store.stepPages.has(id, 'read', 'withoutPassword'),
			await kept.store.stepPages.has(id, 'open', 'whole'),
			await kept.store.stepPages.has(other, 'read', 'whole'),
		];
		expect(known).toEqual([true, false, false, false]);
		await kept.store.retention.delete(id);
		await kept.store.stepPages.note(id, 'open', 'whole');
		for (const step of ['read', 'open'])
			expect(await kept.store.stepPages.has(id, step, 'whole')).toBe(false);
	});

	describe('the log of a batch', () => {
		function write(batchID: bigint, from: number, to: number): void {
			for (const number of numbers(from, to + 1)) {
				const line = { time: number, level: 'info', message: `line ${number}`, details: '{}' };
				kept.store.logs.add(batchID, line);
			}
		}
		const messages = async (batchID: bigint, count: number) => {
			const { lines, dropped } = await kept.store.logs.newest(batchID, count);
			return { messages: lines.map(({ message }) => message), dropped };
		};
		const lines = (from: number, to: number) =>
			numbers(to, from + 1).map((number) => `line ${from + to - number}`);

		test('keeps the newest thousand lines, also over a restart', async () => {
			const [{ id: long }, { id: short }, { id: silent }] = [
				await kept.create(),
				await kept.create(),
				await kept.create(),
			];
			write(long, 1, 700);
			write(short, 1, 1);
			await kept.restart();
			write(long, 701, 1_400);
			await kept.store.logs.flush();
			expect(await messages(long, 2_000)).toEqual({ messages: lines(1_400, 401), dropped: 400 });
			expect(await messages(short, 2_000)).toEqual({ messages: ['line 1'], dropped: 0 });
			expect(await messages(silent, 2_000)).toEqual({ messages: [], dropped: 0 });
		});

		test('can be read as soon as it is written, the newest line first', async () => {
			const { id } = await kept.create();
			write(id, 1, 3);
			const flushing = kept.store.logs.flush();
			write(id, 4, 5);
			expect(await messages(id, 2)).toEqual({ messages: ['line 5', 'line 4'], dropped: 3 });
			await flushing;
		});
	});

	test('API keys are made, known, used and revoked, also over a restart', async () => {
		const { make, has, hashOf } = keysOf(kept.store);
		const key = await make('n8n');
		await make('n8n 2');
		expect(key).toMatch(/^[\w-]{32}$/);
		expect(await has(key)).toBe(true);
		expect(await has(`${key}x`)).toBe(false);
		await kept.store.apiKeys.noteUse(hashOf(key), { time: 1, request: 'POST /cloud/start' });
		await kept.store.apiKeys.noteUse(hashOf(key), { time: 2, request: 'GET /cloud/data' });
		await kept.restart();
		const [second, first] = await kept.store.apiKeys.list();
		expect([first, second]).toMatchObject([
			{ name: 'n8n', ending: key.slice(-4) },
			{ name: 'n8n 2' },
		]);
		expect(await kept.store.apiKeys.lastUse(hashOf(key))).toEqual({
			time: 2,
			request: 'GET /cloud/data',
		});
		for (const nobody of [NaN, 1.5, 1e30, 77]) {
			expect(await kept.store.apiKeys.revoke(nobody)).toBeUndefined();
		}
		expect(await kept.store.apiKeys.revoke(first?.id ?? 0)).toMatchObject({ name: 'n8n' });
		expect(await keysOf(kept.store).has(key)).toBe(false);
		expect(await kept.store.apiKeys.lastUse(hashOf(key))).toBeUndefined();
		expect(await kept.store.apiKeys.list()).toHaveLength(1);
	});

	test('a made-up API key is shown once, and stays', async () => {
		expect(await kept.store.keptKey()).toBeUndefined();
		const { key, hash, place } = await kept.store.makeKey();
		expect(key).toMatch(/^[\w-]{32}$/);
		expect(place).not.toBe('');
		await kept.restart();
		const again = await kept.store.keptKey();
		expect(again).not.toHaveProperty('key');
		expect(Buffer.from(again?.hash ?? []).equals(hash)).toBe(true);
	});

	test('sessions last a month, are listed, and end', async () => {
		const apiKey = Buffer.from('hash');
		const token = await kept.store.sessions.begin('Browser\ud800\0', apiKey);
		const other = await kept.store.sessions.begin('x'.repeat(400));
		await kept.restart();
		const found = await kept.store.sessions.find(token);
		expect(Math.abs((found?.createTime ?? 0) - Date.now())).toBeLessThan(60_000);
		expect(Buffer.from(found?.apiKey ?? []).equals(apiKey)).toBe(true);
		expect(await kept.store.sessions.find('nobody')).toBeUndefined();
		const [newest] = await kept.store.sessions.list();
		expect(newest).toMatchObject({ browser: 'x'.repeat(300) });
		expect(newest).not.toHaveProperty('apiKey');
		await kept.store.sessions.end(NaN);
		await kept.store.sessions.end(found?.id ?? 0);
		expect(await kept.store.sessions.find(token)).toBeUndefined();
		const month = 30 * 24 * 3_600_000;
		kept.pass(month - 60_000);
		expect(await kept.store.sessions.find(other)).toBeDefined();
		kept.pass(120_000);
		expect(await kept.store.sessions.find(other)).toBeUndefined();
		const last = await kept.store.sessions.begin('');
		expect(await kept.store.sessions.list()).toHaveLength(1);
		await kept.store.sessions.endAll();
		expect(await kept.store.sessions.find(last)).toBeUndefined();
	});
});

function keysOf({ apiKeys }: Store) {
	return {
		make: (name: string) => apiKeys.make(name),
		has: (key: string) => apiKeys.has(keyHash(key)),
		hashOf: keyHash,
	};
}
