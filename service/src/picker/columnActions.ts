import { v4 as newUuid } from 'uuid';
import type { FoundColumn } from './document/foundColumn.ts';
import { PageError } from '../pages/page.ts';
import { takenKinds, type DraftColumn, type Taken } from './draft.ts';
import type { PickerState } from './state.ts';

/** Changes, moves or removes a column. */
export function changeColumn(session: PickerState, entries: ReadonlyMap<string, string>): void {
	const { draft } = session;
	const id = entries.get('id');
	const column = allColumns(session).find((each) => each.id === id);
	if (!column) return;
	const name = entries.get('name')?.trim();
	if (name === '') {
		throw new PageError(`A column needs a name: this one is still called “${column.name}”.`);
	}
	if (name !== undefined) column.name = name;
	const taken = entries.get('taken');
	const other = taken !== undefined && isTaken(taken) && column.others?.[taken];
	if (other) {
		column.taken = taken;
		column.selector = other.selector;
	}
	const all = entries.get('all');
	if (all !== undefined) column.all = all === '1' ? true : undefined;
	for (const columns of [draft.columns, draft.detail?.columns ?? []]) {
		const place = columns.indexOf(column);
		if (place === -1) continue;
		if (entries.has('remove')) columns.splice(place, 1);
		const to = place + (moves[entries.get('move') ?? ''] ?? 0);
		if (to !== place && to >= 0 && to < columns.length) {
			columns.splice(place, 1);
			columns.splice(to, 0, column);
		}
	}
}

/** Places by which a column is moved. */
const moves: Record<string, number | undefined> = { up: -1, down: 1 };

function isTaken(text: string): text is Taken {
	return takenKinds.some((kind) => kind === text);
}

/**
 * Who points at the same thing twice wants something else of it, such as where it links to. Two columns of
 * the same would be one: nothing tells what was pointed at from the other.
 */
export function addColumn(columns: DraftColumn[], found: FoundColumn, all: DraftColumn[]): void {
	const column = newColumn(found, all);
	const sameAs = (taken: Taken) =>
		columns.find(
			(each) => each.taken === taken && each.selector === found.selectors[taken]?.selector,
		);
	const same = sameAs(column.taken);
	const other = takenKinds.find((taken) => found.selectors[taken] && !sameAs(taken));
	if (same && !other) {
		throw new PageError(
			`This is already the column “${same.name}”. If it looks the same and is something else, point at it in another entry, or at what is around it.`,
		);
	}
	if (!same || !other) columns.push(column);
	else {
		const name = freeName(takenNames[other] ?? found.name, all);
		columns.push({ ...column, name, ...takenOf(found, other) });
	}
}

/** What a column is called that reads something else than a text of the same thing. */
const takenNames: Partial<Record<Taken, string>> = {
	href: 'Link',
	src: 'Picture',
	datetime: 'Date and time',
};

export function newColumn(found: FoundColumn, others: DraftColumn[]): DraftColumn {
	return {
		id: newUuid(),
		name: freeName(found.name, others),
		...takenOf(found, found.usual),
		others: found.selectors,
	};
}

function takenOf(
	{ selectors }: FoundColumn,
	taken: Taken,
): Pick<DraftColumn, 'selector' | 'taken'> {
	return { selector: (selectors[taken] ?? selectors.text).selector, taken };
}

/** A name that no other column has: "Text", "Text 2". */
function freeName(name: string, others: DraftColumn[]): string {
	const taken = new Set(others.map((column) => column.name));
	let free = name;
	for (let number = 2; taken.has(free); number += 1) free = `${name} ${number}`;
	return free;
}

/** Those of the list and of the detail page. */
export function allColumns({ draft }: PickerState): DraftColumn[] {
	return [...draft.columns, ...(draft.detail?.columns ?? [])];
}
