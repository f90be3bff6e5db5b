import { EndlessLoop } from '../../service/src/agents/endlessLoop.ts';
import { fingerprintOf, rowsOf } from '../../service/src/pages/seenPages.ts';
import type { Step } from '../../service/src/tasks/task.ts';

const wait: Step = { id: 'w', type: 'wait', config: { selector: 'li' } };

/** After how many rounds a loop that waits for these rows is over, and why; round by round. */
async function endOf(rowsIn: (round: number) => string[], rounds = 200) {
	let round = 0;
	const fingerprint = () => {
		const rows = [rowsOf(rowsIn(round))];
		return Promise.resolve(fingerprintOf('http://a/', String(round), { byAddress: false, rows }));
	};
	const loop = new EndlessLoop({ fingerprint }, [wait], []);
	for (; round < rounds; round += 1) {
		await loop.note(false);
		if (loop.isOver) break;
	}
	const warnings: unknown[] = [];
	loop.tell({ warn: (...said: unknown[]) => warnings.push(said) }, { url: 'http://a/', rounds: 1 });
	return { round, warnings };
}

const warning = (reason: string) => [{ url: 'http://a/', rounds: 1, reason }, 'loop ended'];

const upTo = (length: number) => Array.from({ length }, (_, index) => `row ${index}`);

test('a list that grows has no end', async () => {
	expect(await endOf((round) => upTo(round + 1))).toEqual({ round: 200, warnings: [] });
});

test('one whose rows come again and again is over after ten rounds', async () => {
	const again = (round: number) => [...upTo(5), ...Array.from({ length: round }, () => 'row 4')];
	const warnings = [warning('no new row in 10 rounds')];
	expect(await endOf(again)).toEqual({ round: 10, warnings });
});

test('one that does not grow, and whose rows change with each look, is over after fifty', async () => {
	const clock = (round: number) => upTo(5).map((row) => `${row}, ${round} seconds`);
	const { round, warnings } = await endOf(clock);
	expect(round).toBe(50);
	expect(warnings[0]).toEqual(warning('no more rows in 50 rounds'));
});

test('one whose rows are filled in shows no others in their place', async () => {
	const filled = (round: number) =>
		upTo(9).map((row, index) => (index < round ? `${row}, € 5` : row));
	const { warnings } = await endOf(filled);
	expect(warnings).toHaveLength(1);
});

test('of one that shows rows in the place of others, that is said', async () => {
	const last = (round: number) => upTo(round + 10).slice(-10);
	const { warnings } = await endOf(last);
	const reason = expect.stringMatching(
		/^the list has shown other rows in the place of those before/,
	) as unknown;
	expect(warnings[1]).toEqual([{ url: 'http://a/', reason }, 'list holds a part']);
});
