import { useSiteAndService } from '../support/inProcess/siteAndService';
import { concurrentTestWithBrowser } from '../support/service/browser';
import { cloudClient } from '../support/service/cloudClient';
import { extract, loop, step, task, uuidOf } from '../support/service/taskFiles';

// Pages whose scripts read what is behind `#` of their address, and only when they begin.

const numbers = ['1', '2', '3', '4', '5'];
const list = numbers.map((number) => `<a href="/entry#${number}">${number}</a>`).join(' ');
const entry = `<p></p><script>
	document.querySelector('p').textContent = 'entry ' + location.hash.slice(1);
</script>`;

/** A document with a list, that a click makes longer, and whose script shows what is behind `#` beside it, as a click on a link has it. */
const app = `<button>More</button><ul></ul><p>Choose one</p><script>
	const add = (numbers) => {
		for (const number of numbers)
			document.querySelector('ul').insertAdjacentHTML('beforeend', '<li><a href="#' + number + '">' + number + '</a></li>');
	};
	add([1, 2]);
	document.querySelector('button').addEventListener('click', () => add([3, 4, 5]), { once: true });
	onhashchange = () => (document.querySelector('p').textContent = 'entry ' + location.hash.slice(1));
</script>`;

/** Asks for what is behind `#`, and shows what it did until that comes. */
const asking = `${list.replaceAll('/entry', '')}<p>Choose one</p><script>
	const show = async () => {
		if (location.hash === '') return;
		const answer = await fetch('/data/' + location.hash.slice(1));
		if (answer.ok) document.querySelector('p').textContent = await answer.text();
	};
	onhashchange = show;
	show();
</script>`;
/** Entries whose data was refused: once each. */
const refused = new Set<string>();

const navigate = step('navigate', { useLoopItem: true });
const text = extract({ Text: 'p' });
const loops = (base: string) => ({
	links: [
		step('navigate', { url: `${base}/list` }),
		loop({ loopType: 'list', listType: 'elements', selector: 'a' }, [navigate, text]),
	],
	'links of a list that a click has made': [
		step('navigate', { url: `${base}/app` }),
		step('click', { selector: 'button' }),
		loop({ loopType: 'list', listType: 'elements', selector: 'a' }, [navigate, text]),
	],
	'links whose data is refused once': [
		step('navigate', { url: `${base}/asking` }),
		loop({ loopType: 'list', listType: 'elements', selector: 'a' }, [navigate, text]),
	],
	addresses: [
		loop(
			{
				loopType: 'list',
				listType: 'urlList',
				urls: numbers.map((each) => `${base}/entry#${each}`),
			},
			[navigate, text],
		),
	],
});

const { site, service } = useSiteAndService(
	({ url: { pathname } }) => {
		if (!pathname.startsWith('/data/'))
			return { '/list': list, '/app': app, '/asking': asking }[pathname] ?? entry;
		if (/[24]$/.test(pathname) && !refused.has(pathname)) {
			refused.add(pathname);
			return { status: pathname.endsWith('2') ? 503 : 404 };
		}
		return `entry ${pathname.slice(-1)}`;
	},
	() => {
		const tasks = Object.entries(loops(site.baseUrl)).map(([name, steps]) =>
			task(name, steps, { page: 'browser', requestsPerHost: 2 }),
		);
		return { tasks: Object.fromEntries(tasks.map((each) => [each.taskID, each])) };
	},
);

concurrentTestWithBrowser.each([
	'links',
	'links of a list that a click has made',
	'links whose data is refused once',
	'addresses',
])('each is opened anew where they differ by that alone: %s', async (name) => {
	const { batch, rows } = await cloudClient(service).run(uuidOf(name));
	expect(rows).toEqual(numbers.map((number) => ({ Text: `entry ${number}` })));
	await service.logged({ batchID: batch.batchID, msg: 'batch successful', failedPages: 0 });
});
