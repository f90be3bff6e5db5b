import { spawn } from 'node:child_process';

// Compilers name the cause at the end; npm names it at the start and ends with its usage.
const firstLines = 15;
const lastLines = 30;

/** A command that ended badly: what it was, both ends of its output, and what to do about it. */
export class CommandFailed extends Error {
	/**
	 * @param {string} command
	 * @param {string} ending such as "exit code 1"
	 * @param {string} output
	 * @param {string} advice
	 */
	constructor(command, ending, output, advice) {
		super(`"${command}" failed: ${ending}\n\n${bothEnds(output)}\n\nWhat to do: ${advice}`);
		this.name = 'CommandFailed';
	}
}

/**
 * Runs a command to its end, quietly, and returns what it wrote to standard output.
 * @param {string} command
 * @param {string[]} args
 * @param {{ cwd: string, env?: NodeJS.ProcessEnv, advice: string }} options
 * `advice` tells the user what to do if the command fails.
 * @returns {Promise<string>}
 * @throws {CommandFailed}
 */
export function run(command, args, { cwd, env = process.env, advice }) {
	const line = [command, ...args].join(' ');
	return new Promise((resolve, reject) => {
		const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
		const end = () => child.kill();
		// Whoever ends this process wants none of what it does.
		process.once('exit', end);
		child.once('close', () => process.off('exit', end));
		let stdout = '';
		let everything = '';
		child.stdout.on('data', (chunk) => {
			stdout += chunk;
			everything += chunk;
		});
		child.stderr.on('data', (chunk) => (everything += chunk));
		child.on('error', (error) => reject(new CommandFailed(line, error.message, '', advice)));
		child.on('close', (code, signal) => {
			if (code === 0) resolve(stdout);
			else reject(new CommandFailed(line, ending(code, signal), everything, advice));
		});
	});
}

/**
 * @param {number | null} code
 * @param {NodeJS.Signals | null} signal
 */
function ending(code, signal) {
	return signal ? `stopped by ${signal}` : `exit code ${code}`;
}

/**
 * The beginning and the end of a long output.
 * @param {string} output
 */
export function bothEnds(output) {
	const lines = output.trimEnd().split('\n');
	if (lines.length <= firstLines + lastLines) return lines.join('\n');
	return [...lines.slice(0, firstLines), '[…]', ...lines.slice(-lastLines)].join('\n');
}
