import { enableCompileCache } from 'node:module';

// Before anything big is loaded: starting takes half the time from the second time on.
enableCompileCache();
const { pino } = await import('pino');
const { startService } = await import('./service.ts');
const { readSettings } = await import('./settings.ts');

const log = pino({ base: undefined });
const starting = start();

async function start() {
	try {
		const settings = readSettings(process.env);
		const service = await startService(settings, log);
		if (settings.apiKeyGenerated) {
			// Not through the log, which never holds an API key.
			say(`API key of this run (SERVICE_API_KEYS is empty): ${settings.apiKeys[0]}`);
		}
		return service;
	} catch (error) {
		say(error instanceof Error ? error.message : String(error));
		process.exit(1);
	}
}

function say(text: string): void {
	process.stderr.write(`${text}\n`);
}

let stopping = false;
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
	process.on(signal, () => void stop(signal));
}

/** A second signal does not wait for what the first one waits for. */
async function stop(signal: string): Promise<void> {
	if (stopping) process.exit(1);
	stopping = true;
	log.info({ signal }, 'shutting down');
	const service = await starting;
	await service.close();
	process.exit(0);
}
