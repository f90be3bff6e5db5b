import { spawn } from 'node:child_process';
import { createWriteStream, openSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const tailLines = 30;

/** How long a program may be silent on its way up. */
const silentMs = 180_000;
const stopWithinMs = 15_000;

export interface ProgramOptions {
	/** As the user knows it: "n8n", "the local service". */
	name: string;
	/** What is started: the Node.js that runs this, unless told otherwise. */
	command?: string;
	/** Its arguments; for Node.js a script, and what that is given. */
	args: string[];
	cwd: string;
	env: NodeJS.ProcessEnv;
	/** Gets all that the program writes. */
	logFile: string;
	/** Sees every line that the program writes. */
	onLine?: (line: string) => void;
	/**
	 * Leads a process group of its own: a Ctrl-C in the terminal reaches only the one who started it,
	 * who then stops it in good order.
	 */
	ownGroup?: boolean;
	/** Whose rights it has: those of its starter, unless told otherwise. */
	user?: { uid: number; gid: number };
	/** What asks it to end: SIGTERM, unless told otherwise. */
	stopSignal?: NodeJS.Signals;
}

export interface Program {
	pid: number;
	/** Resolves once the program has ended, whoever ended it, to how: "exit code 1", "SIGKILL". */
	ended: Promise<string>;
	hasEnded(): boolean;
	/** The last lines of its log. */
	tail(): string;
	/** Asks it to end, and makes it end together with its children if it takes too long. */
	stop(): Promise<void>;
	/** Ends it as a crash would. */
	kill(): Promise<void>;
}

/** Starts a program of its own, which writes to a log file. */
export function startProgram(options: ProgramOptions): Program {
	const { name, args, cwd, env, logFile, onLine, ownGroup = false } = options;
	const { command = process.execPath, user, stopSignal = 'SIGTERM' } = options;
	const child = spawn(command, args, {
		cwd,
		env,
		detached: ownGroup,
		stdio: ['ignore', 'pipe', 'pipe'],
		...user,
	});
	const { pid } = child;
	if (pid === undefined) throw new Error(`Could not start ${name}: it got no process`);

	const log = createWriteStream(logFile, { fd: openSync(logFile, 'w') });
	child.stdout.pipe(log, { end: false });
	child.stderr.pipe(log, { end: false });
	for (const input of [child.stdout, child.stderr]) {
		if (onLine) createInterface({ input }).on('line', onLine);
	}

	let over = false;
	const ended = new Promise<string>((resolve) => {
		child.once('close', (code, signal) => {
			over = true;
			programs.delete(program);
			log.end(() => resolve(signal ?? `exit code ${code}`));
		});
	});
	const program: Program = {
		pid,
		ended,
		hasEnded: () => over,
		tail: () => lastLines(logFile),
		stop: async () => {
			if (!over) child.kill(stopSignal);
			const timer = setTimeout(() => child.kill('SIGKILL'), stopWithinMs);
			await ended;
			clearTimeout(timer);
			if (ownGroup) killGroup(pid);
		},
		kill: async () => {
			child.kill('SIGKILL');
			await ended;
			if (ownGroup) killGroup(pid);
		},
	};
	programs.add(program);
	return program;
}

const programs = new Set<Program>();

/** The processes of all programs that have been started and not yet ended. */
export function runningPids(): number[] {
	return [...programs].map(({ pid }) => pid);
}

/** Stops all programs, also those that are still on their way up. */
export async function stopPrograms(): Promise<void> {
	await Promise.all([...programs].map((program) => program.stop()));
}

/**
 * Waits until `isReady` says so; fails with the end of the log if the program ends before, or writes
 * nothing to it for three minutes. A busy machine makes a start slow, and not silent.
 */
export async function waitUntilReady(
	program: Program,
	name: string,
	isReady: () => Promise<boolean>,
): Promise<void> {
	let heard = program.tail();
	let heardAt = Date.now();
	while (!(await isReady())) {
		const tail = program.tail();
		if (program.hasEnded()) throw new Error(`${name} ended at once. Its log:\n\n${tail}`);
		if (tail !== heard) [heard, heardAt] = [tail, Date.now()];
		if (Date.now() - heardAt > silentMs) {
			throw new Error(
				`${name} is not ready, and has been silent for ${silentMs / 1000} s. Its log:\n\n${tail}`,
			);
		}
		await new Promise((resolve) => setTimeout(resolve, 200));
	}
}

function lastLines(file: string): string {
	return readFileSync(file, 'utf8').trimEnd().split('\n').slice(-tailLines).join('\n');
}

/** Ends what the program left behind in its own process group, such as n8n's task runner. */
function killGroup(pid: number): void {
	try {
		process.kill(-pid, 'SIGKILL');
	} catch {
		// Nobody is left in the group.
	}
}
