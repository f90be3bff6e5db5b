import { html, Parser, type Token, type TreeAdapterTypeMap } from 'parse5';

const { TAG_ID: id } = html;
const headers = [id.H1, id.H2, id.H3, id.H4, id.H5, id.H6];
/** `IN_SELECT` and `IN_SELECT_IN_TABLE`, which the library does not export. */
const modesOfSelect = [15, 16];

/**
 * The library's parser with the rules for `select` that the HTML Standard has since July 2025, and browsers have: what
 * stands in one is parsed as elsewhere, where the library's own leaves out all tags but those of options.
 */
export class CurrentParser<T extends TreeAdapterTypeMap> extends Parser<T> {
	constructor(...options: ConstructorParameters<typeof Parser<T>>) {
		super(...options);
		const { openElements } = this;
		for (const scope of ['hasInScope', 'hasInListItemScope', 'hasInButtonScope'] as const) {
			const isInScope = openElements[scope].bind(openElements);
			openElements[scope] = (tag) => !this.#areOutsideOfSelect([tag]) && isInScope(tag);
		}
		const hasHeader = openElements.hasNumberedHeaderInScope.bind(openElements);
		openElements.hasNumberedHeaderInScope = () => !this.#areOutsideOfSelect(headers) && hasHeader();
		let mode = this.insertionMode;
		Object.defineProperty(this, 'insertionMode', {
			get: () => mode,
			// There is no mode for what stands in one any more.
			set: (next: typeof mode) => {
				if (!modesOfSelect.includes(next)) mode = next;
			},
		});
	}

	override _startTagOutsideForeignContent(token: Token.TagToken): void {
		const { tagID } = token;
		if (this.openElements.hasInScope(id.SELECT)) {
			if (tagID === id.SELECT || tagID === id.INPUT) {
				this.openElements.popUntilTagNamePopped(id.SELECT);
				if (tagID === id.SELECT) return;
			}
			if (tagID === id.OPTGROUP || tagID === id.HR) this.openElements.generateImpliedEndTags();
			if (tagID === id.OPTION) this.openElements.generateImpliedEndTagsWithExclusion(id.OPTGROUP);
		}
		super._startTagOutsideForeignContent(token);
	}

	override _endTagOutsideForeignContent(token: Token.TagToken): void {
		if (token.tagID !== id.SELECT) return super._endTagOutsideForeignContent(token);
		if (!this.openElements.hasInScope(id.SELECT)) return;
		this.openElements.generateImpliedEndTags();
		this.openElements.popUntilTagNamePopped(id.SELECT);
	}

	/** The mode is that of what stands around it. */
	override _resetInsertionModeForSelect(): void {
		const { openElements } = this;
		const { tagIDs } = openElements;
		openElements.tagIDs = tagIDs.map((tag) => (tag === id.SELECT ? id.UNKNOWN : tag));
		this._resetInsertionMode();
		openElements.tagIDs = tagIDs;
	}

	/** Whether none of these is open inside of the `select` that is open. */
	#areOutsideOfSelect(tags: number[]): boolean {
		const { tagIDs, stackTop } = this.openElements;
		const select = tagIDs.lastIndexOf(id.SELECT, stackTop);
		return tags.every((tag) => tagIDs.lastIndexOf(tag, stackTop) < select);
	}
}
