import { useFastClock } from '../../support/engine/fastClock';
import { useScriptedService } from '../../support/engine/useScriptedService';
import { page } from '../../support/scriptedService/scriptedAnswers';
import { onTheWire } from '../../support/scriptedService/scriptedStore';
import { budgetedRun, rows } from './budgetedRun';

/** A `total` of batches is not always the number of those that are listed. */
describe('a run over its budget', () => {
	useFastClock();
	const service = useScriptedService();

	beforeEach(() => {
		for (let n = 0; n < 7; n++) service.addBatch();
	});

	const { run, newest, atPoll } = budgetedRun(service);

	/** Lists the batches, newest first, at most `cap` a page, with another total. */
	const count = (total: (listed: number) => number, cap = Infinity) => {
		atPoll(1, { status: 2, rows, lineCount: 3 });
		service.script(
			({ endpoint }) => endpoint === 'batches' || endpoint === 'batchesBefore',
			({ query }) => {
				const list = service.batches.map(onTheWire).reverse();
				const size = Math.min(Number(query.size), cap);
				const end = Number(query.page) * size;
				return page(list.slice(end - size, end), { total: total(list.length) });
			},
		);
	};

	test.each<[string, (listed: number) => number]>([
		['counts what it has deleted', (listed) => listed + 20],
		['always counts 10,000', () => 10_000],
		['counts none', () => 0],
		['counts fewer than it lists', (listed) => listed - 3],
	])('is stopped where the service %s', async (_how, total) => {
		count(total);
		const { error } = await run({ stopAtRows: 3 });
		expect(error).toBeUndefined();
		expect(newest().status).toBe(4);
	});

	test.each<[string, (listed: number) => number, number]>([
		['one more than before is counted and not listed', (n) => (n > 7 ? n + 21 : n + 20), Infinity],
		['the list before was cut', (n) => (n > 7 ? n + 1 : n), 5],
	])('is not stopped where %s', async (_when, total, cap) => {
		count(total, cap);
		const { error } = await run({ stopAtRows: 3 });
		expect(error?.description).toMatch(/It was not stopped: the service counts \d+ batches/);
		expect(service.sentTo('stop')).toEqual([]);
	});

	test('is not stopped where more is counted and the list before failed', async () => {
		service.script('batchesBefore', { status: 503 });
		count((listed) => listed + 20);
		const { error } = await run({ stopAtRows: 3 });
		expect(error?.description).toMatch(/It was not stopped: the service counts \d+ batches/);
		expect(service.sentTo('stop')).toEqual([]);
	});
});
