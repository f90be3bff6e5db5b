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
		words: 'has agents at work on the batches of a PostgreSQL that services share, without a port',
		options: optionsOf(['database', 'agents', 'regions', 'regionProxies', 'browser', 'logLevel']),
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
} satisfies Record<string, { follows: string; words: string; options: Option[] }>;

export type CommandName = keyof typeof commands;

/** A command by what people type. */
export function commandNamed(text: string): CommandName | undefined {
	return commandNames.find((name) => name === text);
}

export const commandNames: readonly CommandName[] = ['serve', 'agent', 'try', 'check'];

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
