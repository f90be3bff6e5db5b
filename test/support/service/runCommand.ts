import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { spawnService } from './startService';

const main = join(__dirname, '..', '..', '..', 'service', 'src', 'main.ts');

/** Runs the service's program with these arguments, and settings on top of the environment's others. */
export function runCommand(
	args: string[],
	settings: Record<string, string> = {},
	program = [main],
) {
	const command = spawnService(settings, { program: [...program, ...args] });
	const exit = once(command, 'exit');
	const output = Promise.all([text(command.stdout), text(command.stderr), exit]);
	return {
		kill: (signal: NodeJS.Signals) => command.kill(signal),
		/** Resolves when it has ended: to its exit code and what it has said. */
		ended: output.then(([out, error]) => ({ exitCode: command.exitCode, out, error })),
	};
}
