import { existsSync, statSync } from 'node:fs';
import { isIP } from 'node:net';
import { join } from 'node:path';

/** What the environment decides about a service. */
export interface Settings {
	port: number;
	host: string;
	/** Accepted keys; none: the one that is kept beside the database. */
	apiKeys: string[];
	/** Host names by which the service may be asked, besides its own and `localhost`; in lower case. */
	allowedHosts: string[];
	/** Origins that are the service's own for browsers, besides that of the host that is asked. */
	allowedOrigins: string[];
	/** Path of the database file. */
	data: string;
	/** Address of a database of PostgreSQL, which takes its place; absent: none does. */
	database?: string;
	/** Folder of the task files. */
	tasks: string;
	/** Agents at once over all batches. */
	agents: number;
	errorsAs200: boolean;
	/** Whether batch identifiers are larger than a number of JavaScript holds exactly. */
	largeIds: boolean;
	/** Days for which ended batches are kept; absent: for ever. */
	keepDays: number | undefined;
	logLevel: (typeof logLevels)[number];
	/** Path of the browser's executable; absent: look in the usual places. */
	browser?: string;
}

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

/** All that is read of the environment. */
export const settingNames = [
	'SERVICE_PORT',
	'SERVICE_HOST',
	'SERVICE_API_KEYS',
	'SERVICE_ALLOWED_HOSTS',
	'SERVICE_DATA',
	'SERVICE_DATABASE',
	'SERVICE_TASKS',
	'SERVICE_AGENTS',
	'SERVICE_BROWSER',
	'SERVICE_ERRORS_AS_200',
	'SERVICE_LARGE_IDS',
	'SERVICE_KEEP_DAYS',
	'SERVICE_LOG_LEVEL',
] as const;

type SettingName = (typeof settingNames)[number];
/** A setting that is not in the list above cannot be read. */
type Environment = Partial<Record<SettingName, string>>;

const service = join(import.meta.dirname, '..');

/** Reads the settings from environment variables; throws an Error naming the one that is wrong. */
export function readSettings(env: Environment): Settings {
	return {
		port: integer(env, 'SERVICE_PORT', 8787, { from: 0, to: 65_535 }),
		host: env.SERVICE_HOST || '127.0.0.1',
		apiKeys: list(env, 'SERVICE_API_KEYS'),
		...hosts(env),
		data: file(env, 'SERVICE_DATA', join(service, 'data', 'service.db')),
		database: database(env, 'SERVICE_DATABASE'),
		tasks: folder(env, 'SERVICE_TASKS', join(service, 'tasks')),
		agents: integer(env, 'SERVICE_AGENTS', 4, { from: 1, to: 1000 }),
		errorsAs200: flag(env, 'SERVICE_ERRORS_AS_200'),
		largeIds: flag(env, 'SERVICE_LARGE_IDS'),
		keepDays: env.SERVICE_KEEP_DAYS
			? integer(env, 'SERVICE_KEEP_DAYS', 1, { from: 1, to: 36_500 })
			: undefined,
		logLevel: logLevel(env),
		browser: env.SERVICE_BROWSER || undefined,
	};
}

function list(env: Environment, name: SettingName): string[] {
	return (env[name] ?? '')
		.split(',')
		.map((entry) => entry.trim())
		.filter((entry) => entry !== '');
}

/** What SERVICE_ALLOWED_HOSTS says: names of hosts, and origins, whose hosts are allowed as well. */
function hosts(env: Environment): Pick<Settings, 'allowedHosts' | 'allowedOrigins'> {
	const entries = list(env, 'SERVICE_ALLOWED_HOSTS');
	const names = entries.map((entry) => (isOrigin(entry) ? hostOf(entry) : entry.toLowerCase()));
	const wrong = entries.find((_entry, index) => !isHost(names[index] ?? ''));
	if (wrong !== undefined) {
		throw new Error(
			`SERVICE_ALLOWED_HOSTS has "${wrong}". Set it to names of hosts, each whole (none stands for those below it), and to origins such as https://scraper.example where browsers reach the service through a proxy, comma-separated.`,
		);
	}
	const allowedOrigins = entries.filter(isOrigin).map((entry) => new URL(entry).origin);
	return { allowedHosts: names, allowedOrigins };
}

function hostOf(origin: string): string {
	return new URL(origin).hostname.replace(/^\[|\]$/g, '');
}

/** Whether there can be a host of this name or address. */
function isHost(name: string): boolean {
	return /^[\w-]+(\.[\w-]+)*\.?$/.test(name) || isIP(name) > 0;
}

function isOrigin(text: string): boolean {
	return /^https?:\/\/[^/?#@]+$/i.test(text) && URL.canParse(text);
}

function integer(
	env: Environment,
	name: SettingName,
	fallback: number,
	range: { from: number; to: number },
): number {
	const text = env[name];
	if (text === undefined || text === '') return fallback;
	const value = /^\d+$/.test(text) ? Number(text) : NaN;
	if (!(value >= range.from && value <= range.to)) {
		throw new Error(
			`${name} is "${text}". Set it to an integer from ${range.from} to ${range.to}.`,
		);
	}
	return value;
}

function flag(env: Environment, name: SettingName): boolean {
	const text = env[name] || 'false';
	if (text !== 'true' && text !== 'false') {
		throw new Error(`${name} is "${text}". Set it to true or false.`);
	}
	return text === 'true';
}

function logLevel(env: Environment): Settings['logLevel'] {
	const text = env.SERVICE_LOG_LEVEL || 'info';
	const level = logLevels.find((name) => name === text);
	if (level) return level;
	throw new Error(`SERVICE_LOG_LEVEL is "${text}". Set it to one of ${logLevels.join(', ')}.`);
}

/** SQLite takes some names for something else: a database in memory, or an address with settings of its own. */
function file(env: Environment, name: SettingName, fallback: string): string {
	const path = env[name] || fallback;
	if (/^(:|file:|[a-z][a-z\d+.-]*:\/\/)/i.test(path)) {
		throw new Error(
			`${name} is "${path}", which is not the path of a file. Set it to one, such as ${join('data', 'service.db')}: what is stored has to be there after a restart.`,
		);
	}
	return path;
}

/** The address is in no message: it has a password. */
function database(env: Environment, name: SettingName): string | undefined {
	const address = env[name];
	if (!address) return undefined;
	if (/^postgres(ql)?:\/\/./i.test(address) && URL.canParse(address)) return address;
	throw new Error(
		`${name} is not the address of a PostgreSQL. Set it to one, such as postgres://host:5432/database with user and password before the host, or to nothing, for the file of SERVICE_DATA.`,
	);
}

function folder(env: Environment, name: SettingName, fallback: string): string {
	const path = env[name] || fallback;
	if (!existsSync(path) || !statSync(path).isDirectory()) {
		throw new Error(
			`${name} is "${path}", which is not a folder. Set it to a folder of task files.`,
		);
	}
	return path;
}
