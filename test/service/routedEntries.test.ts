import { useSiteAndService } from '../support/inProcess/siteAndService';
import { concurrentTestWithBrowser } from '../support/service/browser';
import { cloudClient } from '../support/service/cloudClient';
import { extract, loop, step, task, uuidOf } from '../support/service/taskFiles';

// Entries that scripts show at addresses of their own, in the place of a list which a click or a text has made.

const names = ['red', 'blue', 'green', 'grey'];

/** `go`: how an entry is gone to; `isKept`: whether the list is there again as it was. */
const routed = (go: (name: string) => string, isKept = true) => `<main></main><script>
	const main = document.querySelector('main');
	let [shown, word] = [2, ''];
	const render = () => {
		const [, name] = /item=(\\w+)/.exec(location.href) ?? [];
		if (name) return (main.innerHTML = '<p>about ' + name + '</p>');
		${isKept ? '' : "[shown, word] = [2, ''];"}
		main.innerHTML = '<input><button id="more">More</button><ul></ul>';
		const [list, field] = [main.querySelector('ul'), main.querySelector('input')];
		const fill = () => {
			const found = ${JSON.stringify(names)}.filter((each) => each.includes(word)).slice(0, shown);
			list.innerHTML = found.map((each) => '<li>' + each + '</li>').join('');
		};
		field.value = word;
		field.oninput = () => ((word = field.value), fill());
		main.querySelector('#more').onclick = () => ((shown = 4), fill());
		list.onclick = ({ target }) => {
			const name = target.textContent;
			${go('name')};
			render();
		};
		fill();
	};
	onpopstate = onhashchange = render;
	render();
</script>`;

/** What is clicked stays beside what the address says. */
const beside = `<button id="more">More</button><ul></ul><p></p><script>
	const list = document.querySelector('ul');
	more.onclick = () => (list.innerHTML = ${JSON.stringify(names)}.map((each) => '<li>' + each + '</li>').join(''));
	list.onclick = ({ target }) => {
		history.pushState({}, '', '?item=' + target.textContent);
		document.querySelector('p').textContent = 'about ' + target.textContent;
	};
</script>`;

/** Pages of a list, of which the script that shows them alone knows: gone back to, it begins anew. */
const paged = `<main></main><script>
	const main = document.querySelector('main');
	let page = 0;
	const render = () => {
		const [, name] = /item=(\\w+)/.exec(location.href) ?? [];
		if (name) return (main.innerHTML = '<p>about ' + name + '</p>');
		const shown = ${JSON.stringify(names)}.slice(page * 2, page * 2 + 2);
		main.innerHTML = '<ul>' + shown.map((each) => '<li>' + each + '</li>').join('') + '</ul><button id="next">Next</button>';
		main.querySelector('button').disabled = page === 1;
		main.querySelector('button').onclick = () => ((page += 1), render());
		main.querySelector('ul').onclick = ({ target }) => {
			history.pushState({}, '', '?item=' + target.textContent);
			render();
		};
	};
	onpopstate = () => ((page = 0), render());
	render();
</script>`;

const push = (name: string) => `history.pushState({}, '', '?item=' + ${name})`;
const pages: Record<string, string> = {
	pushed: routed(push),
	hashed: routed((name) => `location.hash = 'item=' + ${name}`),
	typed: routed(push),
	beside,
	// The rest of its list has an address, and it does not hear when somebody goes back to that.
	deaf: routed(push)
		.replace('shown, word] = [2', "shown, word] = [location.search === '?all' ? 4 : 2")
		.replace('((shown = 4)', "(history.pushState({}, '', '?all'), (shown = 4)")
		.replace('onpopstate = ', ''),
	forgetful: routed(push, false),
	paged,
	replaced: routed((name) => `history.replaceState({}, '', '?item=' + ${name})`),
};

const { site, service } = useSiteAndService(
	({ url: { pathname } }) => pages[pathname.slice(1)] ?? { status: 404 },
	() => {
		const entries = loop({ loopType: 'list', listType: 'elements', selector: 'li' }, [
			extract({ Name: {} }, undefined, { emit: false }),
			step('click', { useLoopItem: true }),
			extract({ Text: ':root p' }),
		]);
		const eachPage = loop({ loopType: 'page', selector: '#next', timesMode: 'all' }, [entries]);
		const more = step('click', { selector: '#more' });
		const made: Record<string, object[]> = {
			paged: [eachPage],
			typed: [more, step('inputText', { selector: 'input', text: 're' }), entries],
		};
		const tasks = Object.keys(pages).map((path) => {
			const first = step('navigate', { url: `${site.baseUrl}/${path}` });
			const steps = [first, ...(made[path] ?? [more, entries])];
			return task(path, steps, { page: 'browser', requestsPerHost: 8 });
		});
		return {
			tasks: Object.fromEntries(tasks.map((each) => [each.taskID, each])),
			env: { SERVICE_AGENTS: '8' },
		};
	},
);

async function run(path: string, failedPages: number) {
	const { rows, batch } = await cloudClient(service).run(uuidOf(path));
	await service.logged({ batchID: batch.batchID, msg: 'batch successful', failedPages });
	return rows.map(({ Name, Text }) => [Name, Text]);
}

concurrentTestWithBrowser.each(['pushed', 'hashed', 'typed', 'beside'])(
	'each entry of the list that was made is gone to, and back from: %s',
	async (path) => {
		const entries = path === 'typed' ? ['red', 'green', 'grey'] : names;
		expect(await run(path, 0)).toEqual(entries.map((name) => [name, `about ${name}`]));
	},
);

concurrentTestWithBrowser(
	'so is each of a list that is not there when it is gone back to',
	async () => {
		expect(await run('deaf', 0)).toEqual(names.map((name) => [name, `about ${name}`]));
	},
);

concurrentTestWithBrowser(
	'so is each of a page that "next" has made, where going back brings the first one',
	async () => {
		expect(await run('paged', 0)).toEqual(names.map((name) => [name, `about ${name}`]));
	},
);

concurrentTestWithBrowser.each([
	['forgetful', ['red', 'blue']],
	['replaced', ['red', 'blue']],
])('those that do not come again are missed by name: %s', async (path, read) => {
	const found = await run(path, names.length - read.length);
	expect(found).toEqual(read.map((name) => [name, `about ${name}`]));
});
