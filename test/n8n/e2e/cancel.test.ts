import { existsSync, readdirSync } from 'node:fs';
import { join, sep } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { executionEnded } from '../../../playground/execution.ts';
import type { JsonObject } from '../../../playground/json.ts';
import { sharedN8n } from '../../support/n8n/sharedN8n';
import { chain, cloudScraping } from '../../support/n8n/workflow';
import { startScriptedService } from '../../support/scriptedService/scriptedService';
import type { Endpoint, ScriptedService } from '../../support/scriptedService/scriptedService';

/** Under these names n8n's binary store has a file, and what it knows of it. */
const wholeFile = /\/[0-9a-f-]{36}(\.metadata)?$/;

describe('a cancelled execution in a real n8n', () => {
	const n8n = sharedN8n();
	const { temporaryFolder } = n8n;
	let service: ScriptedService;
	let temporaryBefore: string[];

	beforeEach(async () => {
		service = await startScriptedService();
		service.addBatch({ rows: Array.from({ length: 20_000 }, (_row, n) => `{"n":${n}}`) });
		temporaryBefore = filesBelow(temporaryFolder);
	});

	afterEach(async () => {
		await service.stop();
	});

	it('ends while it waits for the run, and stops the task', async () => {
		const id = await begin({ operation: 'runAndGetData', options: { pollInterval: 30 } });
		await until(() => service.sentTo('start').length === 1);
		const before = service.requests.length;
		expect((await afterCancel(id)).files).toEqual([]);
		const asked = () => service.requests.slice(before).map(({ endpoint }) => endpoint);
		// The list, and not the answer of the stop, says that the run has ended.
		await until(() => asked().at(-1) === 'batches' && asked().includes('stop'));
		// On a busy machine the wait has asked for the list before the cancel comes.
		expect(asked().join(' ')).toMatch(/^(batches )+stop batches$/);
		expect(service.batches.at(-1)).toMatchObject({ batchID: 1002, status: 4 });
	});

	it.each([
		['items', {}],
		['a file', { output: 'file' }],
	])('ends while it reads pages into %s: no further request, no file', async (_kind, output) => {
		const { release } = holdPages();
		const options = { pageSize: 10, concurrency: 3 };
		const id = await begin({ operation: 'getData', returnAll: true, ...output, options });
		await until(() => service.sentTo('data').length === 4);
		expect(await afterCancel(id, release)).toEqual({ requests: [], files: [] });
	});

	it('ends while it reads the pages of a run that it has waited for', async () => {
		service.script('batches', () => {
			Object.assign(service.batches[1], { ...service.batches[0], batchID: 1002 });
			return undefined;
		});
		const { release } = holdPages();
		const options = { pageSize: 10, concurrency: 3, pollInterval: 1 };
		const id = await begin({ operation: 'runAndGetData', returnAll: true, options });
		await until(() => service.sentTo('data').length === 4);
		expect(await afterCancel(id, release)).toEqual({ requests: [], files: [] });
	});

	it('ends while it writes files: no further file, and none that is not whole', async () => {
		const options = { pageSize: 20_000, rowsPerFile: 1 };
		const id = await begin({ operation: 'getData', returnAll: true, output: 'file', options });
		await until(() => filesOf(id).length > 0);
		const { requests, files } = await afterCancel(id);
		expect(requests).toEqual([]);
		// Those before the cancel are the execution's: n8n removes them together with it.
		expect(files.filter((name) => !wholeFile.test(name))).toEqual([]);
	});

	async function begin(parameters: JsonObject): Promise<string> {
		return await n8n.beginWorkflow(await workflow(service, parameters));
	}

	async function workflow(
		{ credential, taskID }: ScriptedService,
		parameters: JsonObject,
	): Promise<JsonObject> {
		const stored = await n8n.storeCredential(credential);
		return chain(cloudScraping('Node', stored, { taskId: taskID, ...parameters }));
	}

	/** Leaves all pages but the first unanswered until they are released. */
	function holdPages(): { release: () => void } {
		let release = () => {};
		const released = new Promise<void>((resolve) => (release = resolve));
		const answer = async () => {
			await released;
			return undefined;
		};
		service.script('data', answer, { skip: 1 });
		return { release };
	}

	/** Cancels an execution, and returns what it asks for afterwards and which files there are of it. */
	async function afterCancel(
		id: string,
		release = () => {},
	): Promise<{ requests: Array<Endpoint | undefined>; files: string[] }> {
		const before = service.requests.length;
		await n8n.api.post(`/rest/executions/${id}/stop`, {});
		const { status } = await executionEnded(n8n.api, id);
		expect(status).toBe('canceled');
		const filesThen = filesOf(id).length;
		release();
		await runAnother();
		const files = filesOf(id);
		// The one that was being written then, and what n8n writes beside it.
		expect(files.length - filesThen).toBeLessThanOrEqual(2);
		expect(filesBelow(temporaryFolder)).toEqual(temporaryBefore);
		return { requests: service.requests.slice(before).map(({ endpoint }) => endpoint), files };
	}

	/** Gives whatever goes on after a cancel the time to show: n8n runs another workflow to its end. */
	async function runAnother(): Promise<void> {
		const other = await startScriptedService();
		other.addBatch();
		const { status } = await n8n.runWorkflow(await workflow(other, { operation: 'listBatches' }));
		await other.stop();
		expect(status).toBe('success');
	}

	/** What n8n's binary store has of an execution. */
	function filesOf(id: string): string[] {
		const below = join('executions', id, 'binary_data', sep);
		return filesBelow(n8n.userFolder).filter((name) => name.includes(below));
	}
});

/** Without what Node.js keeps for its next start, whenever it comes to that. */
function filesBelow(folder: string): string[] {
	if (!existsSync(folder)) return [];
	const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
	return names.filter((name) => !name.startsWith('node-compile-cache')).sort();
}

async function until(isSo: () => boolean): Promise<void> {
	while (!isSo()) await wait(20);
}
