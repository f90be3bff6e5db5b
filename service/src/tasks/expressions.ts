import { RE2JS } from 're2js';

/** What the expressions of a task may come to, so that nobody waits for them to be read. */
const most = 200_000;
/** What a character costs, in characters that a number of times ("{1,50}") repeats. */
const byCharacter = 20;

/** The regular expressions of a task (RE2, which takes time in proportion to the text): those that are equal count once. */
export class Expressions {
	readonly #known = new Set<string>();
	#cost = 0;

	/** What is wrong with the next one; undefined: nothing. */
	mistakeIn(expression: string): string | undefined {
		if (this.#known.has(expression)) return undefined;
		this.#known.add(expression);
		this.#cost += expression.length * (byCharacter + timesIn(expression));
		if (this.#cost > most) {
			return `is too long, or repeats too much, with those before it: the regular expressions of a task have ${most / byCharacter} characters at most, and fewer where something is repeated a number of times ("{1,50}")`;
		}
		try {
			RE2JS.compile(expression);
			return undefined;
		} catch {
			return 'must be a regular expression (RE2: without look-around and back-references)';
		}
	}
}

/** How often a number of times repeats what stands before it, of all of them. */
function timesIn(expression: string): number {
	const times = [...expression.matchAll(/\{(\d+)(?:,(\d*))?\}/g)];
	return times.reduce((sum, [, least, greatest]) => sum + Number(greatest || least), 0);
}
