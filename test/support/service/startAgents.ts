import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { loggedLine, type LogLine } from './logLines';
import { sources, spawnService } from './startService';

/** Agents without a service, as a process of their own. */
export interface RunningAgents {
	/** What they have logged so far. */
	log: LogLine[];
	/** Resolves once there is a line with these properties, of those that come from now on where `from` is the length of the log. */
	logged(properties: LogLine, from?: number): Promise<void>;
	/** Sends a signal. */
	kill(signal: NodeJS.Signals): void;
	/** Resolves when their process is no more. */
	ended: Promise<unknown>;
	/** Ends them, whatever they are doing, and however they are. */
	stop(): Promise<void>;
}

/** Starts agents that work on the batches of a database, and waits until they do. Rejects with their output if they end. */
export async function startAgents(env: Record<string, string>): Promise<RunningAgents> {
	const agents = spawnService(env, { program: [sources, 'agent'] });
	const ended = once(agents, 'exit');
	const lines = createInterface({ input: agents.stdout });
	const log: LogLine[] = [];
	let errors = '';
	agents.stderr.on('data', (text: Buffer) => (errors += text.toString()));
	lines.on('line', (line) => log.push(JSON.parse(line) as LogLine));
	const logged = (properties: LogLine, from = 0) =>
		loggedLine(log, () => once(lines, 'line'), properties, from);
	await Promise.race([
		logged({ msg: 'agents at work' }),
		ended.then(() => Promise.reject(new Error(`The agents ended: ${errors}`))),
	]);
	return {
		log,
		logged,
		kill: (signal) => void agents.kill(signal),
		ended,
		async stop() {
			if (agents.exitCode === null && agents.signalCode === null) agents.kill('SIGKILL');
			await ended;
		},
	};
}
