import { concurrentTestWithBrowser } from '../support/service/browser';
import { useSiteAndService } from '../support/inProcess/siteAndService';
import { cloudClient } from '../support/service/cloudClient';
import { extract, loop, step, task, uuidOf } from '../support/service/taskFiles';

// A search whose form gives way to what it has found, at one address: the next text needs the form again.

const words = ['red', 'green', 'blue'];

/** How the form goes. */
const ways = {
	removed: "document.querySelector('main').innerHTML = found",
	hidden: "form.hidden = true; document.querySelector('ul').innerHTML = found",
};

const pageOf = (way: string) => `<body><main>
	<form><select><option>Rome</option><option>Oslo</option></select><input name="q"><button>Search</button></form><ul></ul>
	</main><script>
	const form = document.querySelector('form');
	form.onsubmit = async (event) => {
		event.preventDefault();
		const city = form.querySelector('select').value;
		const found = await (await fetch('/found?' + city + '=' + form.q.value)).text();
		${way};
	};
</script></body>`;

const taskOf = (way: string) =>
	task(
		way,
		[
			step('navigate', { url: `${site.baseUrl}/${way}` }),
			step('inputText', { selector: 'select', text: 'Oslo' }),
			loop({ loopType: 'list', listType: 'textList', texts: words }, [
				step('inputText', { selector: 'input', useLoopItem: true, submit: true }),
				extract({ Name: 'b' }, 'li'),
			]),
		],
		{ page: 'browser' },
	);

const { site, service } = useSiteAndService(
	({ url }) => {
		const way = Object.entries(ways).find(([name]) => url.pathname === `/${name}`);
		if (way) return pageOf(way[1]);
		const asked = url.search.slice(1).replace('=', ' ');
		return [1, 2].map((n) => `<li><b>${asked} ${n}</b></li>`).join('');
	},
	() => ({ tasks: Object.fromEntries(Object.keys(ways).map((way) => [way, taskOf(way)])) }),
);

concurrentTestWithBrowser.each(Object.keys(ways))(
	'all texts of a search are read whose form is %s then',
	async (way) => {
		const { batch, rows } = await cloudClient(service).run(uuidOf(way));
		const names = words.flatMap((word) => [1, 2].map((n) => `Oslo ${word} ${n}`));
		expect(rows.map(({ Name }) => Name)).toEqual(names);
		const { batchID } = batch;
		await service.logged({ batchID, msg: 'batch successful', failedPages: 0 });
	},
);
