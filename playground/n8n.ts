import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { startProgram, waitUntilReady } from './program.ts';
import type { Program } from './program.ts';

export interface N8nOptions {
	/** n8n's own command with its flags: `start`, unless told otherwise. */
	command?: string[];
	/** The folder in which n8n is installed: this one. */
	playground: string;
	/** Where n8n keeps its database, its key and its community packages. */
	userFolder: string;
	port: number;
	/** n8n and its task runner talk over it. */
	brokerPort: number;
	logFile: string;
	/** See `ProgramOptions`. */
	ownGroup?: boolean;
	/** Settings besides those below. */
	env?: NodeJS.ProcessEnv;
}

export interface N8n {
	url: string;
	program: Program;
	stop(): Promise<void>;
}

/** Starts a real n8n that listens on loopback only, and returns once it answers. */
export async function startN8n(options: N8nOptions): Promise<N8n> {
	const { command = ['start'], playground, userFolder, port, brokerPort, logFile } = options;
	mkdirSync(userFolder, { recursive: true });
	const url = `http://127.0.0.1:${port}`;
	const program = startProgram({
		name: 'n8n',
		args: [join(playground, 'node_modules/n8n/bin/n8n'), ...command],
		cwd: userFolder,
		env: {
			...environmentWithoutN8n(),
			...quiet,
			N8N_USER_FOLDER: userFolder,
			N8N_LISTEN_ADDRESS: '127.0.0.1',
			N8N_HOST: '127.0.0.1',
			N8N_PORT: String(port),
			N8N_EDITOR_BASE_URL: `${url}/`,
			N8N_WEBHOOK_URL: `${url}/`,
			N8N_RUNNERS_BROKER_PORT: String(brokerPort),
			// Loopback has no TLS, and browsers keep secure cookies from plain HTTP.
			N8N_SECURE_COOKIE: 'false',
			N8N_UNVERIFIED_PACKAGES_ENABLED: 'true',
			N8N_GRACEFUL_SHUTDOWN_TIMEOUT: '5',
			// By itself n8n refuses all requests once its database has been silent for five seconds, as it is on a machine
			// that is busy.
			DB_PING_TIMEOUT_MS: '600000',
			GENERIC_TIMEZONE: timeZone(),
			...options.env,
		},
		logFile,
		ownGroup: options.ownGroup,
	});
	try {
		await waitUntilReady(program, 'n8n', () => answers(`${url}/healthz/readiness`));
	} catch (error) {
		await program.stop();
		throw error;
	}
	return { url, program, stop: () => program.stop() };
}

/** n8n's own switch: it loads nodes anew when a file of their package changes. */
export const reloadNodes = { N8N_DEV_RELOAD: 'true' };

/** That of this machine, so that a schedule means its hours: else n8n takes New York's. */
function timeZone(): string {
	const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
	// A machine may have none, or one that has no name.
	return timeZone && timeZone !== 'Etc/Unknown' ? timeZone : 'UTC';
}

/** Nothing is sent to or fetched from anywhere unless the user asks for it. */
const quiet = {
	N8N_DIAGNOSTICS_ENABLED: 'false',
	N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
	N8N_VERSION_NOTIFICATIONS_WHATS_NEW_ENABLED: 'false',
	N8N_TEMPLATES_ENABLED: 'false',
	N8N_DYNAMIC_BANNERS_ENABLED: 'false',
	N8N_HIRING_BANNER_ENABLED: 'false',
	N8N_PERSONALIZATION_ENABLED: 'false',
	N8N_LICENSE_AUTO_RENEW_ENABLED: 'false',
	// The list of verified packages and that of MCP servers are fetched from n8n's own site.
	N8N_VERIFIED_PACKAGES_ENABLED: 'false',
	N8N_DISABLED_MODULES: 'mcp-registry',
	N8N_PYTHON_ENABLED: 'false',
};

/** The settings of another n8n on this machine, a database of it above all, are none of ours. */
function environmentWithoutN8n(): NodeJS.ProcessEnv {
	const foreign = /^(N8N_|DB_|QUEUE_|EXECUTIONS_|NODES_|CREDENTIALS_|npm_|NODE_ENV$|JEST_)/;
	return Object.fromEntries(Object.entries(process.env).filter(([name]) => !foreign.test(name)));
}

async function answers(url: string): Promise<boolean> {
	try {
		return (await fetch(url)).ok;
	} catch {
		return false;
	}
}
