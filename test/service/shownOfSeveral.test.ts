import { usePageCases, type PageCase } from '../support/inProcess/pageCases';
import { concurrentTestWithBrowser } from '../support/service/browser';
import { extract, loop, step } from '../support/service/taskFiles';

// What stands in an entry several times, and of which one is shown: prices in each currency.

const numbers = Array.from({ length: 12 }, (_, index) => index + 1);
const tabs = ['a', 'b', 'c'];
const atOnce = 4;
const inTab = (tab: number) => numbers.filter((number) => number % tabs.length === tab);

const entry = (number: number) =>
	`<li><b>${number}</b><span class="price eur">${number} €</span><span class="price usd" hidden>${number} $</span></li>`;
const entriesOf = (some: number[]) => some.map(entry).join('');
const inDollars = (some: number[]) => some.map((number) => `${number}: ${number} $`);

const switching = `let currency = localStorage.getItem('currency') ?? 'eur';
	const convert = () => {
		for (const price of document.querySelectorAll('.price')) price.hidden = !price.classList.contains(currency);
	};
	document.querySelector('.dollars').onclick = () => {
		currency = 'usd';
		localStorage.setItem('currency', currency);
		convert();
	};
	convert();`;
const dollars = '<button class="dollars">$</button>';

const tabbed = `${dollars}${tabs.map((tab) => `<button class="tab">${tab}</button>`).join('')}
	${tabs.map((_, tab) => `<ul${tab > 0 ? ' hidden' : ''}>${entriesOf(inTab(tab))}</ul>`).join('')}<script>${switching}
	const [buttons, lists] = [document.querySelectorAll('.tab'), document.querySelectorAll('ul')];
	buttons.forEach((button, tab) => (button.onclick = () => lists.forEach((list, place) => (list.hidden = place !== tab))));
</script>`;
const scripted = `${dollars}<ul></ul><button class="next">Next</button><script>${switching}
	const entries = ${JSON.stringify(numbers.map(entry))};
	let page = 0;
	const [list, next] = [document.querySelector('ul'), document.querySelector('.next')];
	const show = () => {
		list.innerHTML = entries.slice(page * ${atOnce}, (page + 1) * ${atOnce}).join('');
		next.disabled = page === 2;
		convert();
	};
	next.onclick = () => ((page += 1), show());
	show();
</script>`;
const served = (
	page: number,
) => `${dollars}<ul>${entriesOf(numbers.slice(page * atOnce, (page + 1) * atOnce))}</ul>
	${page < 2 ? `<a class="next" href="/served?${page + 1}">Next</a>` : ''}<script>${switching}</script>`;

const each = (selector: string, steps: object[]) =>
	loop({ loopType: 'list', listType: 'elements', selector }, steps);
const clicked = step('click', { useLoopItem: true });
const prices = (selector: string) => extract({ Name: 'b', Price: '.price' }, selector);
const chosen = (...steps: object[]) => [step('click', { selector: '.dollars' }), ...steps];
const next = (steps: object[]) =>
	loop({ loopType: 'page', selector: '.next', timesMode: 'all' }, steps);

const cases: Record<string, PageCase> = {
	'no step': {
		page: served(0).replaceAll("'eur'", "'usd'"),
		steps: [prices('li')],
		rows: inDollars(numbers.slice(0, atOnce)),
	},
	tabs: {
		page: tabbed,
		steps: chosen(each('.tab', [clicked, prices(':root li')])),
		rows: inDollars(tabs.flatMap((_, tab) => inTab(tab))),
	},
	'a “next” of scripts': {
		page: scripted,
		steps: chosen(next([prices('li')])),
		rows: inDollars(numbers),
	},
	'a “next” of scripts, entry by entry': {
		page: scripted,
		steps: chosen(next([each('li', [extract({ Name: 'b', Price: '.price' })])])),
		rows: inDollars(numbers),
	},
	'pages of their own': {
		page: served(0),
		steps: chosen(next([prices('li')])),
		rows: inDollars(numbers),
	},
	'an old price, hidden, of another kind': {
		page: numbers
			.map(
				(number) =>
					`<li><b>${number}</b><del class="price" hidden>0 $</del><ins class="price">${number} $</ins></li>`,
			)
			.join(''),
		steps: [prices('li')],
		rows: inDollars(numbers),
	},
};

const { read } = usePageCases(cases, ({ pathname, search }) =>
	pathname === '/served' ? served(Number(search.slice(1))) : undefined,
);

concurrentTestWithBrowser.each(Object.keys(cases))(
	'what is shown is read, and nothing that stands hidden in its place: %s',
	async (name) => {
		expect(await read(name)).toEqual({ rows: cases[name]?.rows, reasons: [] });
	},
);
