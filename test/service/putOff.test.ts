import { setTimeout as sleep } from 'node:timers/promises';
import { sample } from '../support/length';
import { useSiteAndService } from '../support/inProcess/siteAndService';
import { concurrentTestWithBrowser } from '../support/service/browser';
import { cloudClient } from '../support/service/cloudClient';
import { extract, loop, step, task, uuidOf } from '../support/service/taskFiles';

// Pages that put off what they show, as for a spinner that is to be seen for a while: until then, what was asked for
// before is there, or some of what is to be read lacks.

const words = ['red', 'green', 'blue'];
const rowsOf = (word: string) =>
	[1, 2].map((row) => ({ Name: `${word} ${row}`, Price: `${row}.50` }));

/** Shows what was asked for when a time has passed (`by`); before, what `meanwhile` does with the list. */
const listPage = (
	meanwhile: string,
	by = 'setTimeout(work, 900)',
) => `<body><input><select><option>all</option>${words
	.map((word) => `<option>${word}</option>`)
	.join('')}</select>${words.map((word) => `<button>${word}</button>`).join('')}<ul></ul><script>
	const list = document.querySelector('ul');
	const later = (work) => { ${by} };
	const show = (word) => {
		${meanwhile};
		later(() => (list.innerHTML = [1, 2].map((row) =>
			'<li><b>' + word + ' ' + row + '</b><i>' + row + '.50</i></li>').join('')));
	};
	show('all');
	for (const button of document.querySelectorAll('button')) button.onclick = () => show(button.textContent);
	document.querySelector('select').onchange = ({ target }) => show(target.value || 'all');
	document.querySelector('input').oninput = ({ target }) => show(target.value || 'all');
</script></body>`;

const spinner = "list.innerHTML = '<p>…</p>'";
const meanwhiles: Record<string, [meanwhile: string, by?: string]> = {
	'a spinner': [spinner],
	'a spinner, up to the first turn of an interval': [
		spinner,
		'{ const once = setInterval(() => { clearInterval(once); work() }, 900) }',
	],
	'a spinner, up to a task': [spinner, 'scheduler.postTask(work, { delay: 900 })'],
	'the list before': ["list.style.opacity = '0.5'"],
	'rows without their prices': [
		`list.innerHTML = [1, 2].map((row) =>
		'<li><b>' + word + ' ' + row + '</b><i></i></li>').join('')`,
	],
	'dots in the place of their prices': [
		`list.innerHTML = [1, 2].map((row) =>
		'<li><b>' + word + ' ' + row + '</b><i>Price: …</i></li>').join('')`,
	],
	'strokes in the place of all, up to a request': [
		`list.innerHTML = [1, 2].map(() => '<li><b>--</b><i>--</i></li>').join('')`,
		"setTimeout(() => fetch('/later').then(work), 700)",
	],
};

const byWord = (selector: string) => [
	loop({ loopType: 'list', listType: 'textList', texts: words }, [
		step('inputText', { selector, useLoopItem: true }),
		extract({ Name: 'b', Price: 'i' }, ':root li'),
	]),
];
const ways: Record<string, object[]> = {
	clicked: [
		loop({ loopType: 'list', listType: 'elements', selector: 'button' }, [
			step('click', { useLoopItem: true }),
			extract({ Name: 'b', Price: 'i' }, ':root li'),
		]),
	],
	typed: byWord('input'),
	chosen: byWord('select'),
};
const variants = Object.keys(meanwhiles).flatMap((name) =>
	Object.keys(ways).map((way): [string, string] => [way, name]),
);

const clicking = [
	loop({ loopType: 'count', times: 6 }, [
		step('click', { selector: 'button' }),
		extract({ Said: 'p' }),
	]),
];

/** Timers as a page may ask for them, and what it has of each. */
const timersPage = `<p></p><script>
	const said = [];
	const say = (...given) => said.push(given.join(' '));
	setTimeout("say('text')", 1);
	setTimeout(say, '2', 'texts', 'given');
	setTimeout(function () { say(this === window) }, 3);
	setTimeout.call(undefined, say, 4, 'called');
	clearTimeout(setTimeout(say, 0, 'never'));
	clearInterval(String(setTimeout(say, 0, 'never')));
	const every = setInterval(() => { say('every'); clearTimeout(every) }, 5);
	setTimeout(() => { throw new Error('of the page') }, 6);
	try { setTimeout() } catch ({ name }) { say(name) }
	Object.defineProperty(Array.prototype, Symbol.iterator, { value() { throw new Error('iterator') } });
	Function = undefined;
	String = Number = () => { throw new Error('of the page') };
	setTimeout(function own() { say('called by', own.caller) }, 7);
	scheduler.postTask(function own() { return 'task ' + own.caller }, { delay: 9 }).then(say);
	const stopped = new AbortController();
	scheduler.postTask(() => say('never'), { delay: 9, signal: stopped.signal }).catch(({ name }) => say(name));
	stopped.abort();
	say(setTimeout.name, setTimeout.length, typeof every);
	setTimeout(() => (document.querySelector('p').textContent = said.join(', ')), 150);
</script>`;

/** Says on each click how long ago the one before was, and has put something off that changes nothing. */
const idlePage = `<body><button>Go</button><p></p><script>
	let last;
	document.querySelector('button').onclick = () => {
		const now = performance.now();
		const ago = Math.round(now - (last ?? now));
		last = now;
		setTimeout(() => undefined, 1_900);
		setTimeout(() => (document.querySelector('p').textContent = ago), 50);
	};
</script></body>`;

/** Does something after some frames of the screen, as libraries of animations do; they may ask for more all the time. */
const byFrames = `const begun = performance.now();
	const frame = () => (performance.now() - begun < 600 ? requestAnimationFrame(frame) : work());
	requestAnimationFrame(frame)`;
const allTheTime = 'const turn = () => requestAnimationFrame(turn); turn()';

/** Says on each click what that is of at once, and its price a moment later. */
const pricePage = (
	by = 'setTimeout(work, 900)',
	more = '',
) => `<body>${[1, 2, 3].map((n) => `<button>${n}</button>`).join('')}<b></b><i></i><script>
	for (const button of document.querySelectorAll('button')) button.onclick = () => {
		document.querySelector('b').textContent = 'item ' + button.textContent;
		const work = () => (document.querySelector('i').textContent = button.textContent + '.50');
		${by};
	};
	${more};
</script></body>`;

const prices: Record<string, string> = {
	'a timer': pricePage(),
	frames: pricePage(byFrames),
	'frames, beside others': pricePage(byFrames, allTheTime),
};

/** Says by its frames what its item costs. */
const framedPage = `<body><b>item</b><i></i><script>
	const work = () => (document.querySelector('i').textContent = '1.50');
	${byFrames};
</script></body>`;

/** Says something for a while on each click. */
const messagePage = `<body><button>Go</button><p></p><script>
	const said = document.querySelector('p');
	document.querySelector('button').onclick = () => {
		said.textContent = 'said';
		setTimeout(() => (said.textContent = ''), 1_900);
	};
</script></body>`;

const { site, service } = useSiteAndService(
	({ url: { pathname, search } }) => {
		if (pathname === '/later') return sleep(400, '');
		if (pathname === '/timers') return timersPage;
		if (pathname === '/idle') return idlePage;
		if (pathname === '/framed') return framedPage;
		if (pathname === '/message') return messagePage;
		if (pathname === '/price') return prices[decodeURIComponent(search.slice(1))] ?? '';
		return listPage(...(meanwhiles[decodeURIComponent(search.slice(1))] ?? ['']));
	},
	() => {
		const on = (name: string, url: string, steps: object[]) =>
			task(name, [step('navigate', { url: site.baseUrl + url }), ...steps], {
				page: 'browser',
				requestsPerHost: 4,
			});
		const tasks = [
			...variants.map(([way, name]) =>
				on(`${way} ${name}`, `/?${encodeURIComponent(name)}`, ways[way] ?? []),
			),
			on('timers', '/timers', [extract({ Said: 'p' })]),
			on('idle', '/idle', clicking),
			on('framed', '/framed', [extract({ Name: 'b', Price: 'i' })]),
			on('message', '/message', clicking),
			...Object.keys(prices).map((by) =>
				on(`price ${by}`, `/price?${encodeURIComponent(by)}`, [
					loop({ loopType: 'list', listType: 'elements', selector: 'button' }, [
						step('click', { useLoopItem: true }),
						extract({ Name: ':root b', Price: ':root i' }),
					]),
				]),
			),
		];
		return {
			tasks: Object.fromEntries(tasks.map((each) => [each.taskID, each])),
			env: { SERVICE_AGENTS: '4' },
		};
	},
);

concurrentTestWithBrowser.each(sample(variants))(
	'what is %s is waited for behind %s',
	async (way, name) => {
		const { rows } = await cloudClient(service).run(uuidOf(`${way} ${name}`));
		expect(rows).toEqual(words.flatMap(rowsOf));
	},
);

concurrentTestWithBrowser('timers of a page do what they are to', async () => {
	const { rows } = await cloudClient(service).run(uuidOf('timers'));
	const said =
		'TypeError, setTimeout 1 number, AbortError, text, texts given, true, called, every, called by , task null';
	expect(rows).toEqual([{ Said: said }]);
});

concurrentTestWithBrowser('what changes nothing twice is not waited for again', async () => {
	const { rows } = await cloudClient(service).run(uuidOf('idle'));
	const pauses = rows.slice(1).map(({ Said: said }) => Number(said));
	const waited = Math.min(...pauses.slice(0, 2));
	expect(waited).toBeGreaterThan(1_800);
	// Whatever a click takes on a busy machine, it is not as long as one that is waited for as well.
	expect(Math.min(...pauses.slice(2))).toBeLessThan(waited - 1_000);
});

concurrentTestWithBrowser('what is shown for a while is read before it goes', async () => {
	const { rows } = await cloudClient(service).run(uuidOf('message'));
	// On a busy machine, it may have gone now and then.
	expect(rows.map(({ Said: said }) => said)).toContain('said');
});

concurrentTestWithBrowser(
	'a column that says nothing is waited for up to the last frame',
	async () => {
		const { rows } = await cloudClient(service).run(uuidOf('framed'));
		expect(rows).toEqual([{ Name: 'item', Price: '1.50' }]);
	},
);

concurrentTestWithBrowser.each(Object.keys(prices))(
	'a price that comes behind its name is waited for: by %s',
	async (by) => {
		const { rows } = await cloudClient(service).run(uuidOf(`price ${by}`));
		expect(rows).toEqual([1, 2, 3].map((n) => ({ Name: `item ${n}`, Price: `${n}.50` })));
	},
);
