import { parseTree, printParseErrorCode, type Node, type ParseError } from 'jsonc-parser';

/** A part of a text: from a character on, so many of them, on a line (the first is 1). */
export interface Place {
	offset: number;
	length: number;
	line: number;
}

/**
 * Where a JSON text holds what a JSON pointer names; of what is not there, where it would belong: the
 * innermost object or list around it. Undefined if the text is no JSON.
 */
export function placeOf(pointer: string, json: string): Place | undefined {
	const root = treeOf(json, []);
	if (!root) return undefined;
	let node = root;
	for (const key of pointer.split('/').slice(1)) {
		const child = childOf(node, key);
		if (!child) return placeAt(json, node.offset, 1);
		node = child;
	}
	return placeAt(json, node.offset, node.length);
}

/** The first place at which a text is no JSON, and what is wrong there; undefined if there is none. */
export function syntaxMistakeIn(text: string): { place: Place; message: string } | undefined {
	const errors: ParseError[] = [];
	treeOf(text, errors);
	const [first] = errors;
	if (!first) return undefined;
	const message = messages[printParseErrorCode(first.error)] ?? 'This is not JSON';
	return { place: placeAt(text, first.offset, first.length), message };
}

/** None of them quotes the text: it may hold a password. */
const messages: Partial<Record<ReturnType<typeof printParseErrorCode>, string>> = {
	InvalidSymbol:
		'Texts need double quotes; without, only numbers, true, false and null may stand here',
	InvalidNumberFormat: 'This is no number',
	PropertyNameExpected: 'A name in double quotes must stand here',
	ValueExpected: 'A value must stand here',
	ColonExpected: 'A colon must stand here',
	CommaExpected: 'A comma is missing before this',
	CloseBraceExpected: 'A closing brace } is missing',
	CloseBracketExpected: 'A closing bracket ] is missing',
	EndOfFileExpected: 'The task ends before this: remove what follows',
	InvalidCommentToken: 'Comments cannot stand in a task file',
	UnexpectedEndOfComment: 'Comments cannot stand in a task file',
	UnexpectedEndOfString: 'The closing quote of this text is missing on its line',
	UnexpectedEndOfNumber: 'This number is not finished',
	InvalidUnicode: 'After \\u there must be four hexadecimal digits',
	InvalidEscapeCharacter: 'This sign cannot follow a backslash: write \\\\ for a backslash',
	InvalidCharacter: 'This sign cannot stand in a text: write \\t for a tab',
};

/** Undefined, too, for what is nested too deeply to be read. */
function treeOf(text: string, errors: ParseError[]): Node | undefined {
	try {
		return parseTree(text, errors, { disallowComments: true, allowTrailingComma: false });
	} catch (error) {
		if (error instanceof RangeError) return undefined;
		throw error;
	}
}

/** Of several properties of one name the last one counts, as for JSON.parse. */
function childOf(node: Node, key: string): Node | undefined {
	if (node.type === 'array') return /^\d+$/.test(key) ? node.children?.[Number(key)] : undefined;
	const property = node.children?.findLast(({ children }) => children?.[0]?.value === key);
	return property?.children?.[1];
}

function placeAt(text: string, offset: number, length: number): Place {
	return { offset, length, line: text.slice(0, offset).split(/\r\n|\r|\n/).length };
}
