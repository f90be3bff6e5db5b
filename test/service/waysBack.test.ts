import { describeOnBothPages, sampleOn } from '../support/service/browser';
import type { SiteAnswer, SiteRequest } from '../support/service/startSite';
import { extract, loop, step, task, uuidOf } from '../support/service/taskFiles';
import { startOnBothPages, type Ground } from './bothPages';

// Loops go back to the page as it was: also where a site has refused it meanwhile, or where another answer has
// come at its address. The tests run side by side, on tasks of their own.

let ground: Ground;

const open = (path: string) => step('navigate', { url: `{base}${path}` });
const type = (selector: string, text?: string) =>
	step('inputText', { selector, ...(text === undefined ? { useLoopItem: true } : { text }) });
const click = (selector: string) => step('click', { selector });
const eachOf = (selector: string, ...steps: object[]) =>
	loop({ loopType: 'list', listType: 'elements', selector }, steps);
const eachPage = (...steps: object[]) =>
	loop({ loopType: 'page', selector: '.next', timesMode: 'all' }, steps);
const eachText = (...steps: object[]) =>
	loop({ loopType: 'list', listType: 'textList', texts: ['a', 'b', 'c'] }, steps);
const read = extract({ Text: 'b' });
const eachEntry = eachOf(
	'div',
	extract({ Name: 'h2' }, undefined, { emit: false }),
	click('a, button'),
	read,
);

const numbers = (count: number) => Array.from({ length: count }, (_, index) => String(index + 1));
/** An entry that leads to its detail by a link, or, with `sent`, by a form at the address of the list. */
const entry = (name: string, sent?: string) =>
	`<div><h2>${name}</h2>${
		sent === undefined
			? `<a href="/detail?${name}">more</a>`
			: `<form method="post">${sent}<button name="detail" value="${name}">more</button></form>`
	}</div>`;
const nextLink = (page: number) =>
	page < 3 ? `<a class="next" href="?page=${page + 1}">on</a>` : '';
const nextForm = (page: number, fields = '') =>
	`<form method="post">${fields}${page < 3 ? `<button class="next" name="page" value="${page + 1}">on</button>` : ''}</form>`;
const search = (fields = '<input name="q">') =>
	`<form method="post">${fields}<button>go</button></form>`;
const hidden = (name: string, value: string) =>
	`<input type="hidden" name="${name}" value="${value}">`;
const pairs = numbers(3).flatMap((page) => [`${page}1`, `${page}2`]);

interface Case {
	steps: object[];
	/** What a request gets: its number, counted by path and sent form, and what was sent or is in the address. */
	answer: (said: (name: string) => string, visit: number) => SiteAnswer;
	texts: string[];
	/** What the list said of each, where that is read. */
	names?: string[];
}

const refused = (status: number): SiteAnswer => ({
	status,
	headers: { 'retry-after': '0' },
	body: '<h1>busy</h1><b>busy</b>',
});

/** A list, and the page of each of its entries, at the same address. */
const listAndDetails: Case['answer'] = (said) =>
	said('detail') === ''
		? numbers(3)
				.map((name) => entry(name, ''))
				.join('')
		: `<b>${said('detail')}</b>`;

const cases: Record<string, Case> = {
	'a list is refused once': {
		steps: [open('/'), eachEntry],
		answer: (_, visit) =>
			visit === 2
				? refused(503)
				: numbers(4)
						.map((name) => entry(name))
						.join(''),
		texts: numbers(4),
		names: numbers(4),
	},
	'the list of a loop by page is refused once': {
		steps: [open('/'), eachPage(eachEntry)],
		answer: (said, visit) => {
			const page = Number(said('page') || 1);
			const entries = numbers(2).map((name) => entry(`${page}${name}`));
			return visit === 3 ? refused(429) : entries.join('') + nextLink(page);
		},
		texts: pairs,
		names: pairs,
	},
	'a search is refused once': {
		steps: [open('/'), eachText(type('input'), click('button'), read)],
		answer: (said, visit) => {
			if (said('q') !== '') return `<b>${said('q')}</b>`;
			return visit === 2 ? refused(503) : '<form><input name="q"><button>go</button></form>';
		},
		texts: ['a', 'b', 'c'],
	},
	'the next page, which a sent form brings, is refused once': {
		steps: [open('/'), eachPage(read)],
		answer: (said, visit) => {
			const page = Number(said('page') || 1);
			return page === 3 && visit === 1 ? refused(500) : `<b>${page}</b>${nextForm(page)}`;
		},
		texts: numbers(3),
	},
	'a list has a fragment, and is refused once': {
		steps: [open('/#list'), eachEntry],
		answer: (_, visit) =>
			visit === 2
				? refused(503)
				: numbers(3)
						.map((name) => entry(name))
						.join(''),
		texts: numbers(3),
		names: numbers(3),
	},
	'all pages of a loop are refused for good': {
		steps: [open('/'), eachText(type('input'), click('button'), extract({ Word: 'b' })), read],
		answer: (said) =>
			said('q') === ''
				? `<b>list</b><form><input name="q"><button>go</button></form>`
				: { status: 404 },
		texts: ['list'],
	},
	'entries lead to the address of their list': {
		steps: [open('/'), eachEntry],
		answer: listAndDetails,
		texts: numbers(3),
		names: numbers(3),
	},
	'entries lead to the address of their list, which has a fragment': {
		steps: [open('/#list'), eachEntry],
		answer: listAndDetails,
		texts: numbers(3),
		names: numbers(3),
	},
	'pages and their entries have one address': {
		steps: [open('/'), eachPage(eachEntry)],
		answer: (said) => {
			const page = Number(said('page') || 1);
			if (said('detail') !== '') return `<b>${said('detail')}</b>`;
			const entries = numbers(2).map((name) => entry(`${page}${name}`, hidden('page', `${page}`)));
			return entries.join('') + nextForm(page);
		},
		texts: pairs,
		names: pairs,
	},
	'a search, its pages and their entries have one address': {
		steps: [open('/'), type('input', 'word'), click('button'), eachPage(eachEntry)],
		answer: (said) => {
			const page = Number(said('page') || 1);
			if (said('q') === '') return search();
			const fields = hidden('q', said('q'));
			const entries = numbers(2).map((name) =>
				entry(`${page}${name}`, fields + hidden('page', `${page}`)),
			);
			return `<b>${said('detail')}</b>${entries.join('')}${nextForm(page, fields)}`;
		},
		texts: pairs,
		names: pairs,
	},
	'pages that a sent form brings have groups of entries': {
		steps: [open('/'), eachPage(eachOf('section', eachEntry))],
		answer: (said) => {
			const page = Number(said('page') || 1);
			const groups = numbers(2).map((name) => `<section>${entry(`${page}${name}`)}</section>`);
			return groups.join('') + nextForm(page);
		},
		texts: pairs,
		names: pairs,
	},
	...Object.fromEntries(
		Object.entries({
			'opened by their links': eachOf(
				'div',
				extract({ Name: 'h2' }, undefined, { emit: false }),
				step('navigate', { useLoopItem: true }),
				read,
			),
			clicked: eachEntry,
		}).map(([how, entries]): [string, Case] => [
			`a filter is sent, the first page reads as it does without, and its entries are ${how}`,
			{
				steps: [open('/'), type('select', 'few'), click('button'), eachPage(entries)],
				answer: (said) => {
					const isFiltered = said('q') === 'few';
					const page = Number(said('page') || 1);
					const there = numbers(isFiltered ? 3 : 9).slice(page * 2 - 2, page * 2);
					const more = `<a class="next" href="?page=${page + 1}&amp;q=${said('q')}">on</a>`;
					const filter =
						'<select name="q"><option value="">all</option><option>few</option></select>';
					const isLast = there.includes(isFiltered ? '3' : '9');
					return `${search(filter)}${there.map((each) => entry(each)).join('')}${isLast ? '' : more}`;
				},
				texts: numbers(3),
				names: numbers(3),
			},
		]),
	),
	'an answer goes on with the search before it': {
		steps: [open('/'), eachText(type('[name=q]'), click('button'), read)],
		answer: (said) => {
			const all = `${said('before')}${said('q')}`;
			return `${search(`<input name="q">${hidden('before', all)}`)}<b>${all}</b>`;
		},
		texts: ['a', 'b', 'c'],
	},
	'an answer has no form': {
		steps: [open('/'), eachText(type('input'), click('button'), read)],
		answer: (said) => (said('q') === '' ? search() : `<b>${said('q')}</b>`),
		texts: ['a', 'b', 'c'],
	},
	'that is still open, and nobody asks for it again': {
		steps: [open('/'), eachOf('div', type('input', 'word'), read)],
		answer: (_, visit) => `<div><input><b>${visit}</b></div>`.repeat(3),
		texts: ['1', '1', '1'],
	},
	'something was typed before the loop': {
		steps: [open('/'), type('[name=town]', 'x'), eachText(type('[name=q]'), click('button'), read)],
		answer: (said) =>
			said('q') === ''
				? search('<input name="town"><input name="q">')
				: `<b>${said('town')}${said('q')}</b>`,
		texts: ['xa', 'xb', 'xc'],
	},
};

const pathOf = (name: string) => `/${encodeURIComponent(name)}`;

beforeAll(async () => {
	const visits = new Map<string, number>();
	const tasks: Record<string, object> = {};
	for (const [name, { steps }] of Object.entries(cases)) {
		const own = JSON.stringify(steps).replaceAll('{base}/', `{base}${pathOf(name)}`);
		const named: unknown = JSON.parse(own);
		tasks[name] = { ...task(name, []), steps: named, requestsPerHost: 8 };
	}
	const answer = ({ method, url, body, headers }: SiteRequest): SiteAnswer => {
		if (url.pathname === '/detail') return `<b>${url.search.slice(1)}</b>`;
		const known = cases[decodeURIComponent(url.pathname.slice(1))];
		if (!known) return { status: 404 };
		const sent = new URLSearchParams(method === 'POST' ? body : url.search);
		const which = method === 'POST' || sent.has('q') ? sent.toString() : '';
		const key = [headers['user-agent'], url.pathname, which].join();
		const visit = (visits.get(key) ?? 0) + 1;
		visits.set(key, visit);
		return known.answer((name) => sent.get(name) ?? '', visit);
	};
	ground = await startOnBothPages(tasks, answer, {
		env: { SERVICE_AGENTS: '8' },
	});
}, 300_000);

afterAll(() => ground?.stop());

describeOnBothPages('on pages of kind', (kind) => {
	test.concurrent.each(sampleOn(kind, Object.entries(cases)))(
		'each round begins on the page before the loop where %s',
		async (name, { texts, names }) => {
			const { batch, rows } = await ground.client.run(uuidOf(`${name} ${kind}`));
			expect(rows.map(({ Text }) => Text)).toEqual(texts);
			if (names) expect(rows.map(({ Name }) => Name)).toEqual(names);
			const failedPages = name === 'all pages of a loop are refused for good' ? 3 : 0;
			await ground.service.logged({
				batchID: batch.batchID,
				msg: 'batch successful',
				failedPages,
			});
			// A site that counts by itself has left a page out then, if it had counted the click that it refused.
			const isTold = ground.service.log.some(
				(line) => line.batchID === batch.batchID && line.msg === 'page may be missing',
			);
			expect(isTold).toBe(name.startsWith('the next page, which a sent form brings'));
		},
	);
});
