import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { task } from './taskFiles';

/** An example of docs/tasks.md. */
export interface TaskExample {
	/** The heading above it. */
	title: string;
	/** The text of a task file: the example, or a task with its steps. */
	file: string;
	/** The first rows that the page shows, each a JSON object; empty where it shows none. */
	rows: string[];
}

const page = readFileSync(join(__dirname, '..', '..', '..', 'docs', 'tasks.md'), 'utf8');

/** Each example, with the rows that stand in the block right below it or below the sentence after it. */
export const taskExamples: readonly TaskExample[] = page.split(/^(?=#+ )/m).flatMap((section) => {
	const title = section.slice(0, section.indexOf('\n')).replace(/^#+ /, '');
	const blocks = [...section.matchAll(/^```(jsonl?)\n(.*?)^```/gms)];
	return blocks.flatMap(([, kind, text = ''], index) => {
		if (kind === 'jsonl') return [];
		const [, next, rows = ''] = blocks[index + 1] ?? [];
		return {
			title: `${title}, ${index + 1}`,
			file: text.startsWith('[') ? taskOf(text, `${title} ${index}`) : text,
			rows: next === 'jsonl' ? rows.trim().split('\n') : [],
		};
	});
});

function taskOf(steps: string, name: string): string {
	return JSON.stringify(task(name, JSON.parse(steps) as object[]));
}
