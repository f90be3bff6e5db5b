import { parseArgs } from 'node:util';
import { reasonOf } from '../errors/thrown.ts';
import { allOptions, commandNamed, commandNames, commands, type CommandName } from './options.ts';

/** Settings of the command line, by their flags. */
export type Flags = Partial<Record<string, string>>;

/** What the command line asks for. */
export type Command =
	| { name: 'serve' | 'agent' | 'check'; flags: Flags }
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
		// What parseArgs refuses; the first sentence says it, the others are about programming.
		const [reason = ''] = reasonOf(error).split(/\.\s/);
		return { name: 'unknown', reason: reason.endsWith('.') ? reason : `${reason}.` };
	}
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
	const [first, ...rest] = [...words, ...positionals];
	const name = first === undefined ? 'serve' : commandNamed(first);
	if (name === undefined) throw new Error(`There is no command "${first}"`);
	if (help) return { name: 'help', of: first === undefined ? undefined : name };

	refuseOthersOptions(name, Object.keys(given));
	const texts = Object.entries(given).map(([flag, value]): [string, string] => [
		flag,
		String(value),
	]);
	const { rows, json, ...flags }: Flags = Object.fromEntries(texts);
	const [argument, ...more] = rest;
	const [tooMuch] = name === 'try' ? more : rest;
	if (tooMuch !== undefined) throw new Error(`Unexpected argument '${tooMuch}'`);
	if (name !== 'try') return { name, flags };
	if (!argument) throw new Error('try needs the path of a task file');
	return { name, file: argument, rows: rowsOf(rows), json: json === 'true', flags };
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
