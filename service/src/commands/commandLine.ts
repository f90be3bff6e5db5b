import { parseArgs } from 'node:util';
import { reasonOf } from '../errors/thrown.ts';
import { withoutPasswords } from '../log/withoutPasswords.ts';
import { allOptions, commandIn, commandNames, commands, type CommandName } from './options.ts';

/** Settings of the command line, by their flags. */
export type Flags = Partial<Record<string, string>>;

/** What the command line asks for. */
export type Command =
	| { name: 'serve' | 'agent' | 'check'; flags: Flags }
	| { name: 'tasks import'; folder: string; flags: Flags }
	| { name: 'tasks export'; folder: string; overwrite: boolean; flags: Flags }
	| { name: 'copy'; from: string; forget: boolean; flags: Flags }
	| { name: 'try'; file: string; rows: number; json: boolean; flags: Flags }
	| { name: 'help'; of: CommandName | undefined }
	| { name: 'version' }
	| { name: 'unknown'; reason: string };

const maxRows = 10_000;

/** Reads the arguments after the name of the program. */
export function readCommand(args: string[]): Command {
	try {
		return commandOf(args);
	} catch (error) {
		return { name: 'unknown', reason: withoutPasswords(refusal(reasonOf(error))) };
	}
}

/** What parseArgs refuses, too: its first sentence says it, the others are about programming. */
function refusal(text: string): string {
	const [, flag] = /^Option '(--[\w-]+)[^']*' argument is ambiguous/.exec(text) ?? [];
	if (flag !== undefined) {
		return `${flag} needs a value; one that begins with a dash stands behind an equals sign: ${flag}=-1.`;
	}
	const [reason = ''] = text.split(/\.\s/);
	return reason.endsWith('.') ? reason : `${reason}.`;
}

function commandOf(args: string[]): Command {
	const { values, positionals } = parseArgs({
		args,
		allowPositionals: true,
		allowNegative: true,
		options: {
			...Object.fromEntries(
				allOptions.map(({ flag, value }) => [flag, { type: value ? 'string' : 'boolean' }]),
			),
			help: { type: 'boolean', short: 'h' },
			version: { type: 'boolean' },
			// The commands, as they were asked for before they were commands.
			check: { type: 'boolean' },
			try: { type: 'string' },
		},
	});
	const { help, version, check, try: file, ...given } = values;
	if (version) return { name: 'version' };
	const words = [...(check ? ['check'] : []), ...(file === undefined ? [] : ['try', file])];
	const typed = [...words, ...positionals];
	const { name, rest } =
		typed.length === 0 ? ({ name: 'serve', rest: [] } as const) : commandOfWords(typed);
	if (help) return { name: 'help', of: typed.length === 0 ? undefined : name };

	refuseOthersOptions(name, Object.keys(given));
	const texts = Object.entries(given).map(([flag, value]): [string, string] => [
		flag,
		String(value),
	]);
	const { rows, json, overwrite, from, forget, ...flags }: Flags = Object.fromEntries(texts);
	const [argument, ...more] = rest;
	const [tooMuch] = takesOne(name) ? more : rest;
	if (tooMuch !== undefined) throw new Error(`Unexpected argument '${tooMuch}'`);
	switch (name) {
		case 'serve':
		case 'agent':
		case 'check':
			return { name, flags };
		case 'try':
			if (!argument) throw new Error('try needs the path of a task file');
			return { name, file: argument, rows: rowsOf(rows), json: json === 'true', flags };
		case 'copy':
			if (!from) throw new Error('copy needs --from with the path of the file to copy from');
			return { name, from, forget: forget === 'true', flags };
		case 'tasks import':
		case 'tasks export':
			if (!argument) throw new Error(`${name} needs the path of a folder`);
			return name === 'tasks import'
				? { name, folder: argument, flags }
				: { name, folder: argument, overwrite: overwrite === 'true', flags };
	}
}

/** Whether something follows the command that is no option. */
function takesOne(name: CommandName): boolean {
	return ['try', 'tasks import', 'tasks export'].includes(name);
}

function commandOfWords(words: string[]): { name: CommandName; rest: string[] } {
	const found = commandIn(words);
	if (found) return found;
	const near = commandNames.filter((name) => name.startsWith(`${words[0]} `));
	const advice = near.length > 0 ? `; there is ${near.join(', and ')}` : '';
	throw new Error(
		`There is no command "${words.slice(0, near.length > 0 ? 2 : 1).join(' ')}"${advice}`,
	);
}

function refuseOthersOptions(name: CommandName, flags: string[]): void {
	for (const flag of flags) {
		const takers = commandNames.filter((one) =>
			commands[one].options.some((option) => option.flag === flag),
		);
		if (!takers.includes(name)) {
			throw new Error(`--${flag} is an option of ${takers.join(' and ')}, not of ${name}`);
		}
	}
}

function rowsOf(text = '20'): number {
	const rows = /^\d+$/.test(text) ? Number(text) : NaN;
	if (rows >= 1 && rows <= maxRows) return rows;
	throw new Error(`--rows is "${text}": set it to a whole number from 1 to ${maxRows}`);
}
