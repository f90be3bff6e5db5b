import type { INodeParameters } from 'n8n-workflow';

import { runOn } from '../../support/engine/runNode';
import { useScriptedService } from '../../support/engine/useScriptedService';
import { refusal } from '../../support/scriptedService/scriptedAnswers';
import { settings } from './agentTool';

describe('a start that the service refuses', () => {
	const service = useScriptedService();

	/** Two entries; that of the other group is sent first. */
	const fields: INodeParameters = {
		actionParams: {
			textList: [{ id: 'step-2', texts: 'a\nb' }],
			navigate: [{ id: 'step-1', url: 'https://shop.example/' }],
		},
	};
	const json: INodeParameters = {
		specifyActionParams: 'json',
		actionParamsJson: '[{"id":"step-1","value":"x"},{"id":"step-2","value":"y"}]',
	};

	const startRefused = async (code: number, msg: string, parameters: INodeParameters) => {
		service.script('start', refusal(code, msg));
		const { error } = await runOn(service, { operation: 'start', ...parameters });
		return error;
	};

	test.each<[string, number, string, INodeParameters, string, string]>([
		['its place', 9000001, 'actionParams[1]: must be a string', fields, 'Loop: Text List 1', '2'],
		['a path to it', 9000000, 'body/actionParams/0/value: no', fields, 'Navigate: URL 1', '1'],
		['its step ID', 9000004, 'Step "STEP-2" does not exist', fields, 'Loop: Text List 1', '2'],
		['its place in JSON', 9000004, 'actionParams[1]: no such step', json, 'Step value 2', '2'],
	])(
		'because of a step value names it by %s',
		async (_kind, code, msg, parameters, entry, number) => {
			const error = await startRefused(code, msg, parameters);
			expect(error?.message).toBe(`${entry}: the service refused this step value`);
			expect(error?.context.code).toBe(code);
			expect(error?.description).toContain(`The service says: ${msg}`);
			expect(error?.description).toContain(
				`The step ID entered is "step-${number}". Check it on the task's page in the service's web console`,
			);
			expect(error?.description).not.toContain('task ID');
		},
	);

	test.each([
		[9000004, 'not found', 'Task or batch not found', 'Check the task ID'],
		[9000001, 'step-22 is too large', 'A parameter is out of range', 'nodeCount'],
		[
			9000000,
			'actionParams[7] is odd',
			'The service could not read a parameter',
			'("Step Values").',
		],
	])(
		'with code %i and "%s" may be meant for the task or a step value',
		async (code, msg, message, advice) => {
			const error = await startRefused(code, msg, fields);
			expect(error?.message).toBe(message);
			expect(error?.description).toContain(advice);
			expect(error?.description).toContain(
				'The service may also mean a step value: Navigate: URL 1 (step ID "step-1"), Loop: Text List 1 (step ID "step-2"). Check the step IDs on the task\'s page in the service\'s web console.',
			);
		},
	);

	test('says nothing of step values where the service names the task', async () => {
		const error = await startRefused(9000004, `There is no task ${service.taskID}.`, fields);
		expect(error?.description).toContain('Check the task ID');
		expect(error?.description).not.toContain('step');
	});

	test('names five of many step values', async () => {
		const inputText = Array.from({ length: 12 }, (_entry, n) => ({ id: `text-${n}`, text: 'x' }));
		const error = await startRefused(9000004, '', { actionParams: { inputText } });
		expect(error?.description).toContain('Input: Text 5 (step ID "text-4") and 7 more.');
	});

	test('says which parameters were sent, the step values among them', async () => {
		const error = await startRefused(9000000, 'no', fields);
		expect(error?.description).toContain(
			'Parameters sent: taskID ("Task ID"), nodeCount ("Max Concurrent Agents"), jobCount ("Jobs"), actionParams ("Step Values"). Correct their values in this node.',
		);
	});

	test('says nothing of step values where none were sent', async () => {
		const error = await startRefused(9000004, 'actionParams[0]: no', {});
		expect(error?.message).toBe('Task or batch not found');
		expect(error?.description).not.toContain('step');
	});

	test('says nothing of step values where it is the key', async () => {
		const error = await startRefused(9000003, 'step-1', fields);
		expect(error?.message).toBe('API key rejected');
		expect(error?.description).not.toContain('step value');
	});

	test('with a code that nobody knows may have been carried out, as before', async () => {
		const error = await startRefused(7654321, 'actionParams[0]: odd', fields);
		expect(error?.message).toBe('The service answered with error 7654321');
		expect(error?.description).toContain('The task may have been started anyway.');
		expect(error?.description).toContain('The step ID entered is "step-1"');
	});

	test('says all of it to an agent in the message', async () => {
		service.script('start', refusal(9000004, 'actionParams[0]: no such step'));
		const { error } = await runOn(service, { operation: 'start', ...fields }, { settings });
		expect(error?.message).toContain('Navigate: URL 1: the service refused this step value');
		expect(error?.message).toContain('The service says: actionParams[0]: no such step');
		expect(error?.message).toContain('The step ID entered is "step-1"');
	});
});
