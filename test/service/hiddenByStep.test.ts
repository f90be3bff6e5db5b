import { useSiteAndService } from '../support/inProcess/siteAndService';
import { sample } from '../support/length';
import { concurrentTestWithBrowser } from '../support/service/browser';
import { cloudClient } from '../support/service/cloudClient';
import { extract, loop, step, task, uuidOf } from '../support/service/taskFiles';

// Entries that a page only hides when a step leaves them out, as filters of scripts do.

const names = ['red lamp', 'blue lamp', 'blue mug', 'old blue lamp'];
const hiding: Record<string, string> = {
	'a style': "row.style.display = isLeft ? '' : 'none'",
	'the attribute hidden': 'row.hidden = !isLeft',
	'a class': "row.classList.toggle('off', !isLeft)",
	'no visibility': "row.style.visibility = isLeft ? '' : 'hidden'",
	'what is around them': 'row.parentElement.hidden = !isLeft',
};

/** The last row is hidden from the beginning on: whoever reads pages may well want what a click would show. */
const pageOf = (hides: string) => `<style>.off { display: none }</style>
	<input id="word"><button id="blue">Blue</button><button id="none">None</button>
	<ul>${names.map((name) => `<div><li${name.startsWith('old') ? ' hidden' : ''}>${name}</li></div>`).join('')}</ul><script>
	const show = (word) => {
		for (const row of document.querySelectorAll('li:not([hidden]), li.seen')) {
			row.classList.add('seen');
			const isLeft = row.textContent.includes(word);
			${hides};
		}
	};
	blue.onclick = () => show('blue');
	none.onclick = () => show('green');
	word.oninput = () => show(word.value);
	for (const row of document.querySelectorAll('li')) row.onclick = () => {
		const isLeft = false;
		${hides};
	};
</script>`;

const click = step('click', { selector: '#blue' });
const type = step('inputText', { selector: '#word', text: 'blue' });
const rows = extract({ Text: {} }, 'li');
const left = ['blue lamp', 'blue mug', 'old blue lamp'];

const cases: Record<string, { steps: object[]; texts: string[] }> = {
	'a click': { steps: [click, rows], texts: left },
	'a text': { steps: [type, rows], texts: left },
	'a loop over what is left': {
		steps: [
			click,
			loop({ loopType: 'list', listType: 'elements', selector: 'li' }, [extract({ Text: {} })]),
		],
		texts: left,
	},
	'a click that leaves nothing': {
		steps: [step('click', { selector: '#none' }), rows],
		texts: ['old blue lamp'],
	},
	'a click in an entry that hides it': {
		steps: [
			loop({ loopType: 'list', listType: 'elements', selector: 'li:not([hidden])' }, [
				step('click', { useLoopItem: true }),
				extract({ Text: {} }),
			]),
		],
		texts: names.slice(0, 3),
	},
	'no step': { steps: [rows], texts: names },
};

/** One slide is shown at a time. */
const slides = `<style>.off { display: none }</style><button>Next</button>
	<p>1</p><p class="off">2</p><p class="off">3</p><script>
	let at = 0;
	document.querySelector('button').onclick = () => {
		const all = [...document.querySelectorAll('p')];
		all[at].classList.add('off');
		all[(at += 1)].classList.remove('off');
	};
</script>`;

/** What is looked for is hidden where nothing was found, and where nothing is looked for. */
const suggestions = `<input><ul hidden></ul><script>
	const [field, list] = [document.querySelector('input'), document.querySelector('ul')];
	field.oninput = () => {
		const found = ${JSON.stringify(names)}.filter((name) => field.value !== '' && name.includes(field.value));
		if (found.length > 0) list.innerHTML = found.map((name) => '<li>' + name + '</li>').join('');
		list.hidden = found.length === 0;
	};
</script>`;

/** Each panel is made when it is opened first, and is closed again by another click. */
const panels = `${names.map((name) => `<button aria-expanded="false">${name}</button><div hidden></div>`).join('')}<script>
	for (const button of document.querySelectorAll('button')) button.onclick = () => {
		const panel = button.nextElementSibling;
		panel.hidden = !panel.hidden;
		button.ariaExpanded = String(!panel.hidden);
		if (panel.textContent === '') panel.innerHTML = '<p>' + button.textContent + '</p>';
	};
</script>`;

const variants = Object.keys(cases).flatMap((name) =>
	Object.keys(hiding).map((how): [string, string] => [name, how]),
);

const { site, service } = useSiteAndService(
	({ url: { pathname } }) => {
		const page = { '/slides': slides, '/suggestions': suggestions, '/panels': panels }[pathname];
		if (page !== undefined) return page;
		const how = decodeURIComponent(pathname.slice(1));
		return pageOf(hiding[how] ?? '');
	},
	() => {
		const open = (path: string) => step('navigate', { url: `${site.baseUrl}/${path}` });
		const options = { page: 'browser', requestsPerHost: 8 } as const;
		const tasks = variants.map(([name, how]) =>
			task(
				`${name}, ${how}`,
				[open(encodeURIComponent(how)), ...(cases[name]?.steps ?? [])],
				options,
			),
		);
		const turning = ['first', 'second'].map((name) => step('click', { selector: 'button' }, name));
		const ofSlides = task(
			'slides',
			[open('slides'), ...turning, extract({ Text: {} }, 'p')],
			options,
		);
		const texts = ['red', 'green', 'blue'];
		const ofSuggestions = task(
			'suggestions',
			[
				open('suggestions'),
				loop({ loopType: 'list', listType: 'textList', texts }, [
					step('inputText', { selector: 'input', useLoopItem: true }),
					rows,
				]),
			],
			options,
		);
		const ofPanels = task(
			'panels',
			[
				open('panels'),
				loop({ loopType: 'list', listType: 'elements', selector: 'button' }, [
					step('click', { useLoopItem: true }),
					extract({ Text: {} }, ':root p'),
				]),
			],
			options,
		);
		return {
			tasks: Object.fromEntries(
				[...tasks, ofSlides, ofSuggestions, ofPanels].map((each) => [each.taskID, each]),
			),
			env: { SERVICE_AGENTS: '8' },
		};
	},
);

async function textsOf(name: string) {
	const { rows } = await cloudClient(service).run(uuidOf(name));
	return rows.map(({ Text }) => Text);
}

concurrentTestWithBrowser.each(sample(variants))(
	'after %s, entries that it has hidden by %s are not there',
	async (name, how) => {
		expect(await textsOf(`${name}, ${how}`)).toEqual(cases[name]?.texts);
	},
);

concurrentTestWithBrowser('of several clicks, each leaves out what it hides', async () => {
	expect(await textsOf('slides')).toEqual(['3']);
});

concurrentTestWithBrowser(
	'what was found for another text is not read where nothing is found',
	async () => {
		expect(await textsOf('suggestions')).toEqual([
			'red lamp',
			'blue lamp',
			'blue mug',
			'old blue lamp',
		]);
	},
);

concurrentTestWithBrowser(
	'of panels that are opened one after the other, each is read once',
	async () => {
		expect(await textsOf('panels')).toEqual(names);
	},
);
