import { useSiteAndService } from '../support/inProcess/siteAndService';
import { concurrentTestWithBrowser } from '../support/service/browser';
import { cloudClient } from '../support/service/cloudClient';
import { extract, loop, step, task, uuidOf } from '../support/service/taskFiles';

// What a page has a worker find out in a step is there before that is read, also where it shows something else at once.

const numbers = ['1', '2', '3', '4'];
const texts = ['ash', 'birch', 'cedar'];
const names = texts.flatMap((text) => [`${text} 1`, `${text} 2`]);

/** Milliseconds that the worker takes for a message; it works on one after the other. */
const times = [200, 400];
const kinds: Record<string, (ms: number) => string> = {
	'works all the time': (ms) =>
		`const end = performance.now() + ${ms}; while (performance.now() < end); postMessage(data)`,
	waits: (ms) => `setTimeout(() => postMessage(data), ${ms})`,
};

const worker = (script: string) =>
	`const worker = new Worker(URL.createObjectURL(new Blob([${JSON.stringify(`onmessage = ({ data }) => { ${script} }`)}])));`;

const prices = (script: string) => `<h1>-</h1><p>-</p>
	${numbers.map((number) => `<button>${number}</button>`).join('')}
	<script>
	${worker(script)}
	worker.onmessage = ({ data }) => (document.querySelector('p').textContent = 'Price ' + data);
	onclick = ({ target: { textContent, localName } }) => {
		if (localName !== 'button') return;
		document.querySelector('h1').textContent = 'Title ' + textContent;
		worker.postMessage(textContent);
	};
	</script>`;

const search = (script: string) => `<input id="text"><ul id="list"></ul><script>
	const names = ${JSON.stringify(names)};
	${worker(script)}
	worker.onmessage = ({ data }) => {
		list.innerHTML = names.filter((name) => name.startsWith(data)).map((name) => '<li>' + name + '</li>').join('');
	};
	text.oninput = () => worker.postMessage(text.value);
	text.oninput();
	</script>`;

/** A worker that says nothing, as one that takes note of clicks. */
const silent = `${prices('')}<script>
	addEventListener('click', ({ target: { textContent } }) =>
		setTimeout(() => (document.querySelector('p').textContent = 'Price ' + textContent), 30));
	</script>`;

const pages = new Map<string, string>([['prices of no worker', silent]]);
for (const [kind, script] of Object.entries(kinds)) {
	for (const ms of times) {
		pages.set(`prices of one that ${kind}, ${ms} ms`, prices(script(ms)));
		pages.set(`a search in one that ${kind}, ${ms} ms`, search(script(ms)));
	}
}

const isSearch = (name: string) => name.startsWith('a search');

const { site, service } = useSiteAndService(
	({ url: { pathname } }) => `<!doctype html>${pages.get(decodeURIComponent(pathname.slice(1)))}`,
	() => ({
		tasks: Object.fromEntries(
			[...pages.keys()].map((name) => {
				const type = step('inputText', { selector: '#text', useLoopItem: true });
				const click = step('click', { useLoopItem: true });
				const fields = { Title: { selector: ':root h1' }, Price: { selector: ':root p' } };
				const steps = isSearch(name)
					? loop({ loopType: 'list', listType: 'textList', texts }, [
							type,
							extract({ Name: {} }, 'li'),
						])
					: loop({ loopType: 'list', listType: 'elements', selector: 'button' }, [
							click,
							extract(fields),
						]);
				const open = step('navigate', { url: `${site.baseUrl}/${encodeURIComponent(name)}` });
				const made = task(name, [open, steps], { page: 'browser', requestsPerHost: 4 });
				return [made.taskID, made];
			}),
		),
		env: { SERVICE_AGENTS: '4' },
	}),
);

concurrentTestWithBrowser.each([...pages.keys()])('%s', async (name) => {
	const { batch, rows } = await cloudClient(service).run(uuidOf(name));
	await service.logged({ batchID: batch.batchID, msg: 'batch successful', failedPages: 0 });
	expect(rows).toEqual(
		isSearch(name)
			? names.map((Name) => ({ Name }))
			: numbers.map((number) => ({ Title: `Title ${number}`, Price: `Price ${number}` })),
	);
});
