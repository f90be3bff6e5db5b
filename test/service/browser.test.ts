import { setTimeout as sleep } from 'node:timers/promises';
import { concurrentTestWithBrowser } from '../support/service/browser';
import { cloudClient, type CloudClient } from '../support/service/cloudClient';
import { startService, type RunningService } from '../support/inProcess/startService';
import { sample } from '../support/length';
import { startSite, type Site } from '../support/service/startSite';
import { extract, loop, step, task, uuidOf } from '../support/service/taskFiles';

// What only a browser can do. The tests run side by side: most of their time is waiting.

let site: Site;
let service: RunningService;
let client: CloudClient;
let demo: RunningService;
/** Requests to /hangUntilStopped that the page has not given up. */
let hanging = 0;

const late = (html: string, milliseconds: number) =>
	`<script>setTimeout(() => document.body.insertAdjacentHTML('beforeend', ${JSON.stringify(html)}), ${milliseconds})</script>`;

/**
 * Each time its end is scrolled to, five more rows, up to 23; they come after some time. Nothing
 * stands below the rows: the browser would keep it in view when rows come, by scrolling further.
 */
const endless = `<div style="height: 3000px"></div><div id="list"></div><script>
	let rows = 0;
	const more = () => {
		for (const end = Math.min(rows + 5, 23); rows < end; rows += 1) {
			list.insertAdjacentHTML('beforeend', '<p style="height: 500px">' + (rows % 20) + '</p>');
		}
	};
	more();
	let coming = false;
	addEventListener('scroll', () => {
		if (coming || innerHeight + scrollY < document.body.scrollHeight - 9) return;
		coming = true;
		setTimeout(() => { more(); coming = false; }, 300);
	});
</script>`;

const pages: Record<string, string> = {
	'/late': `<body>${late('<p>made by a script</p>', 700)}</body>`,
	'/endless': endless,
	'/typed': `<body><input id="in"><script>
		const field = document.querySelector('input');
		field.addEventListener('input', () => {
			document.body.insertAdjacentHTML('beforeend', '<p>' + field.value + '</p>');
		});
	</script></body>`,
	'/details': `<body><button onclick="setTimeout(() => this.insertAdjacentHTML('afterend', '<p>details</p>'), 900)">Show</button></body>`,
	'/window': '<a href="/other" target="_blank">other</a>',
	'/windows': '<base target="_blank"><a href="/other">other</a>',
	'/seenFrame': '<a href="/other" target="seen">other</a><iframe name="seen"></iframe>',
	'/unseenFrame': `<form action="/answer" target="unseen"><button>other</button></form>
		<iframe name="unseen" hidden></iframe><p>before</p>
		<script>function got(text) { document.querySelector('p').textContent = text; }</script>`,
	'/answer': '<script>parent.got("got by a script")</script>',
	'/windowForm': '<form action="/other" target="_blank"><button>other</button></form>',
	'/other': '<p>the other page</p>',
	'/slow': '<a href="/slowly">next</a>',
	'/slowly': '<p>came slowly</p>',
	'/hidden': '<button hidden>Never</button>',
	'/app': `<body><ul><li>one</li><li>two</li></ul><p></p><script>
		document.querySelectorAll('li').forEach((item) => item.addEventListener('click', () => {
			document.querySelector('p').textContent += item.textContent + ' ';
		}));
	</script></body>`,
	'/cookie': `<body><script>
		document.cookie = 'seen=1';
		document.body.insertAdjacentHTML('beforeend', '<p>' + document.cookie + '</p>');
	</script></body>`,
	'/cookies': `<body><script>document.write('<p>[' + document.cookie + ']</p>')</script></body>`,
	'/image': '<body><p>complete</p><img src="/hang"></body>',
	'/script': '<body><p>complete</p><script src="/hang"></script></body>',
	'/slowScript': '<body><script src="/slowly.js"></script><p>complete</p></body>',
	'/slowly.js': '',
	'/toImage': '<a href="/image">image</a>',
	'/slowNext': `<body><p>1</p><button class="next">next</button><script>
		document.querySelector('.next').addEventListener('click', async ({ target }) => {
			const shown = document.querySelector('p');
			const answer = await fetch('/part?after=' + shown.textContent);
			shown.textContent = await answer.text();
			if (shown.textContent === '3') target.remove();
		});
	</script></body>`,
	'/hangs': `<body><p>hangs</p><script>fetch('/hangUntilStopped')</script></body>`,
};

const browserTask = (name: string, path: string, ...steps: object[]) =>
	task(name, [step('navigate', { url: `{base}${path}` }), ...steps], { page: 'browser' });

const text = (selector = 'p') => extract({ Text: {} }, selector);

const tasks = {
	late: browserTask('late', '/late', text()),
	all: browserTask('all', '/endless', loop({ loopType: 'scroll', timesMode: 'all' }, [text()])),
	custom: browserTask(
		'custom',
		'/endless',
		loop({ loopType: 'scroll', timesMode: 'custom', times: 3 }, [text()], 'custom scroll'),
	),
	typed: browserTask(
		'typed',
		'/typed',
		step('inputText', { selector: '#in', text: 'abc' }),
		text(),
	),
	details: browserTask(
		'details',
		'/details',
		step('click', { selector: 'button', waitFor: 'p' }),
		text(),
	),
	'a link': browserTask('a link', '/window', step('click', { selector: 'a' }), text()),
	'all links': browserTask('all links', '/windows', step('click', { selector: 'a' }), text()),
	'a form': browserTask('a form', '/windowForm', step('click', { selector: 'button' }), text()),
	'a frame': browserTask('a frame', '/seenFrame', step('click', { selector: 'a' }), text()),
	'an unseen frame': browserTask(
		'an unseen frame',
		'/unseenFrame',
		step('click', { selector: 'button' }),
		text(),
	),
	slow: browserTask('slow', '/slow', step('click', { selector: 'a' }), text()),
	hidden: browserTask('hidden', '/hidden', step('click', { selector: 'button' }), text()),
	missing: browserTask('missing', '/nowhere', text('h1')),
	file: browserTask('file', '/file', text('h1')),
	part: browserTask('part', '/206', text()),
	app: browserTask(
		'app',
		'/app',
		loop({ loopType: 'list', listType: 'elements', selector: 'li' }, [
			step('click', { useLoopItem: true }),
		]),
		text(),
	),
	cookies: task(
		'cookies',
		[
			loop({ loopType: 'list', listType: 'urlList', urls: ['{base}/cookie', '{base}/cookies'] }, [
				step('navigate', { useLoopItem: true }),
				text(),
			]),
		],
		{ page: 'browser' },
	),
	image: browserTask('image', '/image', text()),
	'linked image': browserTask('linked image', '/toImage', step('click', { selector: 'a' }), text()),
	script: browserTask('script', '/script', text()),
	'slow script': browserTask('slow script', '/slowScript', extract({ Text: 'p' })),
	'late next': browserTask(
		'late next',
		'/lateNext?page=1',
		loop({ loopType: 'page', selector: '.next', timesMode: 'all' }, [text()]),
	),
	'slow next': browserTask(
		'slow next',
		'/slowNext',
		loop({ loopType: 'page', selector: '.next', timesMode: 'all' }, [text()]),
	),
	hangs: task(
		'hangs',
		[loop({ loopType: 'count', times: 1000 }, [step('navigate', { url: '{base}/hangs' }), text()])],
		{ page: 'browser' },
	),
};

beforeAll(async () => {
	site = await startSite(async ({ url, closed }) => {
		if (url.pathname === '/hang') await closed;
		if (url.pathname === '/hangUntilStopped') {
			hanging += 1;
			await closed;
			hanging -= 1;
		}
		if (url.pathname === '/slowly') await new Promise((resolve) => setTimeout(resolve, 1500));
		if (url.pathname === '/slowly.js') await new Promise((resolve) => setTimeout(resolve, 4500));
		if (url.pathname === '/part') {
			await new Promise((resolve) => setTimeout(resolve, 4000));
			return String(Number(url.searchParams.get('after')) + 1);
		}
		if (url.pathname === '/lateNext') {
			const page = Number(url.searchParams.get('page'));
			const next = `<a class="next" href="?page=${page + 1}">next</a>`;
			return `<body><p>${page}</p>${page < 3 ? late(next, 700) : ''}</body>`;
		}
		if (url.pathname === '/file') return { headers: { 'content-disposition': 'attachment' } };
		if (url.pathname === '/206') return { status: 206, body: '<p>text' };
		return pages[url.pathname] ?? { status: 404, body: '<h1>Not found</h1>' };
	});
	const files: Record<string, string> = {};
	for (const [name, content] of Object.entries(tasks)) {
		files[name] = JSON.stringify(content).replaceAll('{base}', site.baseUrl);
	}
	[service, demo] = await Promise.all([startService({ tasks: files }), startService()]);
	client = cloudClient(service);
}, 300_000);

afterAll(async () => {
	await service?.stop();
	await demo?.stop();
	await site?.stop();
});

type Task = keyof typeof tasks;

async function texts(name: Task, options = {}): Promise<(string | undefined)[]> {
	return (await client.run(uuidOf(name), options)).rows.map(({ Text: shown }) => shown);
}

const counted = (count: number) => Array.from({ length: count }, (_, index) => String(index % 20));

concurrentTestWithBrowser('waits for rows that a script makes', async () => {
	expect(await texts('late')).toEqual(['made by a script']);
});

concurrentTestWithBrowser(
	'scrolls until nothing new comes, and stores each row once, equal ones too',
	async () => {
		const { batch, rows } = await client.run(uuidOf('all'));
		expect(rows.map(({ Text: shown }) => shown)).toEqual(counted(23));
		expect(batch).toMatchObject({ lineCount: 23, duplicatedCount: 3 });
	},
);

concurrentTestWithBrowser('scrolls a number of times', async () => {
	// The first round reads what is there without scrolling.
	expect(await texts('custom')).toEqual(counted(15));
	expect(
		await texts('custom', { actionParams: [{ id: uuidOf('custom scroll'), value: 2 }] }),
	).toEqual(counted(10));
});

concurrentTestWithBrowser('types so that scripts notice', async () => {
	expect(await texts('typed')).toEqual(['abc']);
});

concurrentTestWithBrowser('waits after a click for what it brings', async () => {
	expect(await texts('details')).toEqual(['details']);
});

concurrentTestWithBrowser.each(sample<Task>(['image', 'linked image', 'script', 'slow script']))(
	'reads a page that is complete but for something that does not answer: %s',
	async (name) => {
		expect(await texts(name)).toEqual(['complete']);
	},
);

concurrentTestWithBrowser.each(['late next', 'slow next'] as const)(
	'waits in a loop by page for the link to the next and for what it brings: %s',
	async (name) => {
		const { batch, rows } = await client.run(uuidOf(name));
		expect(rows).toEqual([{ Text: '1' }, { Text: '2' }, { Text: '3' }]);
		await service.logged({
			batchID: batch.batchID,
			msg: 'loop by page ended',
			reason: 'no .next',
		});
	},
);

concurrentTestWithBrowser.each(sample<Task>(['a link', 'all links', 'a form', 'a frame']))(
	'stays in its window when another one is opened by %s',
	async (name) => {
		expect(await texts(name)).toEqual(['the other page']);
	},
);

concurrentTestWithBrowser(
	'leaves to scripts what is sent to a frame that nobody sees',
	async () => {
		expect(await texts('an unseen frame')).toEqual(['got by a script']);
	},
);

concurrentTestWithBrowser('waits for a page that comes slowly after a click', async () => {
	expect(await texts('slow')).toEqual(['came slowly']);
});

concurrentTestWithBrowser(
	'keeps what scripts did on a page while it goes over its elements',
	async () => {
		expect(await texts('app')).toEqual(['one two']);
	},
);

concurrentTestWithBrowser(
	'has a context of its own for each job, so that jobs share no cookies',
	async () => {
		expect(await texts('cookies')).toEqual(['seen=1', '[seen=1]']);
		expect(await texts('cookies', { jobCount: 2 })).toEqual(['seen=1', '[]']);
	},
);

concurrentTestWithBrowser.each([
	['missing', 'could not be opened: HTTP 404, the page does not exist.'],
	['part', 'could not be opened: HTTP 206, the site has sent a part of the page only.'],
	['file', 'The address brings a file to be downloaded, and no page.'],
	['hidden', 'The element button is there, but could not be used in time: it is hidden.'],
] as const)('gives up at once a page that would fail again: %s', async (name, reason) => {
	const { batch, rows } = await client.run(uuidOf(name));
	expect(rows).toEqual([]);
	expect(batch.status).toBe(3);
	await service.logged({ batchID: batch.batchID, msg: 'batch successful' });
	const reasons = service.log.filter(
		(line) => line.batchID === batch.batchID && String(line.reason).includes(reason),
	);
	expect(reasons.map(({ msg }) => msg)).toEqual(['page failed, skipped']);
});

concurrentTestWithBrowser('closes its pages when a run is stopped', async () => {
	const batch = await client.start(uuidOf('hangs'));
	await client.waitFor(batch, ({ lineCount }) => lineCount > 0);
	while (hanging === 0) await sleep(20);
	await client.stop(uuidOf('hangs'));
	// The page's request ends as soon as its browser context is closed.
	while (hanging > 0) await sleep(20);
	expect(hanging).toBe(0);
});

describe('the demo tasks', () => {
	concurrentTestWithBrowser(
		'read the catalogue by scrolling: the same rows as the list has',
		async () => {
			const { batch, rows } = await cloudClient(demo).run('66666666-6666-4666-8666-666666666666');
			const list = await cloudClient(demo).run('11111111-1111-4111-8111-111111111111');
			expect(rows).toEqual(list.rows);
			expect(batch).toMatchObject({ lineCount: 72, duplicatedCount: 6 });
		},
	);

	concurrentTestWithBrowser('read the catalogue by typing into its filter', async () => {
		const { rows } = await cloudClient(demo).run('77777777-7777-4777-8777-777777777777');
		const kinds = rows.map(({ Name: name }) => name?.split(' ').at(-1));
		// Each lamp is listed twice.
		expect(kinds).toEqual([...Array<string>(12).fill('Lamp'), ...Array<string>(6).fill('Teapot')]);
	});
});
