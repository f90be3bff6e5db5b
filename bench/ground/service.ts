import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startLocalService } from '../../playground/localService.ts';
import { freePort } from '../../playground/ports.ts';
import { stopPrograms } from '../../playground/program.ts';
import { fillStore } from './batches.ts';
import type { FilledBatch } from './batches.ts';
import { root } from './folders.ts';

export interface RunningService {
	baseUrl: string;
	apiKey: string;
	pid: number;
	/** One for each number of rows that was asked for. */
	batches: FilledBatch[];
	stop(): Promise<void>;
}

// The service leads a process group of its own, so that neither Ctrl-C nor an error here ends it.
process.once('exit', () => void stopPrograms());
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

export interface ServiceOptions {
	/** It has finished batches of so many rows. */
	rowCounts?: number[];
	/** Settings besides. */
	env?: NodeJS.ProcessEnv;
	/** Where its sources are: another checkout than this one. */
	checkout?: string;
}

/** Starts the local service in a new folder, as a process of its own. */
export async function startService({
	rowCounts = [],
	env,
	checkout = root,
}: ServiceOptions = {}): Promise<RunningService> {
	const folder = mkdtempSync(join(tmpdir(), 'cloud-scraping-bench-'));
	const database = join(folder, 'service.db');
	const batches = rowCounts.length > 0 ? await fillStore({ data: database }, rowCounts) : [];
	const apiKey = 'bench-key-5d2e';
	const { url, program } = await startLocalService({
		root: checkout,
		port: await freePort(),
		apiKey,
		database,
		logFile: join(folder, 'service.log'),
		env,
	});
	return {
		baseUrl: url,
		apiKey,
		pid: program.pid,
		batches,
		async stop() {
			await program.stop();
			rmSync(folder, { recursive: true, force: true });
		},
	};
}
