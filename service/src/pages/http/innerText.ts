import { isTag, isText, type ChildNode, type Element } from 'domhandler';
import { findAll, textContent } from 'domutils';
import { foldSpaces } from '../fieldValue.ts';
import { closest } from './controls.ts';
import { displayOf, leavesNothing } from './display.ts';

/** What a box of a line shows nothing of, where it begins or ends; a no-break space is shown. */
const spaces = /[ \t\n\f\r]+/g;

/**
 * The text that a browser shows of an element, as its `innerText` with runs of white space folded: a
 * space where a line, a block or a cell ends, nothing between what stands in one line. As in a
 * browser it is all text inside for an element that has no place on the page; one that is not seen in
 * its place has the text that it would show.
 */
export function innerText(element: Element): string {
	if (hasNoPlace(element)) return foldSpaces(textContent(element));
	const isUnseen = displayOf(element) === 'unseen';
	return foldSpaces(isUnseen ? ofAll(element.children) : shownIn(element));
}

function hasNoPlace(element: Element): boolean {
	if (element.name === 'option' && closest(element, ({ name }) => name === 'select')) return true;
	for (let at: Element | undefined = element; at; at = parentOf(at)) {
		const display = displayOf(at);
		if (display === 'none' || (display === 'replaced' && at !== element)) return true;
	}
	return false;
}

/** The text inside an element, not folded yet. */
function shownIn(element: Element): string {
	switch (displayOf(element)) {
		case 'none':
		case 'unseen':
		case 'replaced':
			return '';
		case 'inline':
			return element.name === 'br' ? '\n' : ofAll(element.children);
		case 'box':
			return inBox(element);
		case 'block':
			return `\n${element.name === 'select' ? optionsIn(element) : ofAll(element.children)}\n`;
		case 'graphic':
			return ofAll(element.children.filter(isTag));
		case 'closed': {
			const summary = summaryOf(element);
			return summary ? shownIn(summary) : '\n';
		}
	}
}

/** Of a list of options, nothing else is shown, and of these only what they are called. */
function optionsIn({ children }: Element): string {
	const options = findAll(({ name }) => name === 'option', children);
	return options.map((option) => `\n${textContent(option)}\n`).join('');
}

/** What stands in a box of a line; a block that it begins or ends with makes a line of its own. */
function inBox({ children }: Element): string {
	const shown = children.filter((node) =>
		isText(node) ? node.data.trim() !== '' : isTag(node) && !leavesNothing(node),
	);
	const breakAt = (node: ChildNode | undefined) =>
		node && isTag(node) && displayOf(node) === 'block' ? '\n' : '';
	return (
		breakAt(shown[0]) +
		ofAll(children).replace(spaces, ' ').replace(/^ | $/g, '') +
		breakAt(shown.at(-1))
	);
}

function ofAll(nodes: ChildNode[]): string {
	let text = '';
	for (const node of nodes) {
		if (isText(node)) text += withoutHiddenBreaks(node.data);
		else if (isTag(node)) text += shownIn(node);
	}
	return text;
}

/** A line break of the source beside a zero-width space is no space: there a word may be broken. */
function withoutHiddenBreaks(text: string): string {
	if (!text.includes('\u200b')) return text;
	return text.replace(/\u200b[ \t]*\n\s*|[ \t]*\n\s*\u200b/g, '\u200b');
}

function summaryOf(details: Element): Element | undefined {
	return details.children.filter(isTag).find(({ name }) => name === 'summary');
}

/** The element that it stands in; the page is none. */
export function parentOf({ parent }: Element): Element | undefined {
	return parent && isTag(parent) ? parent : undefined;
}
