import { useSiteAndService } from '../support/inProcess/siteAndService';
import { concurrentTestWithBrowser } from '../support/service/browser';
import { cloudClient } from '../support/service/cloudClient';
import { extract, loop, step, task, uuidOf } from '../support/service/taskFiles';

// Cards that show one thing at a time, and by a click another one in its place.

const numbers = [1, 2, 3];

/** The whole of a text in the place of its beginning; the button goes away with that. */
const more = numbers
	.map(
		(card) => `<section><b>card ${card}</b><p>short ${card}…</p><p hidden>long ${card}</p>
	<button onclick="const [short, long] = this.parentElement.querySelectorAll('p'); short.hidden = true; long.hidden = false; this.remove()">more</button></section>`,
	)
	.join('');

/** Slides, one after the other. */
const slides = numbers
	.map(
		(card) =>
			`<section><b>card ${card}</b><p>a${card}</p><p hidden>b${card}</p><p hidden>c${card}</p><button>›</button></section>`,
	)
	.join('').concat(`<script>
	for (const card of document.querySelectorAll('section')) {
		const all = [...card.querySelectorAll('p')];
		let at = 0;
		card.querySelector('button').onclick = () => {
			at = (at + 1) % all.length;
			all.forEach((each, place) => (each.hidden = place !== at));
		};
	}
</script>`);

/** A panel that is shown with what it said of another card until a timer has come; other timers change nothing. */
const panel = `${numbers.map((card) => `<a href="#">card ${card}</a>`).join('')}<aside hidden><p></p>
	<button id="close">close</button></aside><button id="idle">idle</button><script>
	const aside = document.querySelector('aside');
	const idly = () => setTimeout(() => undefined, 1_000);
	document.querySelectorAll('a').forEach((link, card) => (link.onclick = () => {
		aside.hidden = false;
		setTimeout(() => (aside.querySelector('p').textContent = 'detail ' + (card + 1)), 1_000);
		return false;
	}));
	document.querySelector('#close').onclick = () => ((aside.hidden = true), idly());
	document.querySelector('#idle').onclick = idly;
</script>`;

const elements = (selector: string, steps: object[]) =>
	loop({ loopType: 'list', listType: 'elements', selector }, steps);
const click = step('click', { selector: 'button' });
const texts = (word: string) => numbers.map((card) => [`card ${card}`, `${word} ${card}`]);

const cases: Record<string, { html: string; steps: object[]; rows: unknown[][] }> = {
	'a text behind "more"': {
		html: more,
		steps: [elements('section', [click, extract({ Card: 'b', Text: 'p' })])],
		rows: texts('long'),
	},
	'all texts of a card': {
		html: more,
		steps: [
			elements('section', [click, extract({ Card: 'b', Text: { selector: 'p', all: true } })]),
		],
		rows: texts('long'),
	},
	'a list, when each "more" in it was clicked': {
		html: more,
		steps: [
			elements('button', [step('click', { useLoopItem: true })]),
			extract({ Card: 'b', Text: 'p' }, 'section'),
		],
		rows: texts('long'),
	},
	'a panel that still has what it said of another card': {
		html: panel,
		steps: [
			elements('a', [
				extract({ Card: {} }, undefined, { emit: false }),
				step('click', { useLoopItem: true }),
				extract({ Text: ':root p' }),
				step('click', { selector: ':root #close' }),
				step('click', { selector: ':root #idle' }),
			]),
		],
		rows: texts('detail'),
	},
	'slides, one after the other': {
		html: slides,
		steps: [
			elements('section', [
				loop({ loopType: 'count', times: 3 }, [extract({ Card: 'b', Text: 'p' }), click]),
			]),
		],
		rows: numbers.flatMap((card) => ['a', 'b', 'c'].map((slide) => [`card ${card}`, slide + card])),
	},
};

const paths = new Map(Object.keys(cases).map((name) => [`/${uuidOf(name)}`, name]));

const { site, service } = useSiteAndService(
	({ url: { pathname } }) => cases[paths.get(pathname) ?? '']?.html ?? { status: 404 },
	() => {
		const tasks = Object.entries(cases).map(([name, { steps }]) =>
			task(name, [step('navigate', { url: `${site.baseUrl}/${uuidOf(name)}` }), ...steps], {
				page: 'browser',
				requestsPerHost: 4,
			}),
		);
		return {
			tasks: Object.fromEntries(tasks.map((each) => [each.taskID, each])),
			env: { SERVICE_AGENTS: '4' },
		};
	},
);

concurrentTestWithBrowser.each(Object.entries(cases))(
	'what a click shows in the place of something is read: %s',
	async (name, { rows }) => {
		const { batch, rows: read } = await cloudClient(service).run(uuidOf(name));
		await service.logged({ batchID: batch.batchID, msg: 'batch successful', failedPages: 0 });
		expect(read.map(({ Card, Text }) => [Card, Text])).toEqual(rows);
	},
);
