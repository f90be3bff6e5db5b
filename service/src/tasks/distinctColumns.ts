import type { Batch } from '../store/batch.ts';

/** A column as people see it: no two of a batch have the same name. */
export interface Column {
	id: string;
	name: string;
}

/** The columns of a batch; of those with the same name the later ones get a number: "Price (2)". */
export function distinctColumns({ fields }: Pick<Batch, 'fields'>): Column[] {
	const taken = new Set(fields.map(({ name }) => name));
	const seen = new Set<string>();
	/** The number that a name was given last. */
	const last = new Map<string, number>();
	return fields.map(({ id, name }) => {
		if (!seen.has(name)) {
			seen.add(name);
			return { id, name };
		}
		let number = (last.get(name) ?? 1) + 1;
		while (taken.has(`${name} (${number})`)) number += 1;
		last.set(name, number);
		const distinct = `${name} (${number})`;
		taken.add(distinct);
		return { id, name: distinct };
	});
}
