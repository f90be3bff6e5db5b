/**
 * Says that a memory has begun. Of two entries the older one is taken out at each read: so there is
 * always one, whenever n8n dies, and never an old one, which the store would drop.
 */
export class BegunMark {
	readonly entries: readonly string[];

	constructor(name: string) {
		this.entries = [`${name} begun 1`, `${name} begun 2`];
	}

	/** Whether there was no read before, by what was there when the entries were asked for. */
	isFirst(there: ReadonlySet<string>): boolean {
		return !this.entries.some((entry) => there.has(entry));
	}

	/** The one to take out. */
	older(there: ReadonlySet<string>): string {
		return this.entries.find((entry) => there.has(entry)) ?? this.entries[0];
	}
}
