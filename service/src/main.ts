import { pino } from 'pino';
import { readSettings, type Settings } from './settings.ts';
import { startService } from './service.ts';

const log = pino({ base: undefined });

/** Ends a start that failed: one line for people, exit code 1. */
function giveUp(error: unknown): never {
	process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
	process.exit(1);
}

function settings(): Settings {
	try {
		return readSettings(process.env);
	} catch (error) {
		return giveUp(error);
	}
}

const configured = settings();
const service = await startService(configured, log).catch(giveUp);

if (configured.apiKeyGenerated) {
	// Not through the log, which never holds an API key.
	process.stderr.write(
		`API key of this run (SERVICE_API_KEYS is empty): ${configured.apiKeys[0]}\n`,
	);
}

let stopping = false;
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
	process.on(signal, () => {
		if (stopping) process.exit(1);
		stopping = true;
		log.info({ signal }, 'shutting down');
		service.close().then(() => process.exit(0), giveUp);
	});
}
