import { realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import Fastify from 'fastify';
import { readBrowser } from '../settings/settings.ts';
import { unknownSettings } from '../settings/unknownSettings.ts';
import { shop } from '../site/shop.ts';
import { status } from '../store/batch.ts';
import type { FailedPage } from '../store/failureStore.ts';
import { valuesOf } from '../store/row.ts';
import type { Gaps, StepSelector } from '../store/selectorStore.ts';
import { distinctColumns } from '../tasks/distinctColumns.ts';
import { readTaskFile } from '../tasks/readTaskFile.ts';
import { columnsOf, type Task } from '../tasks/task.ts';
import { runTrial, type Trial } from '../runs/trial.ts';
import type { Warning } from '../runs/warnings.ts';
import type { Flags } from './commandLine.ts';
import { reasonFor } from './reasonFor.ts';
import { shown, shownJson, table } from './table.ts';

/** Columns of a terminal whose width is not known, and of what is no terminal. */
const defaultWidth = 120;

/** Lines of failed pages. */
const maxLines = 20;

/** As shells have it for a program that Ctrl-C has ended. */
const interrupted = 130;

/** Runs a task file and prints its first rows. Resolves to the exit code: 0 if there are some. */
export async function tryTask(
	{ file, rows, json, flags }: { file: string; rows: number; json: boolean; flags: Flags },
	env: NodeJS.ProcessEnv,
): Promise<number> {
	const end = new AbortController();
	for (const signal of ['SIGINT', 'SIGTERM'] as const) {
		process.on(signal, () => {
			if (end.signal.aborted) process.exit(interrupted);
			end.abort();
		});
	}
	// Serves what `{site}` stands for in the demo tasks.
	const server = Fastify();
	try {
		const browser = readBrowser(env, flags);
		const unknown = unknownSettings(env);
		if (unknown !== undefined) process.stderr.write(`${unknown}\n`);
		const task = await taskIn(resolve(file));
		await server.register(shop);
		const site = await server.listen({ host: '127.0.0.1', port: 0 });
		const trial = await runTrial(task, { rows, signal: end.signal, browser, site });
		if (json) for (const row of trial.rows) process.stdout.write(`${namedRow(task, row)}\n`);
		const report = reportOf(task, trial, rows, !json).join('\n');
		// Whoever reads the rows by a program does not want the report among them.
		(json ? process.stderr : process.stdout).write(`${report}\n`);
		if (end.signal.aborted) return interrupted;
		return trial.rows.length > 0 ? 0 : 1;
	} catch (error) {
		process.stderr.write(`${reasonFor(error, flags)}\n`);
		return 1;
	} finally {
		await server.close();
	}
}

async function taskIn(file: string): Promise<Task> {
	// Who names a file themselves means what a link there leads to.
	const read = await readTaskFile(await realpath(file).catch(() => file));
	if (!read) throw new Error(`There is no file ${file}.`);
	if (!read.task) throw new Error(`The task file ${file} is bad: ${shown(read.mistake ?? '')}.`);
	return read.task;
}

/** A row as a JSON object by the names of its columns. */
function namedRow(task: Task, row: string): string {
	const values = valuesOf(row);
	const columns = distinctColumns({ fields: columnsOf(task) });
	const named = columns.map(({ id, name }) => [name, values.get(id) ?? '']);
	return shownJson(JSON.stringify(Object.fromEntries(named)));
}

function reportOf(task: Task, trial: Trial, wanted: number, withRows: boolean): string[] {
	const { batch, rows, failures, emptySelectors, gaps, lonePages, warnings } = trial;
	const columns = columnsOf(task);
	const values = rows
		.map((row) => valuesOf(row))
		.map((row) => columns.map(({ id }) => row.get(id) ?? ''));
	const head = columns.map(({ name }) => name);
	const width = process.stdout.columns ?? defaultWidth;
	return [
		shown(task.name),
		'',
		...(withRows && rows.length > 0 ? [table(head, values, width), ''] : []),
		`${counted(rows.length, 'row')}${endOf(trial, wanted)}.`,
		...(batch.failedPages === 0
			? ['No page failed.']
			: [`${counted(batch.failedPages, 'page')} failed:`, ...inFewLines(failures.map(failure))]),
		...(emptySelectors.length === 0
			? [
					rows.length > 0
						? `Every selector found something${gaps.length > 0 ? ' somewhere' : ''}.`
						: 'No page got as far as its rows, so no selector was tried.',
				]
			: [
					`${counted(emptySelectors.length, 'selector')} found nothing:`,
					...emptySelectors.map(selector),
					...(task.page === 'http' && emptySelectors.some(({ field }) => field)
						? ['  Scripts of the pages may fill in a column: these run with "page": "browser".']
						: []),
				]),
		...(gaps.length === 0
			? []
			: [
					`${counted(gaps.length, 'selector')} found nothing on some pages, or in some entries:`,
					...gaps.map(gap),
				]),
		...(lonePages.length === 0
			? []
			: [
					'A loop by page has read one page. Where there are more, its selector finds nothing, or what nobody sees:',
					...inFewLines(lonePages.map(({ url, reason }) => `  ${shown(`${reason} at ${url}`)}`)),
				]),
		...(warnings.length === 0
			? []
			: [
					`${counted(warnings.length, 'warning')}: rows may be missing, or there more than once.`,
					...inFewLines(warnings.map(warning)),
				]),
	];
}

/** Equal lines once, with how often they come, and no more than a screen takes. */
function inFewLines(lines: string[]): string[] {
	const times = new Map<string, number>();
	for (const line of lines) times.set(line, (times.get(line) ?? 0) + 1);
	const once = [...times].map(([line, count]) => (count > 1 ? `${line} (${count} times)` : line));
	const left = once.length - maxLines;
	return left > 0 ? [...once.slice(0, maxLines), `  … and ${left} more`] : once;
}

function endOf({ batch }: Trial, wanted: number): string {
	if (batch.status === status.successful && batch.lineCount <= wanted)
		return '; the task came to its end';
	return batch.lineCount >= wanted
		? `; the task was stopped there (--rows ${wanted})`
		: '; the task was stopped before its end';
}

function failure({ address, what, reason, tries }: FailedPage): string {
	const often = tries > 1 ? ` (${tries} tries)` : '';
	const where = address || what;
	const said = reason.includes(where) ? reason : `${where}: ${reason}`;
	return `  ${shown(`${said}${often}`)}`;
}

function warning({ message, reason, url, times }: Warning): string {
	const where = url === '' ? '' : ` at ${url}`;
	const often = times > 1 ? ` (${times} times)` : '';
	return `  ${shown(`${message}${where}: ${reason}${often}`)}`;
}

function selector({ selector: css, field }: StepSelector): string {
	return `  ${shown(`${css || 'the row itself'} (${field ? `column ${field.name}` : 'rows or a loop'})`)}`;
}

function gap({ emptyPages, pages, firstEmpty, ...where }: Gaps): string {
	const ofPages = `${emptyPages} of ${pages} pages ${where.field ? 'with rows' : 'or entries'}`;
	return `${selector(where)}: ${shown(`${ofPages}, first ${firstEmpty}`)}`;
}

function counted(count: number, what: string): string {
	return `${count} ${what}${count === 1 ? '' : 's'}`;
}
