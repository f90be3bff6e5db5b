import { setImmediate as nextTurn } from 'node:timers/promises';
import { beginningOf } from '../../service/src/text/beginningOf.ts';
import { ownTurn } from '../../service/src/text/ownTurn.ts';

test('of work that many do piece by piece, others wait for a piece at most', async () => {
	let done = 0;
	const work = Array.from({ length: 20 }, async () => {
		for (let piece = 0; piece < 10; piece += 1) {
			await ownTurn();
			done += 1;
		}
	});
	const between: number[] = [];
	for (let before = 0; done < 200; before = done) {
		await nextTurn();
		between.push(done - before);
	}
	await Promise.all(work);
	expect(Math.max(...between)).toBe(1);
});

describe('what an answer begins with', () => {
	/** As the network brings it: all of these are one buffer, whatever they say. */
	async function* chunks(count: number, size: number) {
		const buffer = new Uint8Array(64);
		for (let chunk = 0; chunk < count; chunk += 1) {
			await Promise.resolve();
			yield buffer.fill(chunk % 256, 0, size).subarray(0, size);
		}
	}

	test('is copied as it comes', async () => {
		const bytes = await beginningOf(chunks(300_000, 1), 1_000_000);
		expect(bytes.equals(Buffer.from(Array.from({ length: 300_000 }, (_, at) => at % 256)))).toBe(
			true,
		);
	});

	test('goes up to the chunk that is too much', async () => {
		expect(await beginningOf(chunks(9, 10), 90)).toHaveLength(90);
		expect(await beginningOf(chunks(100, 10), 35)).toHaveLength(40);
		expect(await beginningOf([], 35)).toHaveLength(0);
	});
});
