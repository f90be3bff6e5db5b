import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { projectNode } from './startService';

const main = join(__dirname, '..', '..', '..', 'service', 'src', 'main.ts');

/** Runs the service's program with these arguments, and settings on top of the environment's others. */
export function runCommand(args: string[], settings: Record<string, string> = {}) {
	const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('SERVICE_'));
	const command = spawn(projectNode, [main, ...args], {
		env: { ...Object.fromEntries(inherited), ...settings },
		stdio: ['ignore', 'pipe', 'pipe'],
	});
	const exit = once(command, 'exit');
	const output = Promise.all([text(command.stdout), text(command.stderr), exit]);
	return {
		kill: (signal: NodeJS.Signals) => command.kill(signal),
		/** Resolves when it has ended: to its exit code and what it has said. */
		ended: output.then(([out, error]) => ({ exitCode: command.exitCode, out, error })),
	};
}
