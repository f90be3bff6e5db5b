import { Token, Tokenizer } from 'parse5';

/**
 * Runs of characters that all mean the same in a state of the tokenizer, from where it is; also none. White
 * space is a run of its own, as in the library: in places the parser drops it, or what stands between.
 */
const runs = {
	word: /[^<&\0\t\n\f ]*/y,
	space: /[\t\n\f ]*/y,
	raw: /[^<\0\t\n\f ]*/y,
	quoted: /[^"&\0]*/y,
};

/** The characters of `space`. */
const spaces = new Set([...'\t\n\f '].map((space) => space.charCodeAt(0)));

/**
 * Takes runs of text, and quoted values, at once, where the library's own goes character by character.
 * The page has to come in one part, with its line breaks as `\n`.
 */
export class WholeRuns extends Tokenizer {
	protected override _stateData(cp: number): void {
		if (!this.#emitRun(cp, runs.word)) super._stateData(cp);
	}

	protected override _stateRcdata(cp: number): void {
		if (!this.#emitRun(cp, runs.word)) super._stateRcdata(cp);
	}

	protected override _stateRawtext(cp: number): void {
		if (!this.#emitRun(cp, runs.raw)) super._stateRawtext(cp);
	}

	protected override _stateScriptData(cp: number): void {
		if (!this.#emitRun(cp, runs.raw)) super._stateScriptData(cp);
	}

	protected override _stateAttributeValueDoubleQuoted(cp: number): void {
		const { value, ahead } = this.#run(cp, runs.quoted);
		if (value === '') return super._stateAttributeValueDoubleQuoted(cp);
		this.currentAttr.value += value;
		this.preprocessor.pos += ahead;
	}

	/** False where there is no run. */
	#emitRun(cp: number, pattern: RegExp): boolean {
		const { CHARACTER, WHITESPACE_CHARACTER } = Token.TokenType;
		const isSpace = spaces.has(cp);
		const { value, ahead } = this.#run(cp, isSpace ? runs.space : pattern);
		if (value === '') return false;
		// This may shorten what is left of the page, and its positions.
		this._appendCharToCurrentCharacterToken(isSpace ? WHITESPACE_CHARACTER : CHARACTER, value);
		this.preprocessor.pos += ahead;
		return true;
	}

	/** The run that begins with the current character, `cp`, and how many come after that. */
	#run(cp: number, pattern: RegExp): { value: string; ahead: number } {
		const { html, pos } = this.preprocessor;
		// Of two code units that are one character, the second is the current one.
		const start = cp > 0xffff ? pos - 1 : pos;
		pattern.lastIndex = start;
		pattern.test(html);
		const end = pattern.lastIndex;
		return { value: html.slice(start, end), ahead: end - pos - 1 };
	}
}
