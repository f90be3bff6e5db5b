import { batchIn, useAgent } from '../../support/n8n/agent';

describe('an agent that waits for a run as long as an agent should, in a real n8n', () => {
	const { converse } = useAgent();

	it('a run that takes longer than an agent should wait is asked for again, and started once', async () => {
		const { model: asked, batches } = await converse('long', [
			{ tool: 'Run_and_wait', input: {} },
			{ tool: 'Runs', input: {} },
			(answers) => ({ tool: 'Rows_so_far', input: { batch: batchIn(answers) } }),
			{ tool: 'Stop', input: {} },
			{ answer: 'one and two so far' },
		]);
		const [told, listed, rows, stopped] = asked.toolAnswers();
		expect(batches).toHaveLength(1);
		const [{ batchID }] = batches;
		expect(told).toContain(
			`Batch ${batchID} is still running after 1 minute. Do not start the task again.`,
		);
		expect(listed).toContain('"statusName":"running"');
		expect(listed).toContain('"lineCount":2');
		expect(JSON.parse(rows)).toEqual([
			{ Name: 'one' },
			{ Name: 'two' },
			{ note: expect.stringContaining('is still running: these are its rows so far.') as string },
		]);
		expect(stopped).toContain('"statusName":"stopped"');
	});
});
