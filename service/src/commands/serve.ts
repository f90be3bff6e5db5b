import { dirname, resolve } from 'node:path';
import type { KeptKey } from '../store/apiKeyStore.ts';
import { browserMissing } from '../pages/browser/findBrowser.ts';
import { startService, type Service } from '../service.ts';
import { readSettings, tasksBeside, type Settings } from '../settings/settings.ts';
import { unknownSettings } from '../settings/unknownSettings.ts';
import { provideTasks } from '../tasks/demoTasks.ts';
import type { Flags } from './commandLine.ts';
import { asTyped } from './reasonFor.ts';
import { say, untilEnded } from './untilEnded.ts';

/** Starts the service, until SIGINT or SIGTERM ends it. */
export function serve(env: NodeJS.ProcessEnv, flags: Flags): void {
	untilEnded(flags, async (log, output) => {
		const settings = readSettings(env, flags);
		log.level = settings.logLevel;
		const unknown = unknownSettings(env);
		if (unknown !== undefined) log.warn(unknown);
		if (settings.database === undefined && settings.tasks === tasksBeside(settings.data)) {
			await provideTasks(settings.tasks);
		}
		const service = await startService(settings, log, output);
		// Not through the log, which never holds an API key, nor what lets somebody into the console.
		say(aboutStart(service, settings, flags).join('\n'));
		return service;
	});
}

/** What people have to know, a line each. */
function aboutStart(
	{ address, listensOn, keptKey, consoleLink, database, tasks, browser }: Service,
	at: Settings,
	flags: Flags,
) {
	const tasksOf = tasks === 1 ? '1 task' : `${tasks} tasks`;
	const isFile = at.database === undefined;
	const data = isFile ? dirname(resolve(at.data)) : database;
	return [
		`Address: ${address}${address === listensOn ? '' : ` (listens on ${listensOn})`}`,
		`API key: ${asTyped(aboutKey(keptKey), flags)}`,
		`Console: ${consoleLink} (this link lets you in once, for ten minutes)`,
		`Data:    ${data}`,
		`Tasks:   ${isFile ? resolve(at.tasks) : 'in the database'} (${tasksOf})`,
		`Browser: ${browser ?? `none, so tasks with "page": "browser" are refused. ${browserMissing}`}`,
	];
}

function aboutKey(kept: KeptKey | undefined): string {
	if (!kept) return 'as SERVICE_API_KEYS says';
	return kept.key === undefined
		? 'the one that was shown at the first start. Where it is lost, make another one on the Keys page of the console.'
		: `${kept.key} (made up, and shown this once: ${kept.place} recognises it)`;
}
