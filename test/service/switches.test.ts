import { sample } from '../support/length';
import { describeWithBrowser } from '../support/service/browser';
import { cloudClient, type CloudClient } from '../support/service/cloudClient';
import { startService, type RunningService } from '../support/inProcess/startService';
import { startSite, type Site } from '../support/service/startSite';
import { extract, loop, step, task, uuidOf } from '../support/service/taskFiles';

// What a click switches on, the next click switches off: boxes, and what opens and closes. A page in a
// browser stays from round to round.

/** Texts that open where they are clicked, and boxes of a form, which its site says back; the first answer for a text fails. */
const manyPage = (search: string) => `<!doctype html><p id=sent>${search}</p>
	<form>${['red', 'blue', 'green'].map((name) => `<label><input type=checkbox name=${name} value=1>${name}</label>`).join('')}<button>Show</button></form>
	<section>${['1', '2', '3'].map((name) => `<div><p>${name}</p><button aria-expanded=false>More</button></div>`).join('')}</section>
	<script>
		for (const button of document.querySelectorAll('section button')) button.onclick = async () => {
			const [text] = button.parentNode.children;
			const isOpen = button.ariaExpanded === 'true';
			if (!isOpen) {
				const answer = await fetch('/more?' + text.textContent);
				if (!answer.ok) return;
				text.textContent += await answer.text();
			} else text.textContent = text.textContent[0];
			button.ariaExpanded = String(!isOpen);
		};
	</script>`;

/** Shows what is on, in the words of each switch. */
const page = `<!doctype html>
	<input id=word>
	<label id=label><input id=box type=checkbox> Only what is on sale</label>
	<input type=radio name=sort value=price id=price><input type=radio name=sort value=age id=age>
	<button id=pressed aria-pressed=false><b>Sale</b></button>
	<div id=expanded aria-expanded=false>More</div>
	<details><summary id=summary>More</summary><p>What is more</p></details>
	<button id=next>Next</button>
	<p id=shown></p>
	<script>
		const at = (id) => document.getElementById(id);
		let page = 1;
		const show = () => {
			const on = [
				at('box').checked && 'box', at('price').checked && 'price', at('age').checked && 'age',
				at('pressed').ariaPressed === 'true' && 'pressed',
				at('expanded').ariaExpanded === 'true' && 'expanded',
				document.querySelector('details').open && 'summary',
			];
			at('shown').textContent = [page, at('word').value, ...on].filter(Boolean).join(' ');
		};
		addEventListener('input', show);
		addEventListener('toggle', show, true);
		for (const [id, name] of [['pressed', 'ariaPressed'], ['expanded', 'ariaExpanded']])
			at(id).onclick = ({ currentTarget: it }) => { it[name] = String(it[name] !== 'true'); show(); };
		at('next').onclick = () => { page += 1; show(); };
		show();
	</script>`;

/** Lists of choices that are there while they are open, and close on each choice; by what opens them. */
const choiceLists: Record<string, string> = {
	'a button': '<button id=open aria-expanded=false>Colour</button>',
	'what is drawn around a field': `<div id=open>Colour <input role=combobox aria-expanded=false readonly></div>`,
	'a summary': '<details><summary id=open>Colour</summary></details>',
};
const choicesPage = (opener: string) => `<!doctype html>${opener}<ul></ul><p id=chosen></p>
	<script>
		const [open, list, details] = ['#open', 'ul', 'details'].map((each) => document.querySelector(each));
		const said = document.querySelector('[aria-expanded]');
		const isOpen = () => (details ? details.open : said.ariaExpanded === 'true');
		const show = (isNow) => {
			if (said) said.ariaExpanded = String(isNow);
			list.innerHTML = isNow ? '<li>red<li>blue<li>green' : '';
			for (const item of list.children) item.onclick = () => {
				document.querySelector('#chosen').textContent = item.textContent;
				if (details) details.open = false;
				show(false);
			};
		};
		open.onclick = () => show(!isOpen());
	</script>`;

const names = ['box', 'price', 'pressed', 'expanded', 'summary'];
/** What is clicked to switch something on. */
const clicked = { label: 'box', ...Object.fromEntries(names.map((name) => [name, name])) };

const shown = extract({ Shown: '#shown' });
const open = step('navigate', { url: '{base}' });
const browserTask = (name: string, ...steps: object[]) =>
	task(name, [open, ...steps], { page: 'browser' });

const tasks = Object.fromEntries(
	Object.keys(clicked).flatMap((id) => {
		const click = step('click', { selector: `#${id}` });
		const type = step('inputText', { selector: '#word', useLoopItem: true });
		const words = { loopType: 'list', listType: 'textList', texts: ['a', 'b', 'c'] };
		const pages = { loopType: 'page', selector: '#next', timesMode: 'custom', times: 2 };
		const times = { loopType: 'count', times: 4 };
		return [
			[`words ${id}`, browserTask(`words ${id}`, loop(words, [click, type, shown]))],
			[`pages ${id}`, browserTask(`pages ${id}`, loop(pages, [click, shown]))],
			[`times ${id}`, browserTask(`times ${id}`, loop(times, [click, shown]))],
		];
	}),
);

describeWithBrowser('what a click switches', () => {
	let site: Site;
	let service: RunningService;
	let client: CloudClient;

	beforeAll(async () => {
		let isAsked = false;
		site = await startSite(({ url: { pathname, search } }) => {
			if (pathname === '/many') return manyPage(search);
			if (pathname === '/word')
				return `<form><input id="word" name="word"><button></button></form><b id="sent">${search}</b>`;
			const opener = choiceLists[decodeURIComponent(search.slice(1))];
			if (opener !== undefined) return choicesPage(opener);
			if (pathname !== '/more') return page;
			const isFirst = search === '?2' && !isAsked;
			isAsked ||= isFirst;
			return isFirst ? { status: 503 } : ' and more';
		});
		const radios = browserTask(
			'radios',
			step('click', { selector: '#age' }),
			loop({ loopType: 'list', listType: 'textList', texts: ['a', 'b'] }, [
				extract({ Before: '#shown' }),
				step('click', { selector: '#price' }),
				extract({ After: '#shown' }, 'body'),
			]),
		);
		const openAndClose = browserTask(
			'open and close',
			loop({ loopType: 'count', times: 3 }, [
				step('click', { selector: '#pressed' }, 'open'),
				shown,
				step('click', { selector: '#pressed' }, 'close'),
			]),
		);
		const elements = (selector: string, ...steps: object[]) =>
			loop({ loopType: 'list', listType: 'elements', selector }, steps);
		const clickItem = step('click', { useLoopItem: true });
		const [openMany, text] = [step('navigate', { url: '{base}/many' }), { Text: 'p' }];
		const opened = [elements('section button', clickItem), extract(text, 'div')];
		const type = step('inputText', { selector: 'input', text: 'true' });
		const boxes = (name: string, tick: object, page: string) =>
			task(
				name,
				[
					openMany,
					elements('label:not(:last-of-type)', tick),
					step('click', { selector: 'form button' }),
					extract({ Sent: '#sent' }),
				],
				{ page },
			);
		const over = (name: string, page: string) =>
			task(
				name,
				[
					step('navigate', { url: '{base}/word' }),
					loop({ loopType: 'list', listType: 'textList', texts: ['a', 'b'] }, [
						step('inputText', { selector: '#word', useLoopItem: true }),
					]),
					step('click', { selector: 'form button' }),
					extract({ Sent: '#sent' }),
				],
				{ page },
			);
		const all: Record<string, object> = {
			...tasks,
			radios,
			openAndClose,
			each: browserTask(
				'each',
				loop({ loopType: 'list', listType: 'textList', texts: ['a', 'b'] }, [
					step('inputText', { selector: '#word', useLoopItem: true }),
					elements(names.map((id) => `#${id}`).join(), clickItem),
					shown,
				]),
			),
			opened: task('opened', [openMany, ...opened], { page: 'browser', tries: 3 }),
			...Object.fromEntries(
				Object.keys(choiceLists).map((name) => [
					name,
					task(
						name,
						[
							step('navigate', { url: `{base}/?${encodeURIComponent(name)}` }),
							step('click', { selector: '#open' }),
							elements('li', clickItem, extract({ Text: ':root #chosen' })),
							extract({ End: 'body' }),
						],
						{ page: 'browser' },
					),
				]),
			),
			clickedBoxes: boxes('clickedBoxes', clickItem, 'browser'),
			...Object.fromEntries(
				['browser', 'http'].flatMap((page) => [
					[`typed ${page}`, boxes(`typed ${page}`, type, page)],
					[`typed over ${page}`, over(`typed over ${page}`, page)],
				]),
			),
		};
		const files = Object.entries(all).map(([name, content]): [string, string] => [
			name,
			JSON.stringify(content).replaceAll('{base}', site.baseUrl),
		]);
		service = await startService({ tasks: Object.fromEntries(files) });
		client = cloudClient(service);
	});

	afterAll(async () => {
		await service?.stop();
		await site?.stop();
	});

	async function run(name: string) {
		const { batch, rows } = await client.run(uuidOf(name));
		await service.logged({ batchID: batch.batchID, msg: 'batch successful' });
		const { batchID } = batch;
		const warnings = service.log.filter((line) => line.batchID === batchID && line.level === 40);
		return {
			shown: rows.map((row) => Object.values(row).join('')),
			warnings: warnings.map(({ msg, reason }) => `${String(msg)}: ${String(reason)}`),
		};
	}

	test.each(sample(Object.entries(clicked)))(
		'is switched back when a loop goes back to the page: %s',
		async (id, name) => {
			expect(await run(`words ${id}`)).toEqual({
				shown: ['a', 'b', 'c'].map((word) => `1 ${word} ${name}`),
				warnings: [],
			});
			expect(await run(`pages ${id}`)).toEqual({
				shown: [`1 ${name}`, `2 ${name}`],
				warnings: [],
			});
		},
	);

	test('goes back to the radio button that was on', async () => {
		expect(await run('radios')).toEqual({
			shown: ['1 age', '1 price', '1 age', '1 price'],
			warnings: [],
		});
	});

	test.each(sample(Object.entries(clicked).filter(([id]) => id !== 'price')))(
		'is told where the page stays as it was left, and the next round switches it off: %s',
		async (id, name) => {
			const { shown: rows, warnings } = await run(`times ${id}`);
			expect(rows).toEqual([`1 ${name}`, '1', `1 ${name}`, '1']);
			expect(warnings).toEqual([
				expect.stringMatching(
					new RegExp(`^click switched back: a click on #${id} has switched off, .* use inputText`),
				),
			]);
		},
	);

	test('may be switched back by a step of its own', async () => {
		expect(await run('open and close')).toEqual({
			shown: ['1 pressed', '1 pressed', '1 pressed'],
			warnings: [],
		});
	});

	test('stays for what stands behind a loop that reads nothing, and goes with the round around it', async () => {
		expect(await run('each')).toEqual({
			shown: ['a', 'b'].map((word) => `1 ${word} box price pressed expanded summary`),
			warnings: [],
		});
	});

	test.each(sample(Object.keys(choiceLists)))(
		'and the page has closed is opened again for the next round, and not behind the last one: %s',
		async (name) => {
			expect(await run(name)).toEqual({
				shown: ['red', 'blue', 'green', 'Colour green'],
				warnings: [],
			});
		},
	);

	test('stays where a round is done again for data that was refused', async () => {
		expect(await run('opened')).toEqual({
			shown: ['1 and more', '2 and more', '3 and more'],
			warnings: [expect.stringContaining('page failed, trying again')],
		});
	});

	test('stays in a form that is sent behind its loop', async () => {
		expect(await run('clickedBoxes')).toEqual({ shown: ['?red=1&blue=1'], warnings: [] });
	});

	test.each(['browser', 'http'])('as well as what it ticks by a text: %s', async (page) => {
		expect(await run(`typed ${page}`)).toEqual({ shown: ['?red=1&blue=1'], warnings: [] });
	});

	test.each(['browser', 'http'])('that texts are typed over is told: %s', async (page) => {
		const { shown, warnings } = await run(`typed over ${page}`);
		expect(shown).toEqual(['?word=b']);
		expect(warnings).toEqual([
			expect.stringMatching(
				/^step not answered: a text in #word is the last .* only the last one is there behind the loop/,
			),
		]);
	});
});
