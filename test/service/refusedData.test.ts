import { setTimeout as sleep } from 'node:timers/promises';
import { sample } from '../support/length';
import { concurrentTestWithBrowser } from '../support/service/browser';
import { cloudClient, type CloudClient } from '../support/service/cloudClient';
import { consoleClient } from '../support/service/console';
import { plainText } from '../support/service/plainText';
import { startService, type RunningService } from '../support/inProcess/startService';
import { startSite, type Site, type SiteAnswer } from '../support/service/startSite';
import { extract, loop, step, task, uuidOf } from '../support/service/taskFiles';

// Pages whose scripts ask for their rows, and do not get them the first time.

const lastPart = 4;
const rowsOf = (part: number) => [`${part} a`, `${part} b`];
const upTo = (part: number) => Array.from({ length: part }, (_, index) => rowsOf(index + 1)).flat();
const all = upTo(lastPart);
const list = (part: number) => `<p>${rowsOf(part).join('</p><p>')}</p>`;

/** What the site answers to each request for the third part: the n-th of these, then the rows. */
type Refusals = (() => SiteAnswer | Promise<SiteAnswer>)[];
const refused: SiteAnswer = { status: 500 };
const busy: SiteAnswer = { status: 429, headers: { 'retry-after': '1' } };
const broken = () => {
	throw new Error('The connection is to break.');
};

interface Button {
	refusals?: Refusals;
	/** Milliseconds that a script waits before it asks. */
	timer?: number;
	onClick?: string;
	/** What a script does where it got no rows, and where it got some. */
	failed?: string;
	after?: string;
	/** Whether the rows of a part stand in the place of those before it. */
	replaces?: boolean;
}

const inTurn = 'asking = Promise.resolve(asking).then(ask)';
const delayed = 'clearTimeout(asking); asking = setTimeout(ask, 7000)';
const gone = `more.hidden = part === ${lastPart}`;

const whole: Record<string, Button> = {
	'is refused once': { refusals: [() => refused] },
	'is refused twice': { refusals: [() => refused, () => refused] },
	'is asked for too often': { refusals: [() => busy] },
	'breaks off once': { refusals: [broken] },
	'is empty once': { refusals: [() => ''] },
	'is refused once, which the button says': {
		refusals: [() => refused],
		failed: `more.textContent = 'Oops'`,
		after: `more.textContent = 'Load more'; ${gone}`,
	},
	'is refused once, and the button goes for a while': {
		refusals: [() => refused],
		failed: `more.hidden = true; setTimeout(() => (more.hidden = false), 7000)`,
	},
	'is asked for again by the page itself, after a while': {
		refusals: [() => refused],
		failed: 'more.disabled = true; setTimeout(ask, 7000)',
		after: `more.disabled = false; ${gone}`,
		replaces: true,
	},
	'is asked for after a while': { timer: 6_000 },
	'is asked for after a while, and takes its place': { timer: 6_000, replaces: true },
	'is asked for a while after the last click': { onClick: delayed },
	'is behind another text in the end': {
		after: `more.textContent = part === ${lastPart - 1} ? 'Show all' : 'Load more'; ${gone}`,
	},
};

const cut: Record<string, Button> = {
	'is always refused': { refusals: Array.from({ length: 99 }, () => () => refused) },
	'is always refused, and the button goes': {
		refusals: Array.from({ length: 99 }, () => () => refused),
		failed: 'more.remove()',
	},
	'is there, but the button stays': { after: '' },
	'is there, and the button takes it away': {
		after: `if (part === ${lastPart}) more.textContent = 'Show less'`,
	},
};

const buttons = { ...whole, ...cut };

const withButton = (
	path: string,
	{ timer = 0, onClick = inTurn, failed = '', after = gone, replaces = false }: Button,
) => `<body><main>${list(1)}</main><button id="more">Load more</button><script>
	const main = document.querySelector('main');
	let part = 1, asking;
	async function ask() {
		if (${timer}) await new Promise((resolve) => setTimeout(resolve, ${timer}));
		if (part === ${lastPart}) return;
		try {
			const answer = await fetch('${path}/rows/' + (part + 1));
			if (!answer.ok) throw new Error();
			const rows = await answer.text();
			if (rows === '') return;
			part += 1;
			if (${replaces}) main.innerHTML = rows;
			else main.insertAdjacentHTML('beforeend', rows);
			${after}
		} catch {
			${failed}
		}
	}
	more.onclick = () => { ${onClick}; };
</script></body>`;

const scrolls: Record<string, Refusals> = {
	'refused once': [() => refused],
	'broken off once': [broken],
	'empty once': [() => ''],
	'late once': [() => sleep(8_000, list(3))],
	'always refused': Array.from({ length: 99 }, () => () => refused),
};

/** Asks for more when the end of the list comes into sight, once each time. */
const withSentinel = (path: string) => `<style>p { height: 500px }</style><body>
	<main>${list(1)}</main><footer>end</footer><script>
	let part = 1;
	let isAsking = false;
	new IntersectionObserver(async ([{ isIntersecting }]) => {
		if (!isIntersecting || isAsking || part === ${lastPart}) return;
		isAsking = true;
		const answer = await fetch('${path}/rows/' + (part + 1)).catch(() => undefined);
		const rows = answer?.ok ? await answer.text() : '';
		if (rows !== '') {
			part += 1;
			document.querySelector('main').insertAdjacentHTML('beforeend', rows);
		}
		isAsking = false;
	}, { rootMargin: '200px' }).observe(document.querySelector('footer'));
</script></body>`;

const openings: Record<string, Refusals> = {
	'is refused once': [() => refused],
	'breaks off once': [broken],
	'takes its time': [() => sleep(6_000, list(3))],
	'is always refused': Array.from({ length: 99 }, () => () => refused),
	'is none, and only another site refuses': Array.from({ length: 99 }, () => () => ''),
};

/** Pages of blocks with a request each. */
const blocks: Record<string, Refusals> = {
	'has none once': [() => refused],
	'never has any': Array.from({ length: 99 }, () => () => refused),
};
const inBlocks = (path: string) => `<body><div></div><div></div><div></div><script>
	document.querySelectorAll('div').forEach(async (block, index) => {
		const answer = await fetch('${path}/rows/' + (index + 2));
		block.innerHTML = answer.ok ? await answer.text() : '<p>Loading…</p>';
	});
</script></body>`;

/** Where rows are to come, something stands that looks like one. */
const opened = (path: string, elsewhere: string) => `<body><main><p>Loading…</p></main><script>
	const main = document.querySelector('main');
	fetch('${elsewhere}').catch(() => undefined);
	fetch('${path}/rows/3').then(async (answer) => {
		main.innerHTML = answer.ok ? await answer.text() : '';
	});
</script></body>`;

let site: Site;
let other: Site;
let service: RunningService;
let client: CloudClient;

/** By the path of its page: how it is made, and what its site refuses. */
const pages = new Map<string, { html: (path: string) => string; refusals: Refusals }>();
const pathOf = (name: string) => `/${uuidOf(name)}`;

beforeAll(async () => {
	other = await startSite(() => ({ status: 503, headers: { 'access-control-allow-origin': '*' } }));
	const elsewhere = other.baseUrl.replace('127.0.0.1', 'localhost');
	for (const [name, button] of Object.entries(buttons)) {
		const html = (path: string) => withButton(path, button);
		pages.set(pathOf(`data ${name}`), { html, refusals: [...(button.refusals ?? [])] });
	}
	for (const [name, refusals] of Object.entries(scrolls)) {
		pages.set(pathOf(`scroll ${name}`), { html: withSentinel, refusals: [...refusals] });
	}
	for (const [name, refusals] of Object.entries(blocks)) {
		pages.set(pathOf(`blocks ${name}`), { html: inBlocks, refusals: [...refusals] });
	}
	for (const [name, refusals] of Object.entries(openings)) {
		const html = (path: string) => opened(path, elsewhere);
		pages.set(pathOf(`open ${name}`), { html, refusals: [...refusals] });
	}
	site = await startSite(async ({ url: { pathname } }) => {
		const [path = '', part] = pathname.split('/rows/');
		const page = pages.get(path);
		if (!page) return { status: 404 };
		if (part === undefined) return page.html(path);
		await sleep(50);
		const refusal = part === '3' ? page.refusals.shift() : undefined;
		return refusal ? refusal() : list(Number(part));
	});
	const text = extract({ Text: {} }, 'p');
	const through = (name: string, steps: object[]) =>
		task(name, [step('navigate', { url: `${site.baseUrl}${pathOf(name)}` }), ...steps], {
			page: 'browser',
			tries: 3,
			requestsPerHost: 8,
		});
	const tasks = [
		...Object.entries(buttons).map(([name, { replaces }]) => {
			const clicks = (step: object) =>
				loop({ loopType: 'page', selector: '#more', timesMode: 'all' }, [step]);
			const wait = step('wait', { selector: 'p' });
			return through(`data ${name}`, replaces ? [clicks(text)] : [clicks(wait), text]);
		}),
		...Object.keys(scrolls).map((name) =>
			through(`scroll ${name}`, [loop({ loopType: 'scroll', timesMode: 'all' }, [text])]),
		),
		...Object.keys(blocks).map((name) => through(`blocks ${name}`, [text])),
		...Object.keys(openings).map((name) => through(`open ${name}`, [text])),
	];
	service = await startService({
		tasks: Object.fromEntries(tasks.map((each) => [each.taskID, each])),
		env: { SERVICE_AGENTS: '12' },
	});
	client = cloudClient(service);
}, 300_000);

afterAll(async () => {
	await service?.stop();
	await site?.stop();
	await other?.stop();
});

/** The texts that were read, once each, and what the end of the batch says of failures. */
async function run(name: string, failedPages: number) {
	const { batch, rows } = await client.run(uuidOf(name));
	const { batchID } = batch;
	await service.logged({ batchID, msg: 'batch successful' });
	const lines = service.log.filter((line) => line.batchID === batchID);
	expect(lines).toContainEqual(expect.objectContaining({ msg: 'batch successful', failedPages }));
	return { batchID, texts: rows.map(({ Text }) => Text), lines };
}

async function pageOf(batchID: string): Promise<string> {
	const visit = await consoleClient(service);
	return plainText(await (await visit(`/console/batches/${batchID}`)).text());
}

concurrentTestWithBrowser.each(sample(Object.keys(whole), 1))(
	'a loop by page reads all where data for a part %s',
	async (name) => {
		const { texts } = await run(`data ${name}`, 0);
		expect(texts).toEqual(all);
	},
);

concurrentTestWithBrowser.each(['is always refused', 'is always refused, and the button goes'])(
	'a loop by page counts as a failure that data for a part %s',
	async (name) => {
		const { texts, lines } = await run(`data ${name}`, 1);
		expect(texts).toEqual(upTo(2));
		const reason = `A click has changed nothing that is read. Data that the page has asked for did not come: ${site.baseUrl}${pathOf(`data ${name}`)}/rows/3 could not be opened: HTTP 500, something went wrong on the site.`;
		expect(lines).toContainEqual(
			expect.objectContaining({ msg: 'page failed, skipped', what: 'going on to round 3', reason }),
		);
	},
);

concurrentTestWithBrowser(
	'a loop by page that ends at a button which can still be clicked warns of it on the page of the batch',
	async () => {
		const { batchID, texts } = await run('data is there, but the button stays', 0);
		expect(texts).toEqual(all);
		expect(await pageOf(batchID)).toContain(
			`Warnings None of these pages failed, but rows may be missing, or there more than once. Open the page and compare. Loop by page ended at ${site.baseUrl}${pathOf('data is there, but the button stays')}: two clicks on #more changed nothing that is read`,
		);
	},
);

concurrentTestWithBrowser(
	'a loop by page ends without a warning where its button takes away again',
	async () => {
		const { batchID, texts, lines } = await run('data is there, and the button takes it away', 0);
		expect(texts).toEqual(all);
		const reason = '#more says "Show less", and not "Load more"';
		expect(lines).toContainEqual(expect.objectContaining({ level: 30, reason }));
		expect(await pageOf(batchID)).not.toContain('Warnings');
	},
);

concurrentTestWithBrowser.each(['refused once', 'broken off once', 'empty once', 'late once'])(
	'scrolling reads all where data for a part is %s',
	async (name) => {
		expect((await run(`scroll ${name}`, 0)).texts).toEqual(all);
	},
);

concurrentTestWithBrowser('scrolling counts as a failure that data is always refused', async () => {
	const { texts, lines } = await run('scroll always refused', 1);
	expect(texts).toEqual(upTo(2));
	expect(lines.find(({ msg }) => msg === 'page failed, skipped')?.reason).toMatch(
		/^Scrolling has brought nothing new\. Data .* HTTP 500, /,
	);
});

concurrentTestWithBrowser.each(['is refused once', 'breaks off once', 'takes its time'])(
	'a page is read with all its rows where data for its rows %s',
	async (name) => {
		expect((await run(`open ${name}`, 0)).texts).toEqual(rowsOf(3));
	},
);

const inAllBlocks = [2, 3, 4].flatMap(rowsOf);

concurrentTestWithBrowser('a page is opened once more where a part of it has no data', async () => {
	expect((await run('blocks has none once', 0)).texts).toEqual(inAllBlocks);
});

concurrentTestWithBrowser('a page of which a part never has data is read, and said', async () => {
	const { batchID, texts } = await run('blocks never has any', 0);
	expect(texts).toEqual([...rowsOf(2), 'Loading…', ...rowsOf(4)]);
	const url = `${site.baseUrl}${pathOf('blocks never has any')}`;
	expect(await pageOf(batchID)).toContain(
		`Page not whole at ${url}: Data that the page has asked for did not come: ${url}/rows/3 could not be opened: HTTP 500`,
	);
});

concurrentTestWithBrowser('a page whose data is always refused has failed', async () => {
	const { texts, lines } = await run('open is always refused', 1);
	expect(texts).toEqual([]);
	expect(lines.find(({ msg }) => msg === 'page failed, skipped')?.reason).toMatch(
		/^The page has no element p\. Data .* HTTP 500, /,
	);
});

concurrentTestWithBrowser(
	'a page without rows has not failed where it is another site that refuses data',
	async () => {
		expect((await run('open is none, and only another site refuses', 0)).texts).toEqual([]);
	},
);
