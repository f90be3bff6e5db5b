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
		const reason = await loop.whyOver(false);
		if (reason !== undefined) return { round, reason, oddity: loop.oddity };
	}
	return { round };
}

const upTo = (length: number) => Array.from({ length }, (_, index) => `row ${index}`);

test('a list that grows has no end', async () => {
	expect(await endOf((round) => upTo(round + 1))).toEqual({ round: 200 });
});

test('one whose rows come again and again is over after ten rounds', async () => {
	const again = (round: number) => [...upTo(5), ...Array.from({ length: round }, () => 'row 4')];
	const reason = 'no new row in 10 rounds';
	expect(await endOf(again)).toEqual({ round: 10, reason, oddity: undefined });
});

test('one that does not grow, and whose rows change with each look, is over after fifty', async () => {
	const clock = (round: number) => upTo(5).map((row) => `${row}, ${round} seconds`);
	const reason = 'no more rows in 50 rounds';
	expect(await endOf(clock)).toMatchObject({ round: 50, reason });
});

test('of one that shows rows in the place of others, that is said', async () => {
	const last = (round: number) => upTo(round + 10).slice(-10);
	const { oddity } = await endOf(last);
	expect(oddity).toMatch(/^the list has shown other rows in the place of those before/);
});
