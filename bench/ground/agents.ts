import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startProgram, waitUntilReady } from '../../playground/program.ts';
import { root } from './folders.ts';

export interface RunningAgents {
	pid: number;
	stop(): Promise<void>;
}

/** Starts so many agents, as a process of their own that joins by a database. */
export async function startAgents(database: string, agents: number): Promise<RunningAgents> {
	const folder = mkdtempSync(join(tmpdir(), 'cloud-scraping-bench-'));
	let isReady = false;
	const program = startProgram({
		name: 'the agents',
		args: [join(root, 'service/src/main.ts'), 'agent'],
		cwd: root,
		env: { ...process.env, SERVICE_DATABASE: database, SERVICE_AGENTS: String(agents) },
		logFile: join(folder, 'agents.log'),
		ownGroup: true,
		onLine: (line) => (isReady ||= line.includes('"agents at work"')),
	});
	await waitUntilReady(program, 'The agents', () => Promise.resolve(isReady));
	return {
		pid: program.pid,
		async stop() {
			await program.stop();
			rmSync(folder, { recursive: true, force: true });
		},
	};
}
