import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { startService, type RunningService } from '../support/inProcess/startService';
import { length, sample } from '../support/length';
import { concurrentTestWithBrowser } from '../support/service/browser';
import { cloudClient } from '../support/service/cloudClient';
import {
	startSite,
	type Site,
	type SiteAnswer,
	type SiteRequest,
} from '../support/service/startSite';
import { extract, loop, step, task, uuidOf } from '../support/service/taskFiles';

// Pages in a browser whose sites do not answer, or take long: the browser says nothing about a tab meanwhile.

/** Milliseconds for the answer of a slow site: at full length more than any step but that of waiting has. */
const slowness = length({ full: 33_000, short: 2_000 });

const form = '<form action="/find"><input name="q"><button>Find</button></form>';

async function* nothingMore(begun: string[], closed: Promise<unknown>) {
	yield* begun;
	await closed;
}

async function answerTo({ url, headers, closed }: SiteRequest): Promise<SiteAnswer> {
	const { pathname, searchParams } = url;
	if (pathname === '/silent' || searchParams.get('q') === 'silent') await closed;
	if (searchParams.get('q') === 'slow') await sleep(slowness);
	const pages: Record<string, SiteAnswer> = {
		'/login': { headers: { 'set-cookie': 'member=yes; Path=/' }, body: '<p>login</p>' },
		'/members': headers.cookie === 'member=yes' ? '<p>member</p>' : '<p>guest</p>',
		'/begun': { body: Readable.from(nothingMore(['<p>begun</p>'], closed)) },
		'/empty': { body: Readable.from(nothingMore([], closed)) },
		'/leaving': '<p>here</p><script>setTimeout(() => (location = "/silent"), 4_000)</script>',
		'/links': '<a href="/silent">link</a>',
		'/first': '<p>first</p><a href="/begun">Next</a>',
		'/': form,
		'/find': `${form}<p>found ${searchParams.get('q')}</p>`,
	};
	return pages[pathname] ?? '';
}

const read = () => extract({ Text: {} }, 'p');

const pagesOf = (...paths: string[]) => {
	const urls = paths.map((path) => `{base}${path}`);
	return [
		loop({ loopType: 'list', listType: 'urlList', urls }, [
			step('navigate', { useLoopItem: true }),
			read(),
		]),
	];
};

const searches = (texts: string[], inputText: object, ...steps: object[]) => [
	step('navigate', { url: '{base}/' }),
	loop({ loopType: 'list', listType: 'textList', texts }, [
		step('inputText', { selector: 'input', useLoopItem: true, ...inputText }),
		...steps,
		read(),
	]),
];

const byEnter = (...texts: string[]) => searches(texts, { submit: true });
const byClick = (...texts: string[]) => searches(texts, {}, step('click', { selector: 'button' }));

interface Case {
	steps: object[];
	settings?: object;
	texts: string[];
	/** What is said of pages that failed. */
	reasons?: string[];
	/** How often the silent page is asked for. */
	asked?: number;
	/** Pages that were cut short. */
	cut?: string[];
}

const late = (path: string) => `${path} did not load within 10 seconds.`;

const cases: Record<string, Case> = {
	'a page that does not come fails as such, is tried again, and costs the next ones no cookies': {
		steps: pagesOf('/login', '/silent', '/members', '/members'),
		settings: { tries: 2 },
		texts: ['login', 'member', 'member'],
		reasons: [late('/silent'), late('/silent')],
		asked: 2,
	},
	'so does the first page of all': {
		steps: pagesOf('/silent', '/members'),
		texts: ['guest'],
		reasons: [late('/silent')],
		asked: 1,
	},
	'so does one behind a link': {
		steps: [step('navigate', { url: '{base}/links' }), step('click', { selector: 'a' }), read()],
		texts: [],
		reasons: [late('/silent')],
		asked: 1,
	},
	'so does the answer to a form that Enter sends': {
		steps: byEnter('a', 'silent', 'b'),
		texts: ['found a', 'found b'],
		reasons: [late('/find?q=silent')],
	},
	'so does the answer to a form that a button sends': {
		steps: byClick('a', 'silent', 'b'),
		texts: ['found a', 'found b'],
		reasons: [late('/find?q=silent')],
	},
	'so does one of which nothing but its headers comes': {
		steps: pagesOf('/empty', '/members'),
		texts: ['guest'],
		reasons: [late('/empty')],
	},
	'a page that comes in part is read as it is when its time is over, which is said': {
		steps: pagesOf('/begun', '/members'),
		texts: ['begun', 'guest'],
		cut: ['/begun'],
	},
	'so is one that a click leads to': {
		steps: [
			step('navigate', { url: '{base}/first' }),
			loop({ loopType: 'page', selector: 'a', timesMode: 'all' }, [read()]),
		],
		texts: ['first', 'begun'],
		cut: ['/begun'],
	},
	'a page that is left by a script for one that does not come stays': {
		steps: [
			step('navigate', { url: '{base}/leaving' }),
			step('wait', { milliseconds: 8_000 }),
			read(),
		],
		texts: ['here'],
		asked: 1,
	},
	'a page has all of its time to come': {
		steps: pagesOf('/find?q=slow', '/members'),
		settings: { timeout: 120_000 },
		texts: ['found slow', 'guest'],
	},
	'so has the answer to a form that Enter sends': {
		steps: byEnter('a', 'slow', 'b'),
		settings: { timeout: 120_000 },
		texts: ['found a', 'found slow', 'found b'],
	},
	'so has the answer to a form that a button sends': {
		steps: byClick('a', 'slow', 'b'),
		settings: { timeout: 120_000 },
		texts: ['found a', 'found slow', 'found b'],
	},
};

/** One for each case: a service remembers of a site for a while that it did not answer. */
const sites: Record<string, Site> = {};
let service: RunningService;

beforeAll(async () => {
	const tasks: Record<string, string> = {};
	for (const [name, { steps, settings }] of Object.entries(cases)) {
		const site = (sites[name] = await startSite(answerTo));
		const file = task(name, steps, { page: 'browser', timeout: 10_000, tries: 1, ...settings });
		tasks[uuidOf(name)] = JSON.stringify(file).replaceAll('{base}', site.baseUrl);
	}
	service = await startService({ tasks, env: { SERVICE_AGENTS: '8' } });
}, 300_000);

afterAll(async () => {
	await service?.stop();
	for (const site of Object.values(sites)) await site.stop();
});

concurrentTestWithBrowser.each(sample(Object.entries(cases)))(
	'%s',
	async (name, { texts, reasons = [], asked = 0, cut = [] }) => {
		const { batch, rows } = await cloudClient(service).run(uuidOf(name));
		const { batchID } = batch;
		await service.logged({ batchID, msg: 'batch successful' });
		const { baseUrl = '', requests = [] } = sites[name] ?? {};
		const lines = service.log.filter((line) => line.batchID === batchID);
		const said = lines
			.filter((line) => 'try' in line)
			.map(({ reason }) => String(reason).replace(baseUrl, ''));
		const cutShort = lines.filter(({ msg }) => msg === 'page not whole');
		expect(cutShort.map(({ url }) => url)).toEqual(cut.map((path) => baseUrl + path));
		expect({ texts: rows.map(({ Text: text }) => text), reasons: said }).toEqual({
			texts,
			reasons,
		});
		expect(requests.filter(({ url }) => url.pathname === '/silent')).toHaveLength(asked);
	},
);
