import { batchIn, useAgent } from '../../support/n8n/agent';

describe('an agent that starts a run, asks for its status and reads its rows, in a real n8n', () => {
	const { converse } = useAgent();

	it('three calls: start, status, rows when they are all there', async () => {
		const {
			model: asked,
			batches,
			said,
		} = await converse('short', [
			{ tool: 'Start', input: {} },
			{ tool: 'Runs', input: {} },
			(answers) => ({ tool: 'Rows_when_done', input: { batch: batchIn(answers) } }),
			{ answer: 'one and two' },
		]);
		expect(said).toBe('one and two');
		const [started, listed, rows] = asked.toolAnswers();
		expect(batches).toHaveLength(1);
		expect(started).toContain(`"batchID":${batches[0].batchID}`);
		expect(started).toContain('"statusName":"waiting"');
		expect(listed).toMatch(/"statusName":"(waiting|running)"/);
		expect(JSON.parse(rows)).toEqual([{ Name: 'one' }, { Name: 'two' }]);
		expect(asked.descriptions()).toEqual({
			Start: 'Start task in Cloud Scraping',
			Runs: 'List batches of task in Cloud Scraping',
			Run_and_wait: 'Run task and get data in Cloud Scraping',
			Rows_when_done: 'Get data of batch in Cloud Scraping',
			Rows_so_far: 'Get data of batch in Cloud Scraping',
			Stop: 'Stop task in Cloud Scraping',
		});
	});

	it('reads the rows so far of a run that goes on, and stops it', async () => {
		const { model: asked, batches } = await converse('long', [
			{ tool: 'Start', input: {} },
			(answers) => ({ tool: 'Rows_so_far', input: { batch: batchIn(answers) } }),
			{ tool: 'Stop', input: {} },
			{ answer: 'so far' },
		]);
		const [, rows, stopped] = asked.toolAnswers();
		expect(batches).toHaveLength(1);
		expect(rows).toContain('is still running: these are its rows so far.');
		expect(stopped).toContain('"statusName":"stopped"');
	});
});
