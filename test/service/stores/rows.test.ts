import { status } from '../../../service/src/store/batch.ts';
import { PassedOn, type Claim } from '../../../service/src/store/claim.ts';
import type { Store } from '../../../service/src/store/stores.ts';
import { fc } from '../../support/fastCheck';
import { describeOnBothDatabases } from './bothDatabases';
import { numbers, rows } from './newBatch';

/** The values of the rows of a batch that can be read. */
async function valuesIn(store: Store, id: bigint, offset = 0, size = 10_000) {
	const read = await store.rows.read(await store.batches.get(id), { offset, size });
	return read.map((content) => (JSON.parse(content) as { a: string }).a);
}

describeOnBothDatabases((kept) => {
	describe('rows', () => {
		const threeJobs = { jobs: numbers(0, 3).map((job) => ({ first: job, end: job + 1 })) };

		test('are read in the order of their jobs; those behind an unfinished job are held back', async () => {
			const { id } = await kept.create(threeJobs);
			await kept.append(id, 1, rows(['second']));
			await kept.append(id, 0, rows(['first']));
			await kept.markDone(id, 1);
			expect(await valuesIn(kept.store, id)).toEqual(['first']);
			await kept.append(id, 0, rows(['first too'], 'later '));
			await kept.markDone(id, 0);
			expect(await valuesIn(kept.store, id)).toEqual(['first', 'first too', 'second']);
			expect(await valuesIn(kept.store, id, 1, 1)).toEqual(['first too']);
			expect(await kept.store.rows.count(await kept.store.batches.get(id))).toBe(3);
			await kept.append(id, 2, rows(['third']));
			expect(await valuesIn(kept.store, id, 2)).toEqual(['second', 'third']);
		});

		test('of an ended batch are all there, and no more come', async () => {
			const { id } = await kept.create(threeJobs);
			await kept.append(id, 2, rows(['third']));
			await kept.store.batches.end(id, status.stopped);
			await expect(kept.append(id, 0, rows(['late']))).rejects.toThrow(PassedOn);
			await kept.restart();
			expect(await valuesIn(kept.store, id)).toEqual(['third']);
			expect(await kept.store.batches.get(id)).toMatchObject({ lineCount: 1 });
		});

		test('are equal in whatever order their values stand', async () => {
			const { id } = await kept.create();
			const contents = [
				{ a: '1', b: '2' },
				{ b: '2', a: '1' },
				{ b: '1', a: '2' },
				{ 2: 'x', 1: '' },
			];
			await kept.append(
				id,
				0,
				contents.map((row, place) => ({ position: `${place}`, content: JSON.stringify(row) })),
			);
			expect(await kept.store.batches.get(id)).toMatchObject({ lineCount: 4, duplicatedCount: 1 });
		});

		test('at a position that has one are left out, and those that are there already counted', async () => {
			const { id } = await kept.create();
			expect(await kept.append(id, 0, [])).toBe(-1);
			expect(await kept.append(id, 0, rows(['x', 'y', 'x']))).toBe(1);
			// After a crash, a step begins anew.
			expect(await kept.append(id, 0, rows(['other', 'y', 'x', 'z']))).toBe(3);
			expect(await kept.append(id, 0, rows(['x'], 'again '))).toBe(-1);
			expect(await kept.append(id, 0, rows(['x'], 'again '))).toBe(4);
			expect(await valuesIn(kept.store, id)).toEqual(['x', 'y', 'x', 'z', 'x']);
			expect(await kept.store.batches.get(id)).toMatchObject({ lineCount: 5, duplicatedCount: 2 });
		});

		test('of many writers at once keep their order, and their counts are right', async () => {
			const jobs = numbers(0, 8);
			const { id } = await kept.create({ jobs: jobs.map((job) => ({ first: job, end: job + 1 })) });
			await Promise.all(
				jobs.map(async (job) => {
					for (const part of numbers(0, 20)) {
						// Each value comes twice, in two jobs that write at the same time.
						const values = numbers(0, 5).map((row) => `${job >> 1} ${part * 5 + row}`);
						await kept.append(id, job, rows(values, `${part} `));
					}
					await kept.markDone(id, job);
				}),
			);
			const inOrder = jobs.flatMap((job) => numbers(0, 100).map((row) => `${job >> 1} ${row}`));
			expect(await valuesIn(kept.store, id)).toEqual(inOrder);
			expect(await kept.store.batches.get(id)).toMatchObject({
				lineCount: 800,
				duplicatedCount: 400,
			});
		});

		test('are read as many at once as have so many characters, one at least', async () => {
			const { id } = await kept.create({ jobs: threeJobs.jobs.slice(0, 2) });
			await kept.append(id, 0, rows(['x'.repeat(1_000), 'short', 'y'.repeat(1_000)]));
			await kept.append(id, 1, rows(['last']));
			await kept.store.batches.end(id, status.successful);
			const batch = await kept.store.batches.get(id);
			const lengths = async (offset: number, most?: number) =>
				(await kept.store.rows.read(batch, { offset, size: 10 }, most)).map(({ length }) => length);
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
					const { id } = await kept.create();
					const given = [...values, '\0', '\ud800', "'; DROP TABLE rows", '{}', '"\\'];
					await kept.append(id, 0, rows(given));
					expect(await valuesIn(kept.store, id)).toEqual(given);
				}),
				{ numRuns: 20 },
			);
		});
	});

	describe('a claim of a job', () => {
		const page = { position: '/0', what: 'x', address: '', reason: 'x', tries: 1, time: 1 };

		/** All that its agent may write. */
		const writes = ({ rows: all, jobs, failures }: Store, claim: Claim) => ({
			append: () => all.append(claim, rows(['late'], 'late ')),
			advance: () => jobs.advance(claim, 1),
			noteSent: () => jobs.noteSent(claim, 1, 'an order'),
			fail: () => failures.add(claim, page),
			markDone: () => jobs.markDone(claim),
		});

		test('that was passed on writes nothing, and the next one goes on where its rows end', async () => {
			const { id } = await kept.create();
			const frozen = await kept.store.jobs.claim(id, 0);
			await kept.store.rows.append(frozen, rows(['a', 'b']));
			await kept.restart();
			const next = await kept.store.jobs.claim(id, 0);
			const before = await kept.store.batches.get(id);
			for (const write of Object.values(writes(kept.store, frozen))) {
				await expect(write()).rejects.toThrow(PassedOn);
			}
			expect(await kept.store.batches.get(id)).toEqual(before);
			expect(await kept.store.failures.of(id)).toEqual([]);
			expect(await kept.store.jobs.unfinished(id)).toEqual([{ number: 0, first: 0, end: 1 }]);
			expect(await kept.store.rows.append(next, rows(['a', 'b', 'c']))).toBe(2);
			await kept.store.jobs.markDone(next);
			expect(await valuesIn(kept.store, id)).toEqual(['a', 'b', 'c']);
		});

		test('is that of one of two who write at once: each row is there once, in order', async () => {
			const { id } = await kept.create();
			const values = numbers(0, 60);
			const claims = await Promise.all([0, 1, 2].map(() => kept.store.jobs.claim(id, 0)));
			let lost = 0;
			await Promise.all(
				claims.map(async (first) => {
					let claim = first;
					for (const value of values) {
						const row = { position: String(value), content: JSON.stringify({ a: String(value) }) };
						const isMine = await kept.store.rows.append(claim, [row]).catch(() => undefined);
						if (isMine !== undefined) continue;
						lost += 1;
						// As one that was given the job again, from its beginning.
						claim = await kept.store.jobs.claim(id, 0);
						await kept.store.rows.append(claim, [row]).catch(() => undefined);
					}
				}),
			);
			expect(lost).toBeGreaterThan(1);
			const stored = await valuesIn(kept.store, id);
			expect(new Set(stored).size).toBe(stored.length);
			expect(await kept.store.batches.get(id)).toMatchObject({
				lineCount: stored.length,
				duplicatedCount: 0,
			});
		});

		test('ends with its batch, and there is none of a job that is done', async () => {
			const jobs = numbers(0, 2).map((job) => ({ first: job, end: job + 1 }));
			const { id } = await kept.create({ jobs });
			await kept.markDone(id, 1);
			await expect(kept.store.jobs.claim(id, 1)).rejects.toThrow(PassedOn);
			const claim = await kept.store.jobs.claim(id, 0);
			await kept.store.batches.end(id, status.stopped);
			for (const write of Object.values(writes(kept.store, claim))) {
				await expect(write()).rejects.toThrow(PassedOn);
			}
			await expect(kept.store.jobs.claim(id, 0)).rejects.toThrow(
				`job 0 of batch ${id} is another agent's, or over`,
			);
			expect(await kept.store.batches.get(id)).toMatchObject({ lineCount: 0, failedPages: 0 });
		});
	});

	describe('deduplication', () => {
		const hashed = (texts: string[]) => texts.map((text) => ({ text, hash: Buffer.from(text) }));
		const fresh = async (id: string, texts: string[]) =>
			(await kept.store.deduplication.newOf(id, hashed(texts))).map(({ text }) => text);

		test('returns each row once for an id, also over a restart', async () => {
			expect(await fresh('one', ['a', 'b', 'a'])).toEqual(['a', 'b']);
			expect(await fresh('one', ['c', 'b'])).toEqual(['c']);
			expect(await fresh('other', ['b'])).toEqual(['b']);
			await kept.restart();
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
			vi.useFakeTimers({ toFake: ['Date', 'performance'], now: Date.now() });
			await fresh('one', ['a']);
			kept.pass(3_500_000);
			expect(await fresh('one', ['a'])).toEqual([]);
			kept.pass(3_500_000);
			expect(await fresh('one', ['a'])).toEqual([]);
			kept.pass(3_601_000);
			expect(await fresh('one', ['a', 'b'])).toEqual(['a', 'b']);
			expect(await fresh('one', ['a', 'b'])).toEqual([]);
		});
	});
});
