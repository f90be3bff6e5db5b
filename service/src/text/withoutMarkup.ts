/**
 * What HTML says without its tags, scripts and styles: enough to tell whether two pages say the same. In time that grows
 * with its length alone.
 *
 *     withoutMarkup('<p class="a">One<script>two</script></p>'); // ' One  '
 */
export function withoutMarkup(html: string): string {
	const shown = without(without(html, 'script'), 'style');
	return shown.replace(/<[^<>]*>/g, ' ');
}

/** Without the elements of that name; without the rest where one does not end. */
function without(html: string, name: string): string {
	const begin = new RegExp(`<${name}\\b`, 'gi');
	const end = new RegExp(`</${name}\\b[^<>]*>?`, 'gi');
	const kept: string[] = [];
	for (let from = 0; ; from = end.lastIndex) {
		begin.lastIndex = from;
		const found = begin.exec(html);
		kept.push(html.slice(from, found?.index));
		if (!found) return kept.join(' ');
		end.lastIndex = begin.lastIndex;
		if (!end.test(html)) return kept.join(' ');
	}
}
