import { sample } from '../support/length';
import { concurrentTestWithBrowser } from '../support/service/browser';
import { cloudClient } from '../support/service/cloudClient';
import { useSiteAndService } from '../support/inProcess/siteAndService';
import { extract, loop, step, task, uuidOf } from '../support/service/taskFiles';

// Lists that a click or a text changes only after a while.

const every = ['red lamp', 'blue lamp', 'blue mug'];
const blue = ['blue lamp', 'blue mug'];
const items = (texts: string[]) => texts.map((text) => `<li>${text}</li>`).join('');

/** What a page does with the `rows` that it has got; `after` waits for some milliseconds. */
const changes: Record<string, string> = {
	'a spinner that is shown for a while':
		'ul.hidden = true; await after(800); ul.hidden = false; put(rows)',
	'a timer after the answer': 'await after(900); put(rows)',
	'the list before, which leaves by a transition':
		"ul.style.opacity = '0'; await once(ul, 'transitionend'); put(rows); ul.style.opacity = '1'",
	'the list before, which leaves by an animation':
		'await ul.animate({ opacity: [1, 0] }, 700).finished; put(rows)',
	'rows that leave while others are there': `for (const row of [...ul.children])
		if (!rows.includes(row.textContent)) row.animate({ opacity: [1, 0] }, 700).onfinish = () => row.remove();`,
	'rows that are added while others leave': `const old = [...ul.children];
		ul.insertAdjacentHTML('beforeend', rows);
		for (const row of old) row.animate({ height: ['1em', '0'] }, 1200).onfinish = () => row.remove();`,
	'rows that are added, and others that are taken away by a timer': `const old = [...ul.children];
		ul.insertAdjacentHTML('beforeend', rows);
		await after(700);
		for (const row of old) row.remove();`,
	'an empty list for a while': "put(''); await after(900); put(rows)",
};

/**
 * What is done before: the page asks for its rows at once, or for none, or waits for the end of a word. `on`: what
 * the field listens to.
 */
const askings: Record<string, { asks: string; step: object; on?: string }> = {
	'a click': { asks: "await fetch('/rows')", step: step('click', { selector: '#blue' }) },
	'a click that asks for nothing': {
		asks: 'undefined',
		step: step('click', { selector: '#blue' }),
	},
	'a text': {
		asks: "await fetch('/rows')",
		step: step('inputText', { selector: '#word', text: 'blue' }),
	},
	'a text whose end is waited for': {
		asks: "await lull(1000), await fetch('/rows')",
		step: step('inputText', { selector: '#word', text: 'blue' }),
	},
	'a text whose keys are waited for': {
		asks: 'undefined',
		step: step('inputText', { selector: '#word', text: 'blue' }),
		on: 'onkeyup',
	},
	'a text whose field is to be left': {
		asks: 'undefined',
		step: step('inputText', { selector: '#word', text: 'blue' }),
		on: 'onchange',
	},
};

const variants = Object.keys(askings).flatMap((asking) =>
	Object.keys(changes).map((change): [string, string] => [asking, change]),
);

const pageOf = (asking: string, change: string) => `<style>ul { transition: opacity 0.8s }</style>
	<input id="word"><button id="blue">Blue</button><ul>${items(every)}</ul><script>
	const ul = document.querySelector('ul'), rows = '${items(blue)}';
	const after = (time) => new Promise((resolve) => setTimeout(resolve, time));
	const once = (target, name) => new Promise((resolve) => target.addEventListener(name, resolve, { once: true }));
	const put = (html) => (ul.innerHTML = html);
	let last = 0;
	const lull = async (time) => { const mine = (last += 1); await after(time); if (mine !== last) await new Promise(() => {}); };
	blue.onclick = word.${askings[asking]?.on ?? 'oninput'} = async () => {
		if (word.value !== '' && word.value !== 'blue') return;
		${askings[asking]?.asks};
		blue.onclick = word.${askings[asking]?.on ?? 'oninput'} = null;
		${changes[change]};
	};
</script>`;

const nameOf = (asking: string, change: string) => `${asking}, ${change}`;

const pages = new Map(
	variants.map(([asking, change]) => [
		`/${uuidOf(nameOf(asking, change))}`,
		pageOf(asking, change),
	]),
);

/** Prices between two that are typed, each of which counts once its field is left. */
const prices = `<input id="from"><input id="to"><ul></ul><script>
	const show = () => (document.querySelector('ul').innerHTML = [1, 2, 3, 4, 5]
		.filter((price) => price >= (from.value || 0) && price <= (to.value || 9)).map((price) => '<li>' + price + '</li>').join(''));
	const [from, to] = document.querySelectorAll('input');
	from.onchange = to.onchange = show;
	show();
</script>`;

/** A search that counts once its field is left, and shows more of its list by a button. */
const more = `<input><ul></ul><button>More</button><script>
	const [field, list, button] = document.querySelectorAll('input, ul, button');
	let size = 1;
	const show = () => {
		list.innerHTML = [1, 2, 3].slice(0, size).map((row) => '<li>' + field.value + ' ' + row + '</li>').join('');
		button.disabled = size === 3;
	};
	field.onchange = () => ((size = 1), show());
	button.onclick = () => ((size += 1), show());
	show();
</script>`;

/** A field that goes when something is typed into it, without any change of the list. */
const gone = `<input id="word" oninput="this.remove()"><ul>${items(every)}</ul>`;

const others: Record<string, string> = { '/prices': prices, '/gone': gone, '/more': more };

const { site, service } = useSiteAndService(
	({ url: { pathname } }) => others[pathname] ?? pages.get(pathname) ?? 'rows',
	() => {
		const tasks = variants.map(([asking, change]) => {
			const name = nameOf(asking, change);
			const steps = [
				step('navigate', { url: `${site.baseUrl}/${uuidOf(name)}` }),
				askings[asking]?.step ?? {},
				extract({ Text: {} }, 'li'),
			];
			return task(name, steps, { page: 'browser', requestsPerHost: 8 });
		});
		const between = task(
			'prices',
			[
				step('navigate', { url: `${site.baseUrl}/prices` }),
				step('inputText', { selector: '#from', text: '2' }),
				step('inputText', { selector: '#to', text: '4' }),
				extract({ Text: {} }, 'li'),
			],
			{ page: 'browser' },
		);
		const gone = task(
			'gone',
			[
				step('navigate', { url: `${site.baseUrl}/gone` }),
				step('inputText', { selector: '#word', text: 'blue' }),
				extract({ Text: {} }, 'li'),
			],
			{ page: 'browser' },
		);
		const longer = task(
			'more',
			[
				step('navigate', { url: `${site.baseUrl}/more` }),
				loop({ loopType: 'list', listType: 'textList', texts: ['red', 'blue'] }, [
					step('inputText', { selector: 'input', useLoopItem: true }),
					loop({ loopType: 'page', selector: 'button', timesMode: 'all' }, [
						step('wait', { selector: 'li' }),
					]),
					extract({ Text: {} }, 'li'),
				]),
			],
			{ page: 'browser' },
		);
		return {
			tasks: Object.fromEntries(
				[...tasks, between, gone, longer].map((each) => [each.taskID, each]),
			),
			env: { SERVICE_AGENTS: '8' },
		};
	},
);

concurrentTestWithBrowser.each(sample(variants))(
	'what is read after %s is what comes of it, whatever is there before: %s',
	async (asking, change) => {
		const { rows } = await cloudClient(service).run(uuidOf(nameOf(asking, change)));
		expect(rows.map(({ Text }) => Text)).toEqual(blue);
	},
);

concurrentTestWithBrowser('of several fields, the last is left as well as the others', async () => {
	const { rows } = await cloudClient(service).run(uuidOf('prices'));
	expect(rows.map(({ Text }) => Text)).toEqual(['2', '3', '4']);
});

concurrentTestWithBrowser('a field is left also where its list is made longer first', async () => {
	const { rows } = await cloudClient(service).run(uuidOf('more'));
	const all = ['red', 'blue'].flatMap((word) => [1, 2, 3].map((row) => `${word} ${row}`));
	expect(rows.map(({ Text }) => Text)).toEqual(all);
});

concurrentTestWithBrowser('a field that goes by what is typed into it has been left', async () => {
	const { rows } = await cloudClient(service).run(uuidOf('gone'));
	expect(rows.map(({ Text }) => Text)).toEqual(every);
});
