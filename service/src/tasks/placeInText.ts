import { printParseErrorCode, visit, type JSONPath, type JSONVisitor } from 'jsonc-parser';

/** A part of a text: from a character on, so many of them, on a line (the first is 1). */
export interface Place {
	offset: number;
	length: number;
	line: number;
}

/**
 * Where a JSON text holds what a JSON pointer names; of what is not there, where it would belong: the
 * innermost object or list around it. Nothing else is kept of a text, which may hold very many others.
 */
export function placeOf(pointer: string, json: string): Place | undefined {
	const keys = pointer.split('/').slice(1);
	/** Of several properties of one name the last one counts, as for JSON.parse. */
	let found: { depth: number; offset: number; end?: number } | undefined;
	const look = (path: JSONPath, offset: number, end?: number) => {
		const isOnTheWay = path.every((key, depth) => String(key) === keys[depth]);
		if (isOnTheWay) found = { depth: path.length, offset, end };
		return isOnTheWay;
	};
	let depth = 0;
	const begin: JSONVisitor['onObjectBegin'] = (offset, _length, _line, _character, path) => {
		depth += 1;
		return look(path(), offset);
	};
	const end: JSONVisitor['onObjectEnd'] = (offset, length) => {
		depth -= 1;
		if (found?.depth === depth) found.end ??= offset + length;
	};
	visit(json, {
		onObjectBegin: begin,
		onArrayBegin: begin,
		onObjectEnd: end,
		onArrayEnd: end,
		onLiteralValue: (_value, offset, length, _line, _character, path) => {
			look(path(), offset, offset + length);
		},
	});
	if (!found) return undefined;
	const { offset, end: after } = found;
	const isWhole = found.depth === keys.length && after !== undefined;
	return placeAt(json, offset, isWhole ? after - offset : 1);
}

/** The first place at which a text is no JSON, and what is wrong there; undefined if there is none. */
export function syntaxMistakeIn(text: string): { place: Place; message: string } | undefined {
	let first: { place: Place; message: string } | undefined;
	visit(
		text,
		{
			onError: (code, offset, length) => {
				const message = messages[printParseErrorCode(code)] ?? 'This is not JSON';
				first ??= { place: placeAt(text, offset, length), message };
			},
		},
		{ disallowComments: true, allowTrailingComma: false },
	);
	return first;
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

function placeAt(text: string, offset: number, length: number): Place {
	return { offset, length, line: text.slice(0, offset).split(/\r\n|\r|\n/).length };
}
