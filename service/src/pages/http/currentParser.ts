import { html, Parser, type Token, type TreeAdapterTypeMap } from 'parse5';

const { TAG_ID: id } = html;
const partsOfTables = [id.THEAD, id.TBODY, id.TFOOT];
const headers = [id.H1, id.H2, id.H3, id.H4, id.H5, id.H6];

/**
 * The library's parser as the HTML Standard has it now, and browsers have it. The rules for `select` are those of July
 * 2025: what stands in one is parsed as elsewhere, where the library's own leaves out all tags but those of options.
 */
export class CurrentParser<T extends TreeAdapterTypeMap> extends Parser<T> {
	/** Whether one has begun: most pages have none, and are parsed as fast as the library does. */
	#hasSelect = false;

	override _startTagOutsideForeignContent(token: Token.TagToken): void {
		const { tagID } = token;
		if (this.#hasSelect && this.openElements.hasInScope(id.SELECT)) {
			if (tagID === id.SELECT || tagID === id.INPUT) {
				this.openElements.popUntilTagNamePopped(id.SELECT);
				if (tagID === id.SELECT) return;
			}
			if (tagID === id.OPTGROUP || tagID === id.HR) this.openElements.generateImpliedEndTags();
			if (tagID === id.OPTION) this.openElements.generateImpliedEndTagsWithExclusion(id.OPTGROUP);
		}
		super._startTagOutsideForeignContent(token);
		if (tagID !== id.SELECT) return;
		if (!this.#hasSelect) this.#boundScopes();
		this.#hasSelect = true;
		this._resetInsertionModeForSelect();
	}

	override _endTagOutsideForeignContent(token: Token.TagToken): void {
		const { tagID } = token;
		// The library ends a row by one, too.
		const isOfNone = partsOfTables.includes(tagID) && !this.openElements.hasInTableScope(tagID);
		if (isOfNone) return;
		if (tagID !== id.SELECT) return super._endTagOutsideForeignContent(token);
		if (!this.openElements.hasInScope(id.SELECT)) return;
		this.openElements.generateImpliedEndTags();
		this.openElements.popUntilTagNamePopped(id.SELECT);
	}

	/** There is no mode for what stands in one any more: it is that of what stands around it. */
	override _resetInsertionModeForSelect(): void {
		const { openElements } = this;
		const { tagIDs } = openElements;
		openElements.tagIDs = tagIDs.map((tag) => (tag === id.SELECT ? id.UNKNOWN : tag));
		this._resetInsertionMode();
		openElements.tagIDs = tagIDs;
	}

	/** An end tag inside of one does not end what is around it. */
	#boundScopes(): void {
		const { openElements } = this;
		const areOutside = (...tags: number[]) => {
			const { tagIDs, stackTop } = openElements;
			const select = tagIDs.lastIndexOf(id.SELECT, stackTop);
			return tags.every((tag) => tagIDs.lastIndexOf(tag, stackTop) < select);
		};
		for (const scope of ['hasInScope', 'hasInListItemScope', 'hasInButtonScope'] as const) {
			const isInScope = openElements[scope].bind(openElements);
			openElements[scope] = (tag) => !areOutside(tag) && isInScope(tag);
		}
		const hasHeader = openElements.hasNumberedHeaderInScope.bind(openElements);
		openElements.hasNumberedHeaderInScope = () => !areOutside(...headers) && hasHeader();
	}
}
