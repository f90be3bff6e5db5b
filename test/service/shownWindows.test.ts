import type { Offset } from '../../service/src/pages/page.ts';
import { ShownWindows } from '../../service/src/agents/shownWindows.ts';

// Windows of a list, one after the other, as scrolling brings them.

/** A window, and how far its first row is from the top of the list, in rows. */
type Placed = [window: string, top: number];

/** The rows that are stored: each once, by what is in it and which one of that it is, in the order in which they came. */
function stored(...windows: (string | Placed)[]): string {
	const shown = new ShownWindows();
	const known = new Set<string>();
	return windows
		.flatMap((each) => {
			shown.begin();
			const [window, top] = typeof each === 'string' ? [each] : each;
			const rows = [...window];
			const at = top === undefined ? [] : rows.map((_, row): Offset => [0, (top + row) * 40.3]);
			return shown
				.next(rows, at)
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

test.each<[string, Placed[], string]>([
	[
		'nothing but rows that were shown before',
		[
			['abcd', 0],
			['cdab', 2],
			['abba', 4],
		],
		'abcdabba',
	],
	[
		'an equal row at the very end',
		[
			['abcd', 0],
			['cda', 2],
		],
		'abcda',
	],
	[
		'rows that could have more in common',
		[
			['abab', 0],
			['ababcd', 2],
		],
		'abababcd',
	],
	[
		'rows of which all are equal',
		[
			['aaaa', 0],
			['aaaa', 2],
			['aaab', 4],
		],
		'aaaaaaab',
	],
	[
		'a single row that stays',
		[
			['abcd', 0],
			['dabc', 3],
		],
		'abcdabc',
	],
	[
		'windows with nothing in common, one beyond the other',
		[
			['abab', 0],
			['bcab', 4],
		],
		'ababbcab',
	],
	[
		'more equal rows in a row than a window has, and windows that share none',
		[
			['aaa', 0],
			['aaa', 3],
			['aab', 6],
		],
		'aaaaaaaab',
	],
	[
		'a list above which a header has collapsed',
		[
			['abac', 0],
			['acac', 1],
			['acab', 3],
		],
		'abacacab',
	],
	[
		'a list that is scrolled back, and on again',
		[
			['abab', 0],
			['abcb', 2],
			['abab', 0],
			['abcb', 2],
		],
		'ababcb',
	],
	[
		'a list above which something has come',
		[
			['abcd', 0],
			['cdeb', 5],
			['ebca', 7],
		],
		'abcdebca',
	],
])('by where they are: %s', (_, windows, all) => {
	expect(stored(...windows)).toBe(all);
});

test('rows beside each other are told apart as well', () => {
	const shown = new ShownWindows();
	const windowAt = (rows: string, place: (index: number) => Offset) => {
		shown.begin();
		return shown.next(
			[...rows],
			[...rows].map((__, index) => place(index)),
		);
	};
	expect(windowAt('abab', (index) => [index * 50, 0])).toEqual([1, 1, 2, 2]);
	expect(windowAt('abba', (index) => [(index + 2) * 50, 0])).toEqual([2, 2, 3, 3]);
	expect(windowAt('babb', (index) => [(index + 4) * 50, 0])).toEqual([3, 3, 4, 5]);
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
