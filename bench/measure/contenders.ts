import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ContenderName, ReadJob } from '../contenders/contender.ts';
import { startChild } from '../ground/child.ts';
import { isMeasurement } from './measurement.ts';
import type { Measurement } from './measurement.ts';

const hook = pathToFileURL(join(import.meta.dirname, '..', 'engine', 'n8nWorkflow.ts')).href;

/** A contender in a process of its own, with an n8n folder of its own. */
export interface RunningContender {
	measure(job: ReadJob): Promise<Measurement>;
	stop(): Promise<void>;
}

export async function startContender(name: ContenderName): Promise<RunningContender> {
	const folder = mkdtempSync(join(tmpdir(), 'cloud-scraping-bench-n8n-'));
	const child = await startChild(join(import.meta.dirname, 'contenderProcess.ts'), [name], {
		env: { N8N_USER_FOLDER: folder, N8N_LOG_LEVEL: 'silent' },
		execArgv: [...process.execArgv, '--expose-gc', '--import', hook],
	});
	return {
		async measure(job) {
			const answer = await child.ask({ ...job });
			if (!isMeasurement(answer)) throw new Error(`${name}: ${String(answer)}`);
			return answer;
		},
		async stop() {
			await child.stop();
			rmSync(folder, { recursive: true, force: true });
		},
	};
}
