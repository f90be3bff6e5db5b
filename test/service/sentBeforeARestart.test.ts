import { once } from 'node:events';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseSync } from 'node:sqlite';
import { browserOfUsers, testWithBrowser } from '../support/service/browser';
import { cloudClient } from '../support/service/cloudClient';
import { startService, type LogLine, type RunningService } from '../support/service/startService';
import { startSite, type Site, type SiteRequest } from '../support/service/startSite';
import { extract, loop, step, task, uuidOf } from '../support/service/taskFiles';

// What was sent before the service ended, as an order, is sent again only where another try of its text may be made, and is
// told then.

let site: Site;
let running: RunningService | undefined;
/** What was ordered, by task. */
let orders: Record<string, string[]>;
/** By task: resolves when what is held is asked for, and has it come. */
let held: Map<string, { came: PromiseWithResolvers<void>; goOn: PromiseWithResolvers<void> }>;
/** The tasks whose form was refused. */
let late: Set<string>;

/** Where the service ends. */
type Moment = 'order' | 'then' | 'items/2';

interface Case {
	moment: Moment;
	tries: number;
	steps: (base: string) => object[];
	/** Whether an order that is sent again is refused. */
	isRefusedThen?: boolean;
	/** Whether a form is refused when it is asked for first. */
	comesLate?: boolean;
	came: { orders: string[]; rows: string[]; failed: number[]; told: number };
}

const order = (base: string) => [
	step('navigate', { url: `${base}/form` }),
	step('inputText', { selector: 'input', useLoopItem: true }),
	step('click', { selector: 'button' }),
	step('navigate', { url: `${base}/then` }),
	extract({ Text: { source: 'loopItem' } }),
];
const overTexts = (base: string) => [
	loop({ loopType: 'list', listType: 'textList', texts: ['a', 'b'] }, order(base)),
];
/** The same on a page whose script orders. */
const byScript = (script: keyof typeof scripts) => (base: string) => [
	loop({ loopType: 'list', listType: 'textList', texts: ['a', 'b'] }, [
		step('navigate', { url: `${base}/scripts/${script}` }),
		step('inputText', { selector: 'input', useLoopItem: true }),
		step('click', { selector: 'button', waitFor: 'i' }),
		step('navigate', { url: `${base}/then` }),
		extract({ Text: { source: 'loopItem' } }),
	]),
];
/** What a click does there. `other`: the address of another site. */
const scripts = {
	beacon: () => `navigator.sendBeacon('../order', sent())`,
	elsewhere: (other: string) => `await fetch('${other}/order', { method: 'POST', body: sent() })`,
	counted: (other: string) => `navigator.sendBeacon('${other}/visits', 'click');
		await fetch('../order', { method: 'POST', body: sent() })`,
	leaving: (other: string) => `navigator.sendBeacon('${other}/order', sent());
		location.href = '../left'`,
	refused: (other: string) => `await fetch('${other}/refused', { method: 'POST', body: sent() })`,
};
const scriptOf = (what: string) => `<input><button>Order</button><p></p><script>
	const sent = () => new URLSearchParams({ q: document.querySelector('input').value });
	document.querySelector('button').onclick = async () => {
		${what};
		document.querySelector('p').innerHTML = '<i>ordered</i>';
	};
</script>`;
const alone = (base: string) => [
	step('navigate', { url: `${base}/form` }),
	step('click', { selector: 'button' }),
	step('navigate', { url: `${base}/then` }),
	extract({ Text: 'p' }),
];
const logIn = (base: string) => [
	step('navigate', { url: `${base}/form` }),
	step('click', { selector: 'button' }),
	loop({ loopType: 'list', listType: 'urlList', urls: [1, 2].map((n) => `${base}/items/${n}`) }, [
		step('navigate', { useLoopItem: true }),
		extract({ Text: 'p' }),
	]),
];

const oneTry = { orders: ['a', 'b'], rows: ['b'], failed: [1], told: 0 };
const cases: Record<string, Case> = {
	'one try, under way': { moment: 'order', tries: 1, steps: overTexts, came: oneTry },
	'one try, behind it': { moment: 'then', tries: 1, steps: overTexts, came: oneTry },
	'more tries': {
		moment: 'then',
		tries: 2,
		steps: overTexts,
		came: { orders: ['a', 'a', 'b'], rows: ['a', 'b'], failed: [], told: 1 },
	},
	'no try behind the second': {
		moment: 'order',
		tries: 2,
		steps: overTexts,
		isRefusedThen: true,
		came: { orders: ['a', 'a', 'b'], rows: ['b'], failed: [2], told: 1 },
	},
	'no list': {
		moment: 'then',
		tries: 1,
		steps: alone,
		came: { orders: ['', ''], rows: ['then'], failed: [], told: 1 },
	},
	'a log-in before a list': {
		moment: 'items/2',
		tries: 1,
		steps: logIn,
		came: { orders: ['', ''], rows: ['items/1', 'items/2'], failed: [], told: 1 },
	},
};
const again = { orders: ['a', 'a', 'b'], rows: ['a', 'b'], failed: [], told: 1 };
/** What only scripts send: to others, or by beacons. */
const casesOfScripts: Record<string, Case> = {
	'a beacon': { moment: 'then', tries: 1, steps: byScript('beacon'), came: oneTry },
	'another site': { moment: 'then', tries: 1, steps: byScript('elsewhere'), came: oneTry },
	'before it leaves': { moment: 'then', tries: 1, steps: byScript('leaving'), came: oneTry },
	'a count beside it': { moment: 'then', tries: 1, steps: byScript('counted'), came: oneTry },
	'with another try': { moment: 'then', tries: 2, steps: byScript('beacon'), came: again },
	'in the last try': {
		moment: 'then',
		tries: 2,
		steps: byScript('elsewhere'),
		comesLate: true,
		came: again,
	},
	refused: {
		moment: 'then',
		tries: 1,
		steps: byScript('refused'),
		came: { ...again, told: 0 },
	},
};

async function answer({ method, url, body }: SiteRequest) {
	const [, name = '', ...rest] = decodeURIComponent(url.pathname).split('/');
	const place = rest.join('/');
	const text = new URLSearchParams(body).get('q') ?? '';
	if (method === 'POST' && place !== 'visits') (orders[name] ??= []).push(text);
	const caseName = name.replace(/^\w+: /, '');
	const { moment, isRefusedThen, comesLate } = cases[caseName] ?? casesOfScripts[caseName] ?? {};
	const hold = moment === place ? held.get(name) : undefined;
	held.delete(hold ? name : '');
	hold?.came.resolve();
	await hold?.goOn.promise;
	if (isRefusedThen && method === 'POST' && text === 'a' && !hold) return { status: 503 };
	const [, script] = /^scripts\/(\w+)$/.exec(place) ?? [];
	if (script !== undefined) {
		if (comesLate && !late.has(name) && late.add(name)) return { status: 503 };
		const other = `http://localhost:${url.port}/${encodeURIComponent(name)}`;
		return scriptOf(scripts[script as keyof typeof scripts](other));
	}
	if (place === 'left') return '<i>ordered</i>';
	const headers = { 'access-control-allow-origin': '*' };
	if (method === 'POST' && place === 'refused') return { status: 503, headers };
	if (method === 'POST' && place === 'order' && !hold) return { headers, body: '<p>order</p>' };
	if (place === 'form')
		return `<form method="post" action="order"><input name="q"><button>Order</button></form>`;
	return `<p>${place}</p>`;
}

beforeAll(async () => {
	site = await startSite(answer);
});

beforeEach(() => {
	orders = {};
	held = new Map();
	late = new Set();
});

afterEach(async () => {
	await running?.stop();
	running = undefined;
});

afterAll(() => site?.stop());

/** How many jobs are known to have sent something, as a crash now would leave the database. */
async function senders(folder: string): Promise<unknown> {
	const copy = await mkdtemp(join(tmpdir(), 'cloud-scraping-sent-'));
	for (const name of ['service.db', 'service.db-wal'])
		await copyFile(join(folder, name), join(copy, name));
	const database = new DatabaseSync(join(copy, 'service.db'));
	const found = database.prepare(`SELECT count(*) AS jobs FROM jobs WHERE sent <> ''`).get();
	database.close();
	await rm(copy, { recursive: true });
	return found?.jobs;
}

/** Runs the cases on pages of a kind, with a restart at the moment of each. */
async function check(page: string, names: string[], signal: 'SIGTERM' | 'SIGKILL') {
	const all = Object.entries({ ...cases, ...casesOfScripts })
		.filter(([name]) => names.includes(name))
		.map(([name, each]) => ({ ...each, name: `${page}: ${name}` }));
	const tasks = all.map(({ name, tries, steps }) => {
		const base = `${site.baseUrl}/${encodeURIComponent(name)}`;
		return task(name, steps(base), { page, tries, requestsPerHost: 20 });
	});
	const env = { ...browserOfUsers, SERVICE_AGENTS: '8' };
	const files = Object.fromEntries(tasks.map((each, index) => [`task ${index}`, each]));
	running = await startService({ env, tasks: files });
	const { folder } = running;
	const log: LogLine[] = running.log;
	const batches: Record<string, string> = {};
	const holds = all.map(({ name }) => {
		const hold = { came: Promise.withResolvers<void>(), goOn: Promise.withResolvers<void>() };
		held.set(name, hold);
		return hold;
	});
	for (const { name } of all)
		batches[name] = (await cloudClient(running).start(uuidOf(name), {})).batchID;
	const inTime = async <Result>(work: Promise<Result>): Promise<Result> => {
		const late = sleep(500_000, undefined, { ref: false }).then(() => {
			throw new Error(
				`Waited in vain behind ${log.map((line) => JSON.stringify(line)).join('\n')}`,
			);
		});
		return Promise.race([work, late]);
	};
	await inTime(Promise.all(holds.map(({ came }) => came.promise)));
	// A browser does not wait until it is noted what it sends.
	await expect.poll(() => senders(folder)).toBe(all.length);
	running.process.kill(signal);
	await inTime(once(running.process, 'exit'));
	running = await startService({ folder, env, log });
	for (const { goOn } of holds) goOn.resolve();

	const came: Record<string, unknown> = {};
	const reasons: string[] = [];
	for (const { name } of all) {
		const batchID = batches[name] ?? '';
		await inTime(running.logged({ batchID, msg: 'batch successful' }));
		const { list } = await cloudClient(running).batches(uuidOf(name));
		const rows = list[0] ? await cloudClient(running).rowsOf(list[0]) : [];
		const lines = log.filter((line) => line.batchID === batchID);
		const failed = lines.filter(({ msg }) => msg === 'page failed, skipped');
		const told = lines.filter(
			({ msg, reason }) => msg === 'form sent again' || /does so again/.test(String(reason)),
		);
		for (const { reason } of [...failed, ...told]) reasons.push(String(reason));
		came[name] = {
			orders: orders[name],
			rows: rows.map(({ Text }) => Text),
			failed: failed.map((line) => line.try),
			told: told.length,
		};
	}
	expect(came).toEqual(Object.fromEntries(all.map((each) => [each.name, each.came])));
	return reasons;
}

const signals = ['SIGTERM', 'SIGKILL'] as const;

test.each(signals)('what http pages have sent before %s is known behind it', async (signal) => {
	const reasons = await check('http', Object.keys(cases), signal);
	const sentFor = (name: string) =>
		`a click on button had sent POST ${site.baseUrl}/${encodeURIComponent(`http: ${name}`)}/order`;
	const order = `${sentFor('one try, under way')}, and who had sent it has not come to its end, as where the service was ended; with "tries": 1 it is not sent again. Look at the site whether it has gone through, as an order; if not, start the task anew for this one alone`;
	expect(reasons).toContain(order);
	const again = `${sentFor('no list')}, and does so again, since who had sent it has not come to its end: a site that counts what it is sent, as a cart does, has it twice`;
	expect(reasons).toContain(again);
});

testWithBrowser.each(signals)(
	'what browser pages have sent before %s is known behind it',
	async (signal) => {
		await check('browser', ['one try, under way', 'one try, behind it', 'more tries'], signal);
	},
);

testWithBrowser.each(signals)(
	'what scripts have sent by beacons, or to others, before %s is known behind it',
	async (signal) => {
		const reasons = await check('browser', Object.keys(casesOfScripts), signal);
		const sentFor = (name: string, base = site.baseUrl) =>
			`a click on button had sent POST ${base}/${encodeURIComponent(`browser: ${name}`)}`;
		const other = site.baseUrl.replace('127.0.0.1', 'localhost');
		const [count, end] = [', perhaps only a count of visits', ', and who had sent it has not come'];
		for (const reason of [
			`${sentFor('a beacon')}/order by a beacon${count}${end}`,
			`${sentFor('another site', other)}/order to another site${count}${end}`,
			`${sentFor('a count beside it')}/order${end}`,
			`${sentFor('with another try')}/order by a beacon${count}, and does so again`,
		])
			expect(reasons).toContainEqual(expect.stringContaining(reason));
	},
);

test('a text that is done is not taken for one that is under way, however soon a crash comes', async () => {
	let forms = 0;
	const shop = await startSite(async (request) => {
		if (request.url.pathname === '/x/form' && (forms += 1) === 2) {
			running?.process.kill('SIGKILL');
			await request.closed;
		}
		return answer(request);
	});
	const done = task('done', overTexts(`${shop.baseUrl}/x`), { tries: 1 });
	running = await startService({ tasks: { done } });
	const { folder } = running;
	const started = await cloudClient(running).start(done.taskID, {});
	await once(running.process, 'exit');
	running = await startService({ folder });
	await running.logged({ batchID: started.batchID, msg: 'batch successful', failedPages: 0 });
	expect(orders).toEqual({ x: ['a', 'b'] });
	await shop.stop();
});
