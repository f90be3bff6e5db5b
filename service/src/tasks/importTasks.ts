import { parse } from 'node:path';
import { textHash, type Import, type StoredText, type TaskText } from '../store/taskStore.ts';
import { identifierKey } from '../text/identifierKey.ts';
import { freeFileName } from './freeFileName.ts';

/**
 * What becomes of texts in a database that has these. One with the taskID of a task that is there takes its
 * place, under the name that it has there; of another task, none is replaced.
 */
export function compareTasks(texts: TaskText[], stored: StoredText[]): Import {
	const byID = new Map(stored.map((each) => [identifierKey(each.taskID), each]));
	const names = new Set(stored.map(({ name }) => name));
	const found: Import = { added: [], changed: [], equal: [] };
	for (const text of texts) {
		const there = byID.get(identifierKey(text.taskID));
		if (there) {
			const own = { ...text, name: there.name };
			found[there.hash === textHash(text.text) ? 'equal' : 'changed'].push(own);
			continue;
		}
		const isTaken = (name: string) => names.has(name);
		const name = isTaken(text.name) ? freeFileName(parse(text.name).name, isTaken) : text.name;
		names.add(name);
		found.added.push({ ...text, name });
	}
	return found;
}
