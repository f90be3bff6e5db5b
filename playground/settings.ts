import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isObject, objectAt, textAt } from './json.ts';
import type { Login } from './n8nApi.ts';

/** What stays the same from one start to the next, kept in the playground's state folder. */
export interface Settings {
	login: Login;
	/** The local service takes it, the demo credential sends it. */
	apiKey: string;
	/** The demo credential, as the last start wrote it. */
	credential?: { id: string; baseUrl: string };
	/** By workflow: the file it was made from, and the version n8n gave it. */
	workflows: Record<string, { file: string; version: string }>;
}

/** The settings of a state folder; new ones, with new secrets, for a new folder. */
export function readSettings(folder: string): Settings {
	const file = settingsFile(folder);
	if (!existsSync(file)) return newSettings();
	const stored = objectAt(JSON.parse(readFileSync(file, 'utf8')));
	const login = objectAt(stored, 'login');
	const { credential } = stored;
	const workflows = Object.entries(objectAt(stored, 'workflows')).map(
		([id, entry]): [string, Settings['workflows'][string]] => [
			id,
			{ file: textAt(entry, 'file'), version: textAt(entry, 'version') },
		],
	);
	return {
		login: { email: textAt(login, 'email'), password: textAt(login, 'password') },
		apiKey: textAt(stored, 'apiKey'),
		credential: isObject(credential)
			? { id: textAt(credential, 'id'), baseUrl: textAt(credential, 'baseUrl') }
			: undefined,
		workflows: Object.fromEntries(workflows),
	};
}

/** Writes the settings so that only this user can read them. */
export function writeSettings(folder: string, settings: Settings): void {
	mkdirSync(folder, { recursive: true });
	writeFileSync(settingsFile(folder), JSON.stringify(settings, null, '\t'), { mode: 0o600 });
}

function settingsFile(folder: string): string {
	return join(folder, 'settings.json');
}

function newSettings(): Settings {
	return {
		// n8n asks for a digit and a capital letter.
		login: { email: 'owner@playground.local', password: `Demo-1${randomBytes(5).toString('hex')}` },
		apiKey: randomBytes(24).toString('hex'),
		workflows: {},
	};
}
