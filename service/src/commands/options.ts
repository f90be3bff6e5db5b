import { settings, type SettingName } from '../settings/settings.ts';

/** An option of the command line: a setting, or one that a command has beside them. */
export interface Option {
	/** Without its dashes. */
	flag: string;
	/** What stands for its value; absent: it has none. */
	value?: string;
	words: string;
	/** What else --help says of it. */
	note?: string;
}

/** What can be asked for, each with what follows its name and the options that it takes. */
export const commands = {
	serve: {
		follows: '',
		words: 'starts the service; so does no command at all',
		options: optionsOf(settings.map(({ name }) => name)),
	},
	agent: {
		follows: '',
		words: 'has agents at work on the batches of a PostgreSQL that services share',
		options: [
			...optionsOf(['database', 'agents', 'regions', 'regionProxies', 'browser', 'logLevel']),
			{
				flag: 'port',
				value: 'PORT',
				words: 'where GET /readyz and GET /metrics are answered, and nothing else',
				note: 'SERVICE_PORT; unless set: nowhere',
			},
			...optionsOf(['host', 'allowedHosts', 'apiKeys', 'metrics']),
		],
	},
	try: {
		follows: 'FILE',
		words: 'runs a task file and prints its first rows, without storing anything',
		options: [
			{ flag: 'rows', value: 'N', words: 'so many rows at most', note: 'unless set: 20' },
			{ flag: 'json', words: 'rows as JSON, a line each and whole, instead of a table' },
			...optionsOf(['browser']),
		],
	},
	check: {
		follows: '',
		words: 'says of each task file what is in it, or what is wrong',
		options: optionsOf(['data', 'tasks']),
	},
	'tasks import': {
		follows: 'FOLDER',
		words: 'puts the task files of a folder into the database: all, or none if one is bad',
		options: optionsOf(['database']),
	},
	'tasks export': {
		follows: 'FOLDER',
		words: 'writes the tasks of the database into a folder, a file each',
		options: [
			{
				flag: 'overwrite',
				words: 'files that hold another text of the same task are replaced',
				note: 'unless set: nothing is written where there is one',
			},
			...optionsOf(['database']),
		],
	},
	copy: {
		follows: '--from FILE',
		words:
			'copies all that a file of SERVICE_DATA and the folder of tasks hold into an empty database',
		options: [
			{
				flag: 'from',
				value: 'FILE',
				words:
					'the file, or its folder; batches that have not ended go on in the copy, and are stopped in it',
			},
			{
				flag: 'forget',
				words:
					'copies nothing: services start again on a file whose copy was broken off, and is lost',
			},
			...optionsOf(['database', 'tasks']),
		],
	},
} satisfies Record<string, { follows: string; words: string; options: Option[] }>;

export type CommandName = keyof typeof commands;

export const commandNames: readonly CommandName[] = [
	'serve',
	'agent',
	'try',
	'check',
	'tasks import',
	'tasks export',
	'copy',
];

/** A command by the words that people type, and what follows it; undefined: there is none. */
export function commandIn(words: string[]): { name: CommandName; rest: string[] } | undefined {
	for (const length of [2, 1]) {
		const typed = words.slice(0, length).join(' ');
		const name = commandNames.find((each) => each === typed);
		if (name !== undefined) return { name, rest: words.slice(length) };
	}
	return undefined;
}

/** Every option, once. */
export const allOptions: readonly Option[] = [
	...new Map(
		commandNames.flatMap((name) => commands[name].options).map((one) => [one.flag, one]),
	).values(),
];

function optionsOf(names: SettingName[]): Option[] {
	return settings
		.filter(({ name }) => names.includes(name))
		.map(({ flag, value, words, variable, unless }) => ({
			flag,
			value,
			words,
			note: unless === undefined ? variable : `${variable}; unless set: ${unless}`,
		}));
}
