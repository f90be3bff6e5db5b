import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installCommunityPackage } from '../../../playground/communityPackage.ts';
import { beginExecution, execute } from '../../../playground/execution.ts';
import type { Execution } from '../../../playground/execution.ts';
import { listInstalledPackage } from '../../../playground/installedPackages.ts';
import { textAt } from '../../../playground/json.ts';
import type { JsonObject } from '../../../playground/json.ts';
import { startN8n } from '../../../playground/n8n.ts';
import { N8nApi } from '../../../playground/n8nApi.ts';
import { freePort } from '../../../playground/ports.ts';
import { packedTarball } from './packedTarball';
import { manualTrigger } from './workflow';

const root = join(__dirname, '..', '..', '..');

/** The name under which n8n knows the package; its nodes are `<name>.<node>`. */
export const packageName = textAt(
	JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')),
	'name',
);

/** Who may log in to the n8n of a test. */
export const owner = { email: 'owner@test.local', password: 'Owner-of-a-test-1' };

export interface ServiceAccess {
	baseUrl: string;
	apiKey: string;
}

/** A real n8n with the packed package installed in it. */
export interface TestN8n {
	url: string;
	api: N8nApi;
	userFolder: string;
	/** Where its process puts its temporary files, and nobody else. */
	temporaryFolder: string;
	/** Stores a credential for a service and returns its id. */
	storeCredential(access: ServiceAccess): Promise<string>;
	/** Stores a workflow, starts it from its manual trigger, and returns the execution's id. */
	beginWorkflow(workflow: JsonObject): Promise<string>;
	/** Stores a workflow, runs it from its manual trigger to its end, and returns what came out. */
	runWorkflow(workflow: JsonObject): Promise<Execution>;
}

/** One that was started, and has to be stopped. */
export interface OwnN8n extends TestN8n {
	/** Ends n8n and removes its folder. */
	stop(): Promise<void>;
}

/** Starts an n8n with its own folder, ports and owner; `stop` it in `afterAll`. */
export async function startTestN8n(env?: NodeJS.ProcessEnv): Promise<OwnN8n> {
	return await startOwnN8n({ env, hasPackage: true });
}

/** The same, into which somebody has still to install the package. */
export async function startBareN8n(env?: NodeJS.ProcessEnv): Promise<OwnN8n> {
	return await startOwnN8n({ env, hasPackage: false });
}

async function startOwnN8n({
	env,
	hasPackage,
}: {
	env: NodeJS.ProcessEnv | undefined;
	hasPackage: boolean;
}): Promise<OwnN8n> {
	const folder = mkdtempSync(join(tmpdir(), 'cloud-scraping-n8n-'));
	const userFolder = join(folder, 'user');
	const temporaryFolder = join(folder, 'tmp');
	mkdirSync(temporaryFolder);
	if (hasPackage) installCommunityPackage(packedTarball(), userFolder);
	const port = await freePort();
	const n8n = await startN8n({
		playground: join(root, 'playground'),
		userFolder,
		port,
		brokerPort: await freePort(),
		logFile: join(folder, 'n8n.log'),
		// n8n asks npm for newer versions of what is installed; a test asks nobody.
		env: { npm_config_offline: 'true', TMPDIR: temporaryFolder, ...env },
	});
	const api = new N8nApi(n8n.url);
	const stop = async () => {
		await n8n.stop();
		rmSync(folder, { recursive: true, force: true });
	};
	try {
		await api.signIn(owner);
		if (hasPackage) await listInstalledPackage(api, userFolder, packageName);
	} catch (error) {
		await stop();
		throw error;
	}
	return { ...testN8n({ url: n8n.url, userFolder, temporaryFolder, api }), stop };
}

/** What a test does with an n8n that runs. */
export function testN8n(
	running: Pick<TestN8n, 'url' | 'userFolder' | 'temporaryFolder' | 'api'>,
): TestN8n {
	const { api } = running;
	return {
		...running,
		storeCredential: async ({ baseUrl, apiKey }) => {
			const stored = await api.post('/rest/credentials', {
				name: `Service at ${baseUrl}`,
				type: 'cloudScrapingApi',
				data: { baseUrl, apiKey },
			});
			return textAt(stored, 'id');
		},
		beginWorkflow: async (workflow) => {
			const stored = await api.post('/rest/workflows', workflow);
			return await beginExecution(api, textAt(stored, 'id'), manualTrigger.name);
		},
		runWorkflow: async (workflow) => {
			const stored = await api.post('/rest/workflows', workflow);
			return await execute(api, textAt(stored, 'id'), manualTrigger.name);
		},
	};
}
