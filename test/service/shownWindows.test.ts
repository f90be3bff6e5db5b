import { ShownWindows } from '../../service/src/agents/shownWindows.ts';

// Windows of a list, one after the other, as scrolling brings them.

/** The rows that are stored: each once, by what is in it and which one of that it is, in the order in which they came. */
function stored(...windows: string[]): string {
	const shown = new ShownWindows();
	const known = new Set<string>();
	return windows
		.flatMap((window) => {
			shown.begin();
			const rows = [...window];
			return shown
				.next(rows)
				.map((nth, place) => ({ row: rows[place], key: `${rows[place]} ${nth}` }));
		})
		.filter(({ key }) => !known.has(key) && known.add(key))
		.map(({ row }) => row)
		.join('');
}

test.each([
	['a window that follows', ['abcd', 'cdef', 'efgh'], 'abcdefgh'],
	['an equal row that is shown with the first one', ['abac', 'acde'], 'abacde'],
	['an equal row behind those that are gone', ['abcd', 'cdef', 'efag', 'aghi'], 'abcdefaghi'],
	['one that is the last in a window at first', ['abcd', 'cdef', 'efga', 'gahi'], 'abcdefgahi'],
	['several in a row', ['abcd', 'cdef', 'efab', 'abcg', 'cghi'], 'abcdefabcghi'],
	['a list that grows', ['ab', 'abcb', 'abcbad'], 'abcbad'],
	['a list that begins again', ['abcd', 'cdef', 'efab', 'abcd', 'cdef'], 'abcdef'],
	['a window that is read once more', ['abcd', 'abcd', 'cdea', 'cdea', 'eafg'], 'abcdeafg'],
	['windows with nothing in common', ['abcd', 'efgh', 'aijk'], 'abcdefghijk'],
	['a list that is drawn anew with something on top', ['abcd', 'xabcd'], 'abcdx'],
])('%s', (_, windows, all) => {
	expect(stored(...windows)).toBe(all);
});

test('rows that come in parts count as one window', () => {
	const shown = new ShownWindows();
	shown.begin();
	expect([shown.next(['a', 'b']), shown.next(['a', 'c'])]).toEqual([
		[1, 1],
		[2, 1],
	]);
	shown.begin();
	expect([shown.next(['a', 'b']), shown.next(['a', 'c', 'd'])]).toEqual([
		[1, 1],
		[2, 1, 1],
	]);
});
