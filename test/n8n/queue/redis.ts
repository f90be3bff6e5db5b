import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { freePort } from '../../../playground/ports.ts';
import { startProgram, waitUntilReady } from '../../../playground/program.ts';
import type { Program } from '../../../playground/program.ts';

export interface Redis {
	port: number;
	program: Program;
}

/** Starts a Redis with a port of its own, which keeps nothing on disk. */
export async function startRedis(folder: string): Promise<Redis> {
	const port = await freePort();
	const program = startProgram({
		name: 'Redis',
		command: 'redis-server',
		args: ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', folder],
		cwd: folder,
		env: process.env,
		logFile: join(folder, 'redis.log'),
	});
	await waitUntilReady(program, 'Redis', () => Promise.resolve(answers(port)));
	return { port, program };
}

function answers(port: number): boolean {
	try {
		const ping = ['-h', '127.0.0.1', '-p', String(port), 'ping'];
		return execFileSync('redis-cli', ping, { encoding: 'utf8', stdio: 'pipe' }).trim() === 'PONG';
	} catch {
		return false;
	}
}
