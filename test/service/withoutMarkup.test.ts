import { withoutMarkup } from '../../service/src/text/withoutMarkup.ts';

// What two pages are compared by that have a single row.

test.each([
	['<p class="a">One <a href="/1">two</a></p>', ' One  two  '],
	['one<SCRIPT>two</SCRIPT >three', 'one three'],
	['one<style>two', 'one'],
	['1 < 2', '1 < 2'],
])('of %s, %j is left', (html, text) => {
	expect(withoutMarkup(html).replace(/ +/g, ' ')).toBe(text.replace(/ +/g, ' '));
});

// Where time grew with the square of the length, the time of the test would be over.
test.each(['<script', '<', '</script', '<script></script', '<p', '<style>'])(
	'what goes on with %s for megabytes is done with soon',
	(begun) => {
		const html = begun.repeat(4_000_000 / begun.length);
		expect(withoutMarkup(html).length).toBeLessThanOrEqual(html.length);
	},
);
