import { parseArgs } from 'node:util';
import { reasonOf } from '../errors/thrown.ts';

/** What the command line asks for. */
export type Command =
	| { name: 'serve' | 'check' | 'help' }
	| { name: 'try'; file: string; rows: number; json: boolean }
	| { name: 'unknown'; reason: string };

export const help = `The local Cloud Scraping service. Settings come from the environment: see service/README.md.

npm run service                               starts the service
npm run service -- --check                    checks the task files of SERVICE_TASKS
npm run service -- --try FILE [--rows N]      runs a task file and prints its first N rows (20 unless set)
                             [--json]         as JSON, a line each and whole, instead of a table
npm run service -- --help                     prints this
`;

const mostRows = 10_000;

/** Reads the arguments after the name of the program. */
export function readCommand(args: string[]): Command {
	try {
		return commandOf(args);
	} catch (error) {
		// What parseArgs refuses; the first sentence says it, the others are about programming.
		const [reason = ''] = reasonOf(error).split('. ');
		return { name: 'unknown', reason: reason.endsWith('.') ? reason : `${reason}.` };
	}
}

function commandOf(args: string[]): Command {
	const { values } = parseArgs({
		args,
		options: {
			check: { type: 'boolean' },
			try: { type: 'string' },
			rows: { type: 'string' },
			json: { type: 'boolean' },
			help: { type: 'boolean', short: 'h' },
		},
	});
	if (values.help) return { name: 'help' };
	if (values.try !== undefined) {
		if (values.check) throw new Error('--check and --try cannot be used together');
		const { json = false } = values;
		return { name: 'try', file: fileOf(values.try), rows: rowsOf(values.rows), json };
	}
	if (values.rows !== undefined) throw new Error('--rows works with --try only');
	if (values.json) throw new Error('--json works with --try only');
	return { name: values.check ? 'check' : 'serve' };
}

function fileOf(text: string): string {
	if (text === '') throw new Error('--try needs the path of a task file');
	return text;
}

function rowsOf(text = '20'): number {
	const rows = /^\d+$/.test(text) ? Number(text) : NaN;
	if (rows >= 1 && rows <= mostRows) return rows;
	throw new Error(`--rows is "${text}": set it to a whole number from 1 to ${mostRows}`);
}
