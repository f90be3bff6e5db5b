import { dirname, join, resolve } from 'node:path';
import { z } from 'zod';
import { regions } from '../store/batch.ts';
import * as check from './checks.ts';
import { userFolder } from './userFolder.ts';

/** What people are told of a setting. */
interface About {
	/** In the environment; its flag is called after it. */
	variable: `SERVICE_${string}`;
	/** What stands for its value in --help; absent: it is switched on. */
	value?: string;
	/** What it is unless it is set, where that is no value to write. */
	unless?: string;
	words: string;
}

const about = z.registry<About>();

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

/** All settings: what each may be, what it is unless it is set, and what is said of it. */
const schema = z.object({
	port: check.integer(0, 65_535).default(8787).register(about, {
		variable: 'SERVICE_PORT',
		value: 'PORT',
		words: '0 picks a free one',
	}),
	host: z.string().default('127.0.0.1').register(about, {
		variable: 'SERVICE_HOST',
		value: 'ADDRESS',
		words: 'address to listen on; others than loopback open the service to your network',
	}),
	apiKeys: check.list.default([]).register(about, {
		variable: 'SERVICE_API_KEYS',
		value: 'KEYS',
		unless: 'one is made up at the first start',
		words: 'accepted keys, comma-separated; other programs see what is in a flag',
	}),
	allowedHosts: check.hosts.default({ names: [], origins: [] }).register(about, {
		variable: 'SERVICE_ALLOWED_HOSTS',
		value: 'NAMES',
		unless: 'none',
		words: 'names by which the service may be asked, and origins behind a proxy, comma-separated',
	}),
	address: check.origin.optional().register(about, {
		variable: 'SERVICE_ADDRESS',
		value: 'ADDRESS',
		unless: 'where it listens',
		words: 'where people and agents reach this service, such as https://scraping.example.com',
	}),
	data: check.database.optional().register(about, {
		variable: 'SERVICE_DATA',
		value: 'PATH',
		unless: userFolder(process.env),
		words: `folder for the database ${check.databaseName}, or the path of its file`,
	}),
	database: check.postgres.optional().register(about, {
		variable: 'SERVICE_DATABASE',
		value: 'ADDRESS',
		unless: 'none',
		words:
			'PostgreSQL that keeps everything, instead of that file: postgres://…; other programs see what is in a flag',
	}),
	tasks: check.folder.optional().register(about, {
		variable: 'SERVICE_TASKS',
		value: 'FOLDER',
		unless: './tasks where it is, else tasks beside the data',
		words: 'folder of the task files; with a database: of those that it gets at its first start',
	}),
	agents: check.integer(0, 1_000).default(4).register(about, {
		variable: 'SERVICE_AGENTS',
		value: 'NUMBER',
		words: 'agents of this process, over all batches; 0: it answers, and scrapes nothing',
	}),
	regions: check.regionList.default([...regions]).register(about, {
		variable: 'SERVICE_REGIONS',
		value: 'REGIONS',
		unless: 'all',
		words: 'regions whose batches the agents of this process work on, comma-separated',
	}),
	regionProxies: check.regionProxies.default({}).register(about, {
		variable: 'SERVICE_REGION_PROXIES',
		value: 'PROXIES',
		unless: 'none',
		words:
			'proxies for the batches of a region, such as jp=http://host:8080; that of a task goes first',
	}),
	browser: z.string().optional().register(about, {
		variable: 'SERVICE_BROWSER',
		value: 'FILE',
		unless: 'looked for in the usual places',
		words: 'executable of Chromium or Chrome, for tasks with a browser page',
	}),
	errorsAs200: check.onOrOff.default(false).register(about, {
		variable: 'SERVICE_ERRORS_AS_200',
		words: 'failed requests carry HTTP status 200',
	}),
	largeIds: check.onOrOff.default(false).register(about, {
		variable: 'SERVICE_LARGE_IDS',
		words: 'identifiers of new batches are larger than a number of JavaScript holds exactly',
	}),
	keepDays: check.integer(1, 36_500).optional().register(about, {
		variable: 'SERVICE_KEEP_DAYS',
		value: 'DAYS',
		unless: 'for ever',
		words: 'days after its end for which a batch is kept with its rows',
	}),
	testControl: check.onOrOff.default(false).register(about, {
		variable: 'SERVICE_TEST_CONTROL',
		words: 'tests of other programs may seed batches, forget all of them, and switch faults on',
	}),
	metrics: check.oneOf(['key', 'open']).default('key').register(about, {
		variable: 'SERVICE_METRICS',
		value: 'ACCESS',
		words: 'who may see GET /metrics: who has an API key (key), or anybody (open)',
	}),
	logLevel: check
		.oneOf(logLevels)
		.default('info')
		.register(about, {
			variable: 'SERVICE_LOG_LEVEL',
			value: 'LEVEL',
			words: new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(logLevels),
		}),
});

type Checked = z.output<typeof schema>;

const defaults: Checked = schema.parse({});

/** What a service is told by whoever starts it. */
export interface Settings extends Checked {
	/** Path of the database file. */
	data: string;
	/** Folder of the task files. */
	tasks: string;
}

export type SettingName = keyof Settings;

/** A setting as people know it. */
export interface Setting extends About {
	name: SettingName;
	/** Without its dashes. */
	flag: string;
}

/** All that is read of the environment and the command line. */
export const settings: readonly Setting[] = schema.keyof().options.map((name) => {
	const found = about.get(schema.shape[name]);
	if (!found) throw new Error(`Nothing is said about the setting ${name}.`);
	const flag = found.variable.slice('SERVICE_'.length).toLowerCase().replaceAll('_', '-');
	const usual = defaults[name];
	const isText = typeof usual === 'string' || typeof usual === 'number';
	const unless = found.unless ?? (isText ? String(usual) : undefined);
	return { ...found, name, flag, unless };
});

type Texts = Partial<Record<string, string>>;

/** Reads the settings; a flag goes before its variable. Throws an Error naming the one that is wrong. */
export function readSettings(env: Texts, flags: Texts = {}): Settings {
	return withFolders(checked(schema, env, flags), env);
}

/** What agents alone are told. */
export interface AgentSettings extends Pick<
	Checked,
	| 'agents'
	| 'regions'
	| 'regionProxies'
	| 'browser'
	| 'logLevel'
	| 'host'
	| 'allowedHosts'
	| 'apiKeys'
	| 'metrics'
> {
	database: string;
	/** Where they say how they are; absent: nowhere. */
	port: number | undefined;
}

/** Reads the settings of agents alone. Throws an Error naming the one that is wrong. */
export function readAgentSettings(env: Texts, flags: Texts = {}): AgentSettings {
	const { database, port, ...rest } = checked(
		schema.pick({
			database: true,
			agents: true,
			regions: true,
			regionProxies: true,
			browser: true,
			logLevel: true,
			port: true,
			host: true,
			allowedHosts: true,
			apiKeys: true,
			metrics: true,
		}),
		env,
		flags,
	);
	const isWatched = Boolean(flags.port ?? env.SERVICE_PORT);
	if (database !== undefined) return { ...rest, database, port: isWatched ? port : undefined };
	throw new Error(
		'SERVICE_DATABASE is not set: agents join a service by its PostgreSQL. Set it to the address that the service has.',
	);
}

/** Reads the folder of the task files alone. */
export function readTaskFolder(env: Texts, flags: Texts = {}): string {
	return withFolders(checked(schema.pick({ data: true, tasks: true }), env, flags), env).tasks;
}

/** Reads the address of the database alone. Throws an Error where there is none. */
export function readDatabase(env: Texts, flags: Texts = {}): string {
	const { database } = checked(schema.pick({ database: true }), env, flags);
	if (database !== undefined) return database;
	throw new Error(
		'This needs the address of a PostgreSQL: set SERVICE_DATABASE or --database to it. Without one, the tasks of a service are the files of its folder.',
	);
}

/** Reads the path of the browser's executable alone; undefined: look in the usual places. */
export function readBrowser(env: Texts, flags: Texts = {}): string | undefined {
	return checked(schema.pick({ browser: true }), env, flags).browser;
}

function checked<Shape extends z.core.$ZodLooseShape>(
	wanted: z.ZodObject<Shape>,
	env: Texts,
	flags: Texts,
): z.output<z.ZodObject<Shape>> {
	// What is empty is not set.
	const given = settings.map(({ name, flag, variable }) => [
		name,
		(flags[flag] ?? env[variable]) || undefined,
	]);
	const result = wanted.safeParse(Object.fromEntries(given));
	if (result.success) return result.data;
	const [issue] = result.error.issues;
	const wrong = settings.find(({ name }) => name === issue?.path[0]);
	if (!issue || !wrong) throw result.error;
	const { flag, variable } = wrong;
	throw new Error(`${flags[flag] === undefined ? variable : `--${flag}`} ${issue.message}`);
}

/** Of the user, and never of the program: a newer one takes its place. */
function withFolders<Some extends Pick<Checked, 'data' | 'tasks'>>(some: Some, env: Texts) {
	const data = some.data ?? join(userFolder(env), check.databaseName);
	const here = resolve('tasks');
	const tasks = some.tasks ?? (check.isFolder(here) ? here : tasksBeside(data));
	return { ...some, data, tasks };
}

/** The folder of task files that a service makes itself. */
export function tasksBeside(data: string): string {
	return join(dirname(data), 'tasks');
}
