import type { WireInteger } from './api/wire';

/** A sentence that is of a batch or a task, and how the same is said of several at once. */
export interface OneOfSeveral {
	kind: 'batch' | 'task';
	id: WireInteger;
	/** What is said of all, after e.g. `3 batches`: "were stopped". */
	all: string;
	/** What is said of this one, behind its ID: "at 12 rows". */
	each?: string;
	/** Sentences behind the list of the IDs. */
	advice?: string;
}

/** A sentence for people. */
export interface Sentence {
	message: string;
	of?: OneOfSeveral;
}

/**
 * The sentences in their order, each once; those that say the same of several batches or tasks as one, which
 * names all of them: `3 batches were stopped: 1001, 1003 at 12 rows; 1002 at 13 rows.`
 */
export function saidOfSeveral(sentences: readonly Sentence[]): string[] {
	const groups = new Map<string, Sentence[]>();
	for (const sentence of sentences) {
		const { message, of } = sentence;
		const key = of ? JSON.stringify([of.kind, of.all, of.advice]) : message;
		const group = groups.get(key) ?? [];
		groups.set(key, group);
		if (group.every((other) => other.message !== message)) group.push(sentence);
	}
	return [...groups.values()].flatMap(inOne);
}

function inOne(group: Sentence[]): string[] {
	const ones = group.flatMap(({ of }) => of ?? []);
	const count = new Set(ones.map(({ id }) => String(id))).size;
	if (count < 2) return group.map(({ message }) => message);
	const [{ kind, all, advice }] = ones;
	const many = kind === 'batch' ? 'batches' : 'tasks';
	const sentence = `${count.toLocaleString('en')} ${many} ${all}: ${listed(ones)}.`;
	return [advice === undefined ? sentence : `${sentence} ${advice}`];
}

/** Their IDs, those together of which the same is said. */
function listed(ones: OneOfSeveral[]): string {
	const idsOf = new Map<string, Set<string>>();
	for (const { id, each = '' } of ones) {
		const ids = idsOf.get(each) ?? new Set();
		idsOf.set(each, ids.add(String(id)));
	}
	return [...idsOf].map(([each, ids]) => `${[...ids].join(', ')} ${each}`.trim()).join('; ');
}
