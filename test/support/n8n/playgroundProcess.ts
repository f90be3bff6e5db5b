import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { listAt } from '../../../playground/json.ts';

const root = join(__dirname, '..', '..', '..');
const opened = 'Press Ctrl-C';

export interface PlaygroundOptions {
	/** Its state folder. */
	folder: string;
	n8nPort: number;
	servicePort: number;
	/** Of the machine, where it matters. */
	timezone?: string;
	/** `npm run dev` instead. */
	isDevelopment?: boolean;
}

/** An `npm start` or `npm run dev` that a test has begun. */
export interface PlaygroundProcess {
	/** Waits until the playground is open or has given up, and returns all it has said so far. */
	opened(): Promise<string>;
	/** The processes that it says it has started. */
	children(): number[];
	/** Ctrl-C in a terminal: the signal goes to npm and to all below it at once. */
	pressCtrlC(): Promise<number | null>;
	/** The signal of a service manager: it goes to npm alone. */
	terminate(): Promise<number | null>;
	ended: Promise<number | null>;
}

/** Runs `npm start`, or `npm run dev`, as a user does, on the machine's own Node.js, with a state folder of its own. */
export function npmStart({
	folder,
	n8nPort,
	servicePort,
	timezone,
	isDevelopment = false,
}: PlaygroundOptions): PlaygroundProcess {
	const child = spawn('npm', ['run', isDevelopment ? 'dev' : 'start'], {
		cwd: root,
		env: {
			...process.env,
			PATH: pathWithoutNodeModules(),
			PLAYGROUND_FOLDER: folder,
			N8N_PORT: String(n8nPort),
			SERVICE_PORT: String(servicePort),
			...(timezone && { TZ: timezone }),
		},
		// A process group of its own, as a terminal gives to each command.
		detached: true,
		stdio: ['ignore', 'pipe', 'pipe'],
	});
	let output = '';
	child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
	child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
	let over = false;
	const ended = new Promise<number | null>((resolve) => {
		child.once('close', (code) => {
			over = true;
			resolve(code);
		});
	});
	return {
		opened: async () => {
			const open = new Promise<void>((resolve) => {
				const look = () => output.includes(opened) && resolve();
				child.stdout.on('data', look);
				look();
			});
			await Promise.race([open, ended]);
			return output;
		},
		children: () => {
			const running: unknown = JSON.parse(readFileSync(join(folder, 'running.json'), 'utf8'));
			return listAt(running, 'children').map(Number);
		},
		pressCtrlC: () => {
			if (child.pid !== undefined && !over) process.kill(-child.pid, 'SIGINT');
			return ended;
		},
		terminate: () => {
			child.kill('SIGTERM');
			return ended;
		},
		ended,
	};
}

/** Whether a process with this number exists. */
export function isRunning(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return true;
	} catch {
		return false;
	}
}

function pathWithoutNodeModules(): string {
	const folders = (process.env.PATH ?? '').split(delimiter);
	return folders.filter((folder) => !folder.endsWith(join('node_modules', '.bin'))).join(delimiter);
}
