import { useSiteAndService } from '../support/inProcess/siteAndService';
import { concurrentTestWithBrowser } from '../support/service/browser';
import { cloudClient } from '../support/service/cloudClient';
import { extract, loop, step, task, uuidOf } from '../support/service/taskFiles';

// Lists that make their rows as they are scrolled, read without scrolling: what they lack is told, and nothing of others.

const rows = (count: number, style = 'height: 30px') =>
	Array.from({ length: count }, (_, index) => `<p style="margin: 0; ${style}">row ${index}</p>`);
const lines = (count: number) => rows(count).join('');
const placed = (count: number, columns = 1) =>
	Array.from({ length: count }, (_, index) => {
		const place = `top: ${Math.floor(index / columns) * 30}px; left: ${(index % columns) * 100}px`;
		return `<p style="margin: 0; position: absolute; height: 30px; ${place}">row ${index}</p>`;
	}).join('');
const box = (inside: string) =>
	`<div id="box" style="height: 300px; overflow: auto; position: relative">${inside}</div>`;

const holdingAPart: Record<string, [page: string, count: number, by: string]> = {
	'with the height of all': [
		box(`<div style="height: 3600px; position: relative">${placed(20)}</div>`),
		100,
		'with the selector #box',
	],
	'with two rows less than all': [
		box(`<div style="height: 600px; position: relative">${placed(18)}</div>`),
		2,
		'with the selector #box',
	],
	'with a row that takes up the room of others': [
		box(
			`<table cellspacing="0" cellpadding="0"><tr><td>${rows(12).join('<tr><td>')}<tr style="height: 300px"></table>`,
		),
		10,
		'with the selector #box',
	],
	'with room before its rows': [
		box(`<i style="height: 3600px; position: absolute"></i><div>${lines(20)}</div>`),
		100,
		'with the selector #box',
	],
	'with room below': [
		box(`<div style="padding-bottom: 3000px">${lines(20)}</div>`),
		100,
		'with the selector #box',
	],
	'with rows that say nothing yet': [
		box(lines(10) + lines(30).replaceAll(/row \d+/g, '<i></i>')),
		30,
		'with the selector #box',
	],
	'of the window': [
		`<h1>List</h1><div style="height: 3600px; position: relative">${placed(40)}</div><footer>End</footer>`,
		80,
		'without a selector',
	],
};
const whole: Record<string, string> = {
	'of the window that is whole': `${lines(120)}<footer>End</footer>`,
	'that is whole': box(lines(120)),
	'with a last row that says nothing': box(lines(40) + lines(1).replace('row 0', '')),
	'with rows that say nothing in between': box(
		`${lines(2)}${lines(1).replace('row 0', '')}`.repeat(20),
	),
	'in columns': `<div style="height: 1200px; position: relative">${placed(120, 3)}</div>`,
	'with room that its style gives': `<style>#box { padding-bottom: 120px }</style>${box(lines(120))}`,
	'beside what is longer': `<div style="min-height: 3000px">${lines(6)}</div>`,
	'with others behind': box(
		`<div style="height: 1800px">${lines(20)}${lines(40).replaceAll('p', 'h2')}</div>`,
	),
	'with an advertisement behind': `<div>${lines(60)}<div style="height: 250px"></div></div>`,
	'with what says that more comes': box(`${lines(20)}<div style="height: 90px">Loading …</div>`),
};
const pages = new Map([
	...Object.entries(holdingAPart).map(([name, [page]]): [string, string] => [name, page]),
	...Object.entries(whole),
]);

const { site, service } = useSiteAndService(
	({ url: { pathname } }) => `<!doctype html>${pages.get(decodeURIComponent(pathname.slice(1)))}`,
	() => ({
		tasks: Object.fromEntries(
			[...pages.keys()].flatMap((name) => {
				const open = step('navigate', { url: `${site.baseUrl}/${encodeURIComponent(name)}` });
				const each = { loopType: 'list', listType: 'elements', selector: 'p' };
				const how = { page: 'browser', requestsPerHost: 4 };
				return [
					task(name, [open, extract({ Text: {} }, 'p')], how),
					task(`${name}, by a loop`, [open, loop(each, [extract({ Text: {} })])], how),
				].map((made) => [made.taskID, made]);
			}),
		),
		env: { SERVICE_AGENTS: '4' },
	}),
);

async function warningsOf(name: string): Promise<unknown[]> {
	const { batch } = await cloudClient(service).run(uuidOf(name));
	const { batchID } = batch;
	await service.logged({ batchID, msg: 'batch successful', failedPages: 0 });
	return service.log.filter((line) => line.batchID === batchID && line.level === 40);
}

const ways = (name: string) => [name, `${name}, by a loop`];

concurrentTestWithBrowser.each(
	Object.entries(holdingAPart).flatMap(([name, [, count, by]]) =>
		ways(name).map((way) => [way, count, by] as const),
	),
)('of a list %s, %d rows are missing, which is told', async (name, count, by) => {
	const reason = `p has only the rows that are in sight; there is room for about ${count} more, which come as they are scrolled to: put this step into a loop by scroll, ${by}`;
	expect(await warningsOf(name)).toEqual([
		expect.objectContaining({ msg: 'list holds a part', reason }),
	]);
});

concurrentTestWithBrowser.each(Object.keys(whole).flatMap(ways))(
	'of a list %s, nothing is told',
	async (name) => {
		expect(await warningsOf(name)).toEqual([]);
	},
);
