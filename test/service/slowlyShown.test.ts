import { useSiteAndService } from '../support/inProcess/siteAndService';
import { concurrentTestWithBrowser } from '../support/service/browser';
import { cloudClient } from '../support/service/cloudClient';
import { extract, loop, step, task, uuidOf } from '../support/service/taskFiles';

// Pages that go on for longer than the three seconds that a page usually has to come to rest.

/** Milliseconds until a picture, or the data of another site, comes. */
const latency = 4_500;
const entries = [1, 2, 3];
const rows = entries.map((entry) => ({ Name: `entry ${entry}`, Price: `${entry}.50` }));
const inDocument = entries.map((entry) => `<li><b>entry ${entry}</b><i></i></li>`).join('');

/** Shows each entry, or its price, once its picture is there. */
const waysOfPictures: Record<string, string> = {
	'each entry is added once its picture is there': `<ul></ul><script>
		for (const entry of [${entries.join()}]) {
			const picture = new Image();
			picture.onload = () => document.querySelector('ul').insertAdjacentHTML('beforeend',
				'<li><b>entry ' + entry + '</b><i>' + entry + '.50</i></li>');
			picture.src = '/picture?' + entry;
		}
	</script>`,
	'each price is shown once its picture is there': `<ul>${inDocument}</ul><script>
		for (const item of document.querySelectorAll('li')) {
			const picture = document.createElement('img');
			picture.onload = () => (item.querySelector('i').textContent = item.textContent.slice(6) + '.50');
			picture.src = '/picture?' + item.textContent;
			item.prepend(picture);
		}
	</script>`,
	'prices are the data of another site': `<ul>${inDocument}</ul><script>
		fetch('//localhost:' + location.port + '/prices').then((answer) => answer.json()).then((prices) => {
			for (const [index, place] of document.querySelectorAll('i').entries()) place.textContent = prices[index];
		});
	</script>`,
};

/** Draws its rows one after another: data has come before, or stands in the page. */
const drawnIn = { '600 milliseconds each': 600, '150 milliseconds each': 150 };
const drawnPage = (milliseconds: number, count: number) => `<button>Draw</button><ul></ul><script>
	const draw = async () => {
		const rows = await (await fetch('/rows?' + ${count})).json();
		rows.forEach((row, index) => setTimeout(() => document.querySelector('ul')
			.insertAdjacentHTML('beforeend', '<li><b>' + row + '</b></li>'), index * ${milliseconds}));
	};
	document.querySelector('button').onclick = draw;
	if (location.search === '?once') draw();
</script>`;

/** Of each entry, its name, and what goes on for a while until it says that. */
const text = 'A long text that a machine has written, and that comes letter by letter: to its end.';
const waysOfShowing: Record<string, { script: string; said: (entry: number) => string }> = {
	'a number counts up': {
		script: `(place, entry) => {
			const begun = performance.now();
			const count = (now) => {
				const part = Math.min((now - begun) / 4500, 1);
				place.textContent = Math.round(part * (1000 + entry));
				if (part < 1) requestAnimationFrame(count);
			};
			requestAnimationFrame(count);
		}`,
		said: (entry) => String(1_000 + entry),
	},
	'a text is typed': {
		script: `(place, entry) => {
			const text = entry + ${JSON.stringify(text)};
			place.textContent = '';
			const typing = setInterval(() => {
				place.textContent = text.slice(0, place.textContent.length + 1);
				if (place.textContent === text) clearInterval(typing);
			}, 55);
		}`,
		said: (entry) => `${entry}${text}`,
	},
};

const pageOf = ({ script }: { script: string }, isPanel: boolean) => `<body>
	${isPanel ? entries.map((entry) => `<button>${entry}</button>`).join('') : ''}<b></b><i></i><script>
	const show = ${script};
	const open = (entry) => {
		document.querySelector('b').textContent = 'entry ' + entry;
		show(document.querySelector('i'), Number(entry));
	};
	for (const button of document.querySelectorAll('button')) button.onclick = () => open(button.textContent);
	if (${!isPanel}) open(location.search.slice(1));
</script></body>`;

/** A field in which a script has put what it holds. */
const fieldPage = `<input id="price" value="0.00" readonly><script>price.value = '1.50'</script>`;

const { site, service } = useSiteAndService(
	async ({ url: { pathname, search } }) => {
		if (pathname === '/picture' || pathname === '/prices') {
			await new Promise((resolve) => setTimeout(resolve, latency));
			const headers = { 'access-control-allow-origin': '*', 'cache-control': 'no-store' };
			const picture = '<svg xmlns="http://www.w3.org/2000/svg" width="4" height="3"/>';
			return pathname === '/prices'
				? { headers, body: JSON.stringify(rows.map(({ Price }) => Price)) }
				: { headers: { ...headers, 'content-type': 'image/svg+xml' }, body: picture };
		}
		if (pathname === '/field') return fieldPage;
		if (pathname === '/rows') {
			const count = Number(search.slice(1));
			return { body: JSON.stringify(Array.from({ length: count }, (_, index) => `row ${index}`)) };
		}
		const [, drawn] = /^\/drawn(\d+)$/.exec(pathname) ?? [];
		if (drawn !== undefined) return drawnPage(Number(drawn), Math.floor(4_500 / Number(drawn)) + 1);
		const name = decodeURIComponent(pathname.slice(1));
		const way = waysOfShowing[name];
		return way ? pageOf(way, search === '') : `<body>${waysOfPictures[name] ?? ''}</body>`;
	},
	() => {
		const on = (name: string, steps: object[]) =>
			task(name, steps, { page: 'browser', requestsPerHost: 8 });
		const open = (path: string) => step('navigate', { url: `${site.baseUrl}/${path}` });
		const fields = { Name: 'b', Price: 'i' };
		const tasks = [
			...Object.keys(waysOfPictures).map((name) =>
				on(name, [open(encodeURIComponent(name)), extract(fields, 'li')]),
			),
			...Object.keys(waysOfShowing).flatMap((name) => {
				const urls = entries.map((entry) => `${site.baseUrl}/${encodeURIComponent(name)}?${entry}`);
				return [
					on(`${name} on a page`, [
						loop({ loopType: 'list', listType: 'urlList', urls }, [
							step('navigate', { useLoopItem: true }),
							extract(fields),
						]),
					]),
					on(`${name} in a panel`, [
						open(encodeURIComponent(name)),
						loop({ loopType: 'list', listType: 'elements', selector: 'button' }, [
							step('click', { useLoopItem: true }),
							extract({ Name: ':root b', Price: ':root i' }),
						]),
					]),
				];
			}),
			...Object.values(drawnIn).flatMap((milliseconds) => [
				on(`drawn ${milliseconds} once`, [
					open(`drawn${milliseconds}?once`),
					extract({ Name: {} }, 'b'),
				]),
				on(`drawn ${milliseconds} by a click`, [
					open(`drawn${milliseconds}`),
					step('click', { selector: 'button' }),
					extract({ Name: {} }, 'b'),
				]),
			]),
			on('field', [open('field'), extract({ Price: { selector: '#price', attribute: 'value' } })]),
		];
		return { tasks: Object.fromEntries(tasks.map((each) => [each.taskID, each])) };
	},
);

async function rowsOf(name: string) {
	const { batch, rows } = await cloudClient(service).run(uuidOf(name));
	await service.logged({ batchID: batch.batchID, msg: 'batch successful', failedPages: 0 });
	return rows;
}

concurrentTestWithBrowser.each(Object.keys(waysOfPictures))(
	'all is read where %s',
	async (name) => {
		const said = await rowsOf(name);
		expect(said).toHaveLength(rows.length);
		expect(said).toEqual(expect.arrayContaining(rows));
	},
);

concurrentTestWithBrowser.each(
	Object.entries(waysOfShowing).flatMap(([name, { said }]) =>
		['on a page', 'in a panel'].map((where) => [name, where, said] as const),
	),
)('what is read where %s %s is what it comes to', async (name, where, said) => {
	const wanted = entries.map((entry) => ({ Name: `entry ${entry}`, Price: said(entry) }));
	expect(await rowsOf(`${name} ${where}`)).toEqual(wanted);
});

concurrentTestWithBrowser.each(
	Object.entries(drawnIn).flatMap(([name, milliseconds]) =>
		['once', 'by a click'].map((when) => [name, when, milliseconds] as const),
	),
)('all rows are read that are drawn in %s %s', async (_, when, milliseconds) => {
	const said = await rowsOf(`drawn ${milliseconds} ${when}`);
	const count = Math.floor(4_500 / milliseconds) + 1;
	expect(said.map(({ Name }) => Name)).toEqual(
		Array.from({ length: count }, (_row, index) => `row ${index}`),
	);
});

concurrentTestWithBrowser('the value of a field is what stands in it', async () => {
	expect(await rowsOf('field')).toEqual([{ Price: '1.50' }]);
});
