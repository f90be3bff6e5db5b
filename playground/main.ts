import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { duration, say, step } from '../scripts/progress.mjs';
import { setUpTheRest } from '../scripts/setup.mjs';
import { installCommunityPackage } from './communityPackage.ts';
import { demoWorkflowId, simpleDemoId } from './demoWorkflows.ts';
import { showDemoRun } from './demoRun.ts';
import { textAt } from './json.ts';
import { startLocalService } from './localService.ts';
import type { LocalService } from './localService.ts';
import { reloadNodes, startN8n } from './n8n.ts';
import { N8nApi } from './n8nApi.ts';
import { freePort, portFor } from './ports.ts';
import { provide } from './provide.ts';
import { runningPids, stopPrograms } from './program.ts';
import type { Program } from './program.ts';
import { claimFolder, noteRunning, releaseFolder } from './runningPlayground.ts';
import { readSettings, writeSettings } from './settings.ts';
import type { Settings } from './settings.ts';
import { taskFolderOf } from './taskFolder.ts';
import type { TaskFolder } from './taskFolder.ts';
import { watchSources } from './watchSources.ts';

const root = join(import.meta.dirname, '..');
const folder = process.env.PLAYGROUND_FOLDER || join(root, '.playground');
const serviceLog = join(folder, 'service.log');
const n8nLog = join(folder, 'n8n.log');
const workflows = join(import.meta.dirname, 'workflows');
const packageName = textAt(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')), 'name');
let claimed = false;
let stopping = false;

/**
 * Opens the playground: the local service at once; then, when the rest is set up, an n8n with the
 * package, the credential and the demo.
 */
async function open(isDevelopment: boolean): Promise<void> {
	const startedAt = Date.now();
	await claimFolder(folder);
	claimed = true;
	const tasks = taskFolderOf(root, folder, process.env.SERVICE_TASKS);
	const n8nPort = await portFor('n8n', 'N8N_PORT', 5678, say);

	const settings = readSettings(folder);
	writeSettings(folder, settings);
	const port = await portFor('the local service', 'SERVICE_PORT', 8787, say);
	const service = await step('Start the local Cloud Scraping service (a few seconds)', () =>
		startAndNote(n8nPort, () =>
			startLocalService({
				root,
				port,
				apiKey: settings.apiKey,
				database: join(folder, 'service.sqlite'),
				logFile: serviceLog,
				env: { SERVICE_TASKS: tasks.path },
			}),
		),
	);
	say(`
The local service is up (${duration(Date.now() - startedAt)}); n8n comes next.

  Console         ${service.consoleLink}
                  (tasks, batches, rows, keys; this link lets you in once, for ten minutes)
  Local service   ${service.url}
  API key         ${settings.apiKey}
  Tasks           ${tasks.path}
`);
	await Promise.race([
		openN8n(n8nPort, { service, settings, tasks, isDevelopment }),
		endOf(service, { name: 'The local service', other: 'n8n', log: serviceLog }),
	]);
}

/** Opens n8n beside the service; fails when it ends. */
async function openN8n(
	port: number,
	{
		service,
		settings,
		tasks,
		isDevelopment,
	}: { service: LocalService; settings: Settings; tasks: TaskFolder; isDevelopment: boolean },
): Promise<never> {
	const tarball = await setUpTheRest();
	const userFolder = join(folder, 'n8n');
	const title = 'Install the package into n8n and start n8n (about half a minute)';
	const n8n = await step(title, async () => {
		installCommunityPackage(tarball, userFolder);
		const brokerPort = await freePort();
		return await startAndNote(port, () =>
			startN8n({
				playground: import.meta.dirname,
				userFolder,
				port,
				brokerPort,
				logFile: n8nLog,
				ownGroup: true,
				env: isDevelopment ? reloadNodes : {},
			}),
		);
	});

	const api = new N8nApi(n8n.url);
	const credential = await step('Provide login, credential and demo workflows', () =>
		provide(api, { settings, userFolder, packageName, serviceUrl: service.url, workflows }),
	);
	writeSettings(folder, settings);
	if (credential === undefined) say(`\n${ownPassword}`);
	else if (credential.changedTo) say(`\n${ownAccount(credential.changedTo)}`);
	else if (tasks.isOwn) say(`\n${ownTasks}`);
	else await showDemoRun(api, demoWorkflowId, say);

	say(`
The playground is open (${duration(process.uptime() * 1000)}).

  Editor          ${n8n.url}
  Demo workflow   ${n8n.url}/workflow/${demoWorkflowId}
  In one node     ${n8n.url}/workflow/${simpleDemoId}
  Login           ${settings.login.email}
  Password        ${credential ? settings.login.password : 'the one that you have set'}
  Console         ${service.url}/console/
  API key         ${settings.apiKey}
                  (the console asks for it, where the link further up has not let you in)
  State and logs  ${folder}

Press Ctrl-C to stop n8n and the local service.
`);
	if (isDevelopment) watchSources(root, userFolder, packageName);
	return await endOf(n8n, { name: 'n8n', other: 'the local service', log: n8nLog });
}

const ownPassword =
	'You have changed the login of this n8n, so its credential and demo workflows were left as they are. To begin anew, delete the folder that stands at "State and logs".';

const ownTasks =
	'The demo workflow was not run: the folder that stands at "Tasks" takes the place of the demo tasks.';

function ownAccount(baseUrl: string): string {
	return `The demo workflow was not run: you have pointed its credential to ${baseUrl}.`;
}

/** A program's process is on record as soon as it exists, not only once it is ready. */
async function startAndNote<T>(n8nPort: number, start: () => Promise<T>): Promise<T> {
	const starting = start();
	noteRunning(folder, { pid: process.pid, editor: address(n8nPort), children: runningPids() });
	return await starting;
}

/** Neither is of use without the other: fails when a program ends, and says which one and where to look. */
async function endOf(
	{ program }: { program: Program },
	{ name, other, log }: { name: string; other: string; log: string },
): Promise<never> {
	const how = await program.ended;
	throw new Error(
		`${name} has ended (${how}), so ${other} is stopped, too: look at the end of ${log}, then start again.`,
	);
}

function address(port: number): string {
	return `http://127.0.0.1:${port}`;
}

async function close(exitCode: number): Promise<void> {
	if (stopping) return;
	stopping = true;
	await stopPrograms();
	if (claimed) releaseFolder(folder);
	process.exit(exitCode);
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
	process.on(signal, () => {
		if (!stopping) say('\nStopping n8n and the local service …');
		void close(0);
	});
}
process.on('disconnect', () => void close(1));
// A terminal that was closed takes no more output; n8n and the service have to be stopped all the same.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => void close(1));

try {
	await open(process.argv.includes('--dev'));
} catch (error) {
	if (!stopping)
		process.stderr.write(`\n${error instanceof Error ? error.message : String(error)}\n`);
	await close(1);
}
