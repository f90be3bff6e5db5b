import type { Result } from '../measure/results.ts';
import type { Machine } from './machine.ts';
import { contenderTitles } from './sideBySide.ts';
import { whole } from './table.ts';

const cardWidth = 760;
const labelWidth = 250;
const barHeight = 22;
const barGap = 8;
const firstBar = 74;
const numberWidth = 100;

/** On a card of its own, so that it can be read whatever the page around it looks like. */
const style = `
	.card { fill: #ffffff; stroke: #d0d7de; }
	text { font: 13px system-ui, sans-serif; fill: #1f2328; }
	.title { font-size: 16px; font-weight: 600; }
	.note { font-size: 12px; fill: #59636e; }
	.node { fill: #0a7d55; }
	.httpRequest { fill: #c2410c; }
	.undici { fill: #8c959f; }
	@media (prefers-color-scheme: dark) {
		.card { fill: #0d1117; stroke: #3d444d; }
		text { fill: #f0f6fc; }
		.note { fill: #9198a1; }
		.node { fill: #2fbf8a; }
		.httpRequest { fill: #f97316; }
		.undici { fill: #6e7681; }
	}
`;

/** Rows a second of each contender at 100 rows a page, as bars. */
export function plot(results: Result[], { processors, date }: Machine): string {
	const shown = results
		.filter(({ pageSize }) => pageSize === 100)
		.sort((a, b) => order.indexOf(a.contender) - order.indexOf(b.contender));
	const most = Math.max(...shown.map(({ rowsPerSecond }) => rowsPerSecond));
	const height = firstBar + shown.length * (barHeight + barGap) + 36;
	const bars = shown.map((result, index) => {
		const y = firstBar + index * (barHeight + barGap);
		const width = ((cardWidth - labelWidth - numberWidth) * result.rowsPerSecond) / most;
		const middle = y + barHeight / 2 + 4.5;
		return [
			`<text x="${labelWidth - 12}" y="${middle}" text-anchor="end">${label(result)}</text>`,
			`<rect class="${result.contender}" x="${labelWidth}" y="${y}" width="${width.toFixed(1)}" height="${barHeight}" rx="3"/>`,
			`<text x="${(labelWidth + width + 8).toFixed(1)}" y="${middle}">${whole(result.rowsPerSecond)}</text>`,
		].join('\n');
	});
	return `${[
		`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${cardWidth} ${height}" role="img" aria-label="Rows per second">`,
		`<style>${style}</style>`,
		`<rect class="card" x="0.5" y="0.5" width="${cardWidth - 1}" height="${height - 1}" rx="8"/>`,
		'<text class="title" x="20" y="32">Rows per second: more is better</text>',
		'<text class="note" x="20" y="54">20,000 rows of five columns, 100 rows a page, a service 20 ms away</text>',
		...bars,
		`<text class="note" x="20" y="${height - 16}">Median of ${shown[0].measurements.length} rounds, ${date}, ${processors} processors for client, proxy and service together. npm run bench</text>`,
		'</svg>',
	].join('\n')}\n`;
}

const order = ['httpRequest', 'node', 'undici'];

function label({ contender, concurrency }: Result): string {
	const title = contenderTitles[contender];
	return contender === 'httpRequest' ? title : `${title}, ${concurrency} at once`;
}
