import { useSiteAndService } from '../support/inProcess/siteAndService';
import { concurrentTestWithBrowser } from '../support/service/browser';
import { cloudClient } from '../support/service/cloudClient';
import { extract, loop, step, task, uuidOf } from '../support/service/taskFiles';

// A list that holds a part of its rows, and stays where it was scrolled to when it shows others: it is scrolled through again.

const [length, height] = [40, 50];

/** `box`: in an element of its own instead of the window. */
const page = (box: boolean) => `<!doctype html><style>
		p { position: absolute; margin: 0; height: ${height}px }
		${box ? '#box { height: 300px; overflow: auto; position: relative }' : 'nav { position: sticky; top: 0; z-index: 1 }'}
	</style>
	<nav><button class="tab">A</button><button class="tab">B</button><input></nav>
	<div id="box"><div id="all" style="position: relative; height: ${length * height}px"></div></div>
	<button id="next">Next</button><script>
	let shown = 'A';
	const draw = () => {
		const top = ${box ? 'box.scrollTop' : 'scrollY'};
		const first = Math.max(0, Math.floor(top / ${height}) - 2);
		const end = Math.min(${length}, Math.ceil((top + ${box ? 300 : 'innerHeight'}) / ${height}) + 2);
		let rows = '';
		for (let row = first; row < end; row += 1)
			rows += '<p style="top: ' + row * ${height} + 'px">' + shown + ' ' + row + '</p>';
		all.innerHTML = rows;
	};
	const show = (letter) => {
		shown = letter;
		next.disabled = letter === 'B';
		draw();
	};
	for (const tab of document.querySelectorAll('.tab')) tab.onclick = () => show(tab.textContent);
	document.querySelector('input').oninput = ({ target: { value } }) => value && show(value);
	next.onclick = () => show('B');
	${box ? 'box.onscroll' : 'onscroll'} = draw;
	draw();
</script>`;

const ways: Record<string, (scroll: object) => object> = {
	tabs: (scroll) =>
		loop({ loopType: 'list', listType: 'elements', selector: '.tab' }, [
			step('click', { useLoopItem: true }),
			scroll,
		]),
	texts: (scroll) =>
		loop({ loopType: 'list', listType: 'textList', texts: ['A', 'B'] }, [
			step('inputText', { selector: 'input', useLoopItem: true }),
			scroll,
		]),
	pages: (scroll) => loop({ loopType: 'page', selector: '#next', timesMode: 'all' }, [scroll]),
};
const lists = ['window', 'box'];
const names = Object.keys(ways).flatMap((way) => lists.map((list) => `${way}, ${list}`));

const { site, service } = useSiteAndService(
	({ url: { pathname } }) => page(pathname === '/box'),
	() => ({
		tasks: Object.fromEntries(
			names.map((name) => {
				const [way = '', list = ''] = name.split(', ');
				const selector = list === 'box' ? { selector: ':root #box' } : {};
				const scroll = loop({ loopType: 'scroll', timesMode: 'all', ...selector }, [
					extract({ Text: {} }, ':root p'),
				]);
				const steps = [step('navigate', { url: `${site.baseUrl}/${list}` }), ways[way]?.(scroll)];
				const made = task(name, steps, { page: 'browser', requestsPerHost: 4 });
				return [made.taskID, made];
			}),
		),
		env: { SERVICE_AGENTS: '4' },
	}),
);

concurrentTestWithBrowser.each(names)(
	'each list is read from where the page has opened it: %s',
	async (name) => {
		const { batch, rows } = await cloudClient(service).run(uuidOf(name));
		await service.logged({ batchID: batch.batchID, msg: 'batch successful', failedPages: 0 });
		const all = ['A', 'B'].flatMap((letter) =>
			Array.from({ length }, (_, row) => `${letter} ${row}`),
		);
		expect(rows.map(({ Text }) => Text)).toEqual(all);
	},
);
