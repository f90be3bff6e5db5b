import { copyFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pino } from 'pino';
import { openStore } from '../../../service/src/store/openStore.ts';
import { locationOf } from '../../../service/src/store/postgres/location.ts';
import { markFor } from '../../../service/src/store/sqlite/copyMark.ts';
import { describeWithPostgres } from '../../support/postgres/withPostgres';
import { useCopies } from './useCopies';

const log = pino({ level: 'silent' });

describeWithPostgres('a copy', () => {
	const ground = useCopies();
	const { copy, change, fileWith } = ground;
	let folder: string;
	let file: string;
	let database: string;
	beforeEach(() => ({ folder, file, database } = ground));

	describe('that was broken off at its end', () => {
		/** As a file is left by that: its copy may have arrived, and its batches have not ended. */
		const breakOff = () => change(`PRAGMA application_id = ${markFor(locationOf(database))}`);
		const statusIn = async (place: { data: string; database?: string }, id: bigint) => {
			const store = await openStore(place, { log });
			const { status } = await store.batches.get(id);
			await store.close();
			return status;
		};

		test('is finished by the next, where it has arrived; no service starts until then', async () => {
			const id = await fileWith(10);
			const before = join(folder, 'before.db');
			copyFileSync(file, before);
			expect((await copy()).exitCode).toBe(0);
			for (const end of ['-wal', '-shm']) await rm(file + end, { force: true });
			copyFileSync(before, file);
			breakOff();
			await expect(openStore({ data: file }, { log })).rejects.toThrow(
				`The database ${file} was being copied when that was broken off, so its batches may go on in the other database. Run the same copy again`,
			);
			const other = await copy(file, { address: ground.newDatabase() });
			expect(other.exitCode).toBe(1);
			expect(other.error).toContain(
				'its copy to another database, or by another address of it, was broken off',
			);
			const { exitCode, out } = await copy(file, { address: database });
			expect(exitCode).toBe(0);
			expect(out).toContain(
				`${file} had been copied to ${locationOf(database)} before, so nothing was copied now.\nBatches of ${file} that had not ended then go on there; 1 of them were still to be stopped here`,
			);
			expect(await statusIn({ data: file }, id)).toBe(4);
			expect(await statusIn({ data: '', database }, id)).toBe(1);
		});

		test('is finished where its batches have been deleted there since', async () => {
			const id = await fileWith(10);
			const before = join(folder, 'before.db');
			copyFileSync(file, before);
			expect((await copy()).exitCode).toBe(0);
			ground.inDatabase('DELETE FROM cloud_scraping.batches');
			for (const end of ['-wal', '-shm']) await rm(file + end, { force: true });
			copyFileSync(before, file);
			breakOff();
			const { exitCode, out } = await copy();
			expect(exitCode).toBe(0);
			expect(out).toContain('before, so nothing was copied now.');
			expect(await statusIn({ data: file }, id)).toBe(4);
		});

		test('is not forgotten while it is at work', async () => {
			const id = await fileWith(1);
			breakOff();
			const copying = new DatabaseSync(file);
			copying.exec('BEGIN IMMEDIATE');
			const { exitCode, error } = await copy(file, { rest: ['--forget'] });
			expect(exitCode).toBe(1);
			expect(error).toBe(
				`${file} was left as it is: database is locked. Its copy, or another program, is still at work on it: end that first.\n`,
			);
			copying.close();
			expect((await copy(file, { rest: ['--forget'] })).exitCode).toBe(0);
			expect(await statusIn({ data: file }, id)).toBe(1);
		});

		test('is done anew by the next, where nothing has arrived', async () => {
			const id = await fileWith(10);
			breakOff();
			const { exitCode, out } = await copy();
			expect(exitCode).toBe(0);
			expect(out).toMatch(/^ +10 {2}rows$/m);
			expect(await statusIn({ data: file }, id)).toBe(4);
			expect(await statusIn({ data: '', database }, id)).toBe(1);
		});

		test('is forgotten where its database is lost', async () => {
			const id = await fileWith(1);
			breakOff();
			const { exitCode, out } = await copy(file, { rest: ['--forget'] });
			expect(exitCode).toBe(0);
			expect(out).toContain(`Services start on ${file} again.`);
			expect(await statusIn({ data: file }, id)).toBe(1);
		});
	});

	test('lets a batch go on in one place alone, however many copy its file at once', async () => {
		const id = await fileWith(10);
		const places = [database, ground.newDatabase(), ground.newDatabase()];
		await Promise.all(places.map((place) => copy(file, { address: place })));
		const statuses: number[] = [];
		for (const place of places) {
			const store = await openStore({ data: '', database: place }, { log });
			const batch = await store.batches.get(id).catch(() => undefined);
			if (batch) statuses.push(batch.status);
			await store.close();
		}
		expect(statuses.filter((status) => status === 1)).toEqual([1]);
	});
});
