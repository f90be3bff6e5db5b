import { pino } from 'pino';
import { unknownSettings } from '../settings/unknownSettings.ts';
import { openStore } from '../store/openStore.ts';
import type { TaskStore } from '../store/taskStore.ts';
import type { Flags } from './commandLine.ts';
import { reasonFor } from './reasonFor.ts';

/** Does something in a database that services may use meanwhile. Throws an Error for people. */
export async function inDatabase(
	database: string,
	work: (opened: { tasks: TaskStore; location: string }) => Promise<void>,
): Promise<void> {
	const log = pino({ level: 'silent' });
	const store = await openStore({ data: '', database }, { log });
	try {
		if (!store.tasks) throw new Error('This database keeps no tasks.');
		await work({ tasks: store.tasks, location: store.database.location });
	} finally {
		await store.close();
	}
}

/** Does what a command is for; whatever fails is told to people. Resolves to the exit code. */
export async function told(
	env: NodeJS.ProcessEnv,
	flags: Flags,
	work: () => Promise<void>,
): Promise<number> {
	try {
		const unknown = unknownSettings(env);
		if (unknown !== undefined) process.stderr.write(`${unknown}\n`);
		await work();
		return 0;
	} catch (error) {
		process.stderr.write(`${reasonFor(error, flags)}\n`);
		return 1;
	}
}
