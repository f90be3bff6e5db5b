import { concurrentTestWithBrowser } from '../support/service/browser';
import { cloudClient, type CloudClient } from '../support/service/cloudClient';
import { startService, type RunningService } from '../support/inProcess/startService';
import { startSite, type Site } from '../support/service/startSite';
import { extract, loop, step, task, uuidOf } from '../support/service/taskFiles';

// Lists of 60 rows that come while they are scrolled through, side by side: it is mostly waiting.

const rows = Array.from({ length: 60 }, (_, index) => `row ${index}`);

const style = `<style>
	body { margin: 0 }
	p { margin: 0; height: 50px }
	.beside { height: 300px; width: 100px; overflow: auto }
	.list { height: 400px; overflow: auto; position: relative }
</style>`;

/** A list of twenty rows, and twenty more each time that its end is near; `scrolled`: what it does to see to that. */
const twentyByTwenty = (scrolled: string) => `<div class="list"></div><script>
	const list = document.querySelector('.list');
	let shown = 0;
	const more = () => {
		for (const end = Math.min(shown + 20, 60); shown < end; shown += 1) {
			list.insertAdjacentHTML('beforeend', '<p>row ' + shown + '</p>');
		}
	};
	list.addEventListener('scroll', () => {
		${scrolled}
	});
	more();
</script>`;

const growing = `${style}<div class="beside"><div style="height: 900px">menu</div></div>${twentyByTwenty(
	'if (list.scrollTop + list.clientHeight > list.scrollHeight - 50) setTimeout(more, 300);',
)}`;

/** Only the rows that are seen are there, as many as elements as at any other place. */
const virtual = (
	scroller: string,
) => `${style}<div class="${scroller}"><div class="space"></div></div><script>
	const space = document.querySelector('.space');
	const scroller = document.querySelector('.list') ?? document.scrollingElement;
	space.style.cssText = 'height: 3000px; position: relative';
	const show = () => {
		const first = Math.min(Math.floor(scroller.scrollTop / 50), 40);
		space.innerHTML = Array.from({ length: 20 }, (_, index) =>
			'<p style="position: absolute; top: ' + (first + index) * 50 + 'px">row ' + (first + index) + '</p>'
		).join('');
	};
	(scroller === document.scrollingElement ? window : scroller).addEventListener('scroll', show);
	show();
</script>`;

/** The same, by a script that guesses how long all of it is, and makes more rows than are seen after a long way. */
const guessing = virtual('list').replace(
	'show();\n</script>',
	`let [last, turns] = [0, 0];
	scroller.addEventListener('scroll', () => {
		const isFar = Math.abs(scroller.scrollTop - last) > scroller.clientHeight * 1.5;
		last = scroller.scrollTop;
		space.style.height = (isFar ? 2700 : 3000 + turns++) + 'px';
		if (isFar) space.insertAdjacentHTML('beforeend', '<i></i>'.repeat(20));
	});
	show();
</script>`,
);

/** The same, by elements that are used again, each where its row is; a row says the same as one far above. */
const equal = rows.with(45, 'row 3');
const recycled = `${style}<div class="list"><div class="space"></div></div><script>
	const [list, space, rows] = [document.querySelector('.list'), document.querySelector('.space'), ${JSON.stringify(equal)}];
	space.style.cssText = 'height: 3000px; position: relative';
	space.innerHTML = '<p style="position: absolute"></p>'.repeat(20);
	const show = () => {
		const first = Math.min(Math.floor(list.scrollTop / 50), 40);
		for (let row = first; row < first + 20; row += 1) {
			const used = space.children[row % 20];
			used.style.transform = 'translateY(' + row * 50 + 'px)';
			used.textContent = rows[row];
		}
	};
	list.addEventListener('scroll', show);
	show();
</script>`;

/** Rows that are there at once, over many windows; at their end another one comes. */
const long = `${style}<style>p { height: 300px }</style><div class="rows">
	${rows.map((row) => `<p>${row}</p>`).join('')}</div><script>
	let coming = true;
	addEventListener('scroll', () => {
		if (!coming || innerHeight + scrollY < document.body.scrollHeight - 50) return;
		coming = false;
		setTimeout(() => document.body.insertAdjacentHTML('beforeend', '<p>the last</p>'), 500);
	});
</script>`;

/** A list that only its wheel moves, and one that goes sideways. */
const wheeled = virtual('list').replace('overflow: auto', 'overflow: hidden');
const across = `${style}<style>.list { white-space: nowrap; width: 400px; overflow-y: hidden; height: 45px } .list p { display: inline-block; width: 80px }</style>
	${twentyByTwenty('if (list.scrollLeft + list.clientWidth > list.scrollWidth - 50) more();')}`;

/** Lists that do not scroll: by the wheel a script shows slides of them, each after a while, or moves them. */
const turned = `${style}<div class="list" style="overflow: hidden"></div><script>
	const [list, texts] = [document.querySelector('.list'), ${JSON.stringify(rows)}];
	let [at, free] = [0, 0];
	const show = () => (list.innerHTML = texts.slice(at, at + 20).map((text) => '<p>' + text + '</p>').join(''));
	list.addEventListener('wheel', (event) => {
		event.preventDefault();
		if (performance.now() < free) return;
		free = performance.now() + 1_200;
		at = Math.min(at + Math.sign(event.deltaY) * 20, 40);
		setTimeout(show, 400);
	}, { passive: false });
	show();
</script>`;
const moved = `${style}<style>body { height: 100vh; overflow: hidden } .list { height: auto }</style>
	${twentyByTwenty('')}<script>
	let up = 0;
	addEventListener('wheel', (event) => {
		up = Math.max(Math.min(up + event.deltaY, list.offsetHeight - innerHeight), 0);
		list.style.transform = 'translateY(' + -up + 'px)';
		if (up > list.offsetHeight - innerHeight - 50) setTimeout(more, 300);
	}, { passive: true });
</script>`;

/** The body scrolls in the place of the window. */
const ofBody = `<style>html, body { height: 100%; overflow-x: hidden }</style>${style}<style>.list { height: auto; overflow: visible }</style>
	${twentyByTwenty('')}<script>
	document.body.addEventListener('scroll', ({ target: body }) => {
		if (body.scrollTop + body.clientHeight > body.scrollHeight - 50) more();
	});
</script>`;

/** It grows twice by itself; the rest of it is left to a button, or there is none. */
const byItself = (behind: string) =>
	`${style}${twentyByTwenty('')}<div style="height: 1px"></div>${behind}<style>.list { height: auto }</style><script>
	addEventListener('scroll', () => scrollY + innerHeight > document.body.scrollHeight - 50 && shown < 40 && more());
</script>`;

/** It is shorter than the window at first, which nobody can scroll then, and grows where that is. */
const short = `${style}<style>body { height: auto }</style><div></div><script>
	const [list, rows] = [document.querySelector('div'), ${JSON.stringify(rows)}];
	const more = () => list.insertAdjacentHTML('beforeend', rows.splice(0, 5).map((row) => '<p>' + row + '</p>').join(''));
	addEventListener('scroll', () => innerHeight + scrollY > document.body.scrollHeight - 50 && more());
	more();
</script>`;

const pages: Record<string, string> = {
	'/short': short,
	'/leftToClicks': byItself('<button onclick="more()">Load more <b>products</b></button>'),
	'/rest': byItself('<button onclick="more()">See all 60</button>'),
	'/whole': byItself(
		'<a href="/all">Show more brands</a><button>Read more</button><button disabled>Load more</button><button>View all offers</button><button hidden>Load more</button><div>' +
			'On lamps. '.repeat(30) +
			'</div><button>Show more</button>',
	),
	'/growing': growing,
	'/virtual': virtual('list'),
	'/virtualPage': virtual('page'),
	'/guessing': guessing,
	'/recycled': recycled,
	'/ofBody': ofBody,
	'/wheeled': wheeled,
	'/turned': turned,
	'/moved': moved,
	'/across': across,
	'/long': long,
	'/takenBack': `${style}${'<p>row</p>'.repeat(100)}<script>
		addEventListener('scroll', () => scrollTo(0, 0));
	</script>`,
	'/ticker': `${style}<style>body { overflow: hidden } i { display: inline-block; width: 5000px; animation: on 60s linear infinite } @keyframes on { to { transform: translateX(-5000px) } }</style><p>row</p><i>news</i>`,
	'/clock': `${style}<p>row</p><i></i><script>
		setInterval(() => document.querySelector('i').textContent = Math.random(), 50);
	</script>`,
};

const scrolled = (page: string, selector?: string, name = selector ? `${page} named` : page) =>
	task(
		name,
		[
			step('navigate', { url: `{base}/${page}` }),
			loop({ loopType: 'scroll', timesMode: 'all', ...(selector && { selector }) }, [
				extract({ Text: {} }, 'p'),
			]),
		],
		{ page: 'browser' },
	);

/** To the end of what comes by itself, then by clicks up to the end. */
const scrolledThenClicked = task(
	'then clicked',
	[
		step('navigate', { url: '{base}/leftToClicks' }),
		loop({ loopType: 'scroll', timesMode: 'all' }, [step('wait', { milliseconds: 1 })]),
		loop({ loopType: 'page', selector: 'button', timesMode: 'all' }, [
			step('wait', { selector: 'p' }),
		]),
		extract({ Text: {} }, 'p'),
	],
	{ page: 'browser' },
);

/** Each page of a loop by page, to its end. */
const scrolledOnEachPage = task(
	'on each page',
	[
		step('navigate', { url: '{base}/leftToClicks' }),
		loop({ loopType: 'page', selector: 'button', timesMode: 'custom', times: 1 }, [
			loop({ loopType: 'scroll', timesMode: 'all' }, [extract({ Text: {} }, 'p')]),
		]),
	],
	{ page: 'browser' },
);

let site: Site;
let service: RunningService;
let client: CloudClient;

beforeAll(async () => {
	site = await startSite(({ url }) => pages[url.pathname] ?? { status: 404 });
	const tasks = [
		scrolled('growing'),
		scrolled('growing', '.list'),
		scrolled('virtual'),
		scrolled('virtual', '.list'),
		scrolled('virtualPage'),
		scrolled('guessing'),
		scrolled('recycled'),
		scrolled('ofBody'),
		scrolled('wheeled'),
		scrolled('turned'),
		scrolled('moved'),
		scrolled('across', '.list'),
		scrolled('long'),
		scrolled('short'),
		scrolled('clock'),
		scrolled('ticker'),
		scrolled('takenBack'),
		scrolled('leftToClicks'),
		scrolled('rest'),
		scrolled('whole'),
		scrolled('growing', '.nowhere', 'nowhere'),
		scrolledThenClicked,
		scrolledOnEachPage,
	];
	const files = tasks.map((content, index): [string, string] => [
		String(index),
		JSON.stringify(content).replaceAll('{base}', site.baseUrl),
	]);
	service = await startService({ tasks: Object.fromEntries(files) });
	client = cloudClient(service);
}, 300_000);

afterAll(async () => {
	await service?.stop();
	await site?.stop();
});

async function texts(name: string): Promise<(string | undefined)[]> {
	return (await client.run(uuidOf(name))).rows.map(({ Text: text }) => text);
}

concurrentTestWithBrowser.each([
	['inside of the element that is named', 'growing named'],
	['inside of the largest list where the window cannot scroll', 'growing'],
	['that are there only while they are seen', 'virtual named'],
	['that are there only while they are seen, where the window cannot scroll', 'virtual'],
	['that are there only while they are seen in the window', 'virtualPage'],
	['where the body scrolls in the place of the window', 'ofBody'],
	['to a list that is shorter than the window', 'short'],
	['in a list that only its wheel moves', 'wheeled'],
	['in a list of which a script shows a part, by the wheel', 'turned'],
	['on a page that a script moves as a whole, by the wheel', 'moved'],
	['as a list goes sideways', 'across named'],
])('all rows are read that come %s', async (_, name) => {
	expect(await texts(name)).toEqual(rows);
});

concurrentTestWithBrowser(
	'rows are in order whose elements are used again, and equal ones are there that are far apart',
	async () => {
		expect(await texts('recycled')).toEqual(equal);
	},
);

concurrentTestWithBrowser('scrolls through all that is there to where more comes', async () => {
	expect(await texts('long')).toEqual([...rows, 'the last']);
});

concurrentTestWithBrowser('ends at the end of a list that guesses its length', async () => {
	const { batch, rows: read } = await client.run(uuidOf('guessing'));
	expect(read.map(({ Text: text }) => text)).toEqual(rows);
	await service.logged({ batchID: batch.batchID, msg: 'batch successful' });
	const ended = service.log.filter(
		({ msg, batchID }) => msg === 'loop ended' && batchID === batch.batchID,
	);
	expect(ended).toEqual([]);
});

concurrentTestWithBrowser.each([
	[
		'tells of a button that brings the rest',
		'leftToClicks',
		40,
		[expect.stringMatching(/“Load more products”/)],
	],
	['tells of one that shows them all', 'rest', 40, [expect.stringMatching(/“See all 60”/)]],
	['tells of no button that brings nothing of it', 'whole', 40, []],
	['tells of none that the next loop clicks', 'then clicked', 60, []],
	['tells of none that the loop around it clicks', 'on each page', 40, []],
])('at the end of a list, a loop %s', async (_, name, count, told) => {
	const { batch, rows: read } = await client.run(uuidOf(name));
	expect(read).toHaveLength(count);
	await service.logged({ batchID: batch.batchID, msg: 'batch successful' });
	const ended = service.log.filter(
		({ msg, batchID }) => msg === 'loop ended' && batchID === batch.batchID,
	);
	expect(ended.map(({ reason }) => reason)).toEqual(told);
});

concurrentTestWithBrowser('ends at the end of a page on which something moves', async () => {
	expect(await texts('clock')).toEqual(['row']);
});

concurrentTestWithBrowser('ends on a page that cannot scroll and has a ticker', async () => {
	expect(await texts('ticker')).toEqual(['row']);
});

concurrentTestWithBrowser('ends on a page that takes scrolling back', async () => {
	expect(await texts('takenBack')).toHaveLength(100);
});

concurrentTestWithBrowser(
	'reads what there is when the element to scroll is missing, and says so',
	async () => {
		expect(await texts('nowhere')).toEqual(rows.slice(0, 20));
		expect(service.log.map(({ reason }) => reason)).toContain('The page has no element .nowhere.');
	},
);
