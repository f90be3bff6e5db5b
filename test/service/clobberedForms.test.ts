import { startService, type RunningService } from '../support/inProcess/startService';
import { sample } from '../support/length';
import { concurrentTestWithBrowser } from '../support/service/browser';
import { cloudClient } from '../support/service/cloudClient';
import { startSite, type Site } from '../support/service/startSite';
import { extract, loop, step, task, uuidOf } from '../support/service/taskFiles';

// Forms with a field for each name that a form, or a document, has a property of: such a field takes the
// place of the property, also for those who look at the page from another world.

let site: Site;
let service: RunningService;

const form = `<form class="wanted" action="/sent"><b title="bold">read</b>
	<input id="text" name="t" value="before"><input id="day" type="date" name="d">
	<select id="list" name="l"><option value="1">One</option><option value="2">Two</option></select>
	<label id="label">Label <input name="labelled"></label>
	<input id="box" type="checkbox" name="c"><textarea id="area" name="a"></textarea>
	<input type="radio" id="first" name="r" value="1" checked><input type="radio" id="second" name="r" value="2">
	<button id="shows" type="button"><u>Show</u></button>
	<button id="send" name="by" value="button">Send</button></form>
	<form class="wanted" action="/area"><textarea id="alone" name="alone"></textarea><button name="by" value="first">A</button></form>
	<form class="scrolls" style="height: 100px; overflow: auto"><div style="height: 350px">tall</div></form>
	<i></i><script>
		const [said] = document.getElementsByTagName('i');
		document.getElementById('shows').onclick = () => said.append('shown');
	</script>`;

/** Fields that are sent nowhere, by a script of the page. */
const clobbering = `<script>
	const names = new Set();
	for (const { prototype } of [HTMLFormElement, HTMLElement, Element, Node, EventTarget, Object, Document, HTMLDocument]) {
		for (const name of Object.getOwnPropertyNames(prototype)) names.add(name);
	}
	const forms = [...document.forms];
	for (const form of forms) for (const name of names) {
		const field = document.createElement('input');
		field.type = 'hidden';
		field.disabled = true;
		field.name = name;
		HTMLFormElement.prototype.appendChild.call(form, field);
	}
	const body = document.body;
	for (const name of names) {
		const image = document.createElement('img');
		image.name = image.id = name;
		image.hidden = true;
		HTMLElement.prototype.appendChild.call(body, image);
	}
</script>`;

const tasks = {
	read: [
		extract({ Text: 'b', Title: { selector: 'b', attribute: 'title' } }, '.wanted'),
		extract({ Inside: { selector: 'b', html: true }, Class: { attribute: 'class' } }, '.wanted'),
		loop({ loopType: 'list', listType: 'elements', selector: '.wanted' }, [
			extract({ Round: 'button' }),
		]),
	],
	fill: [
		step('inputText', { selector: '#text', text: 'typed' }),
		step('inputText', { selector: '#day', text: '2024-02-29' }),
		step('inputText', { selector: '#list', text: 'Two' }),
		step('inputText', { selector: '#label', text: 'by its label' }),
		step('inputText', { selector: '#box', text: 'true' }),
		step('inputText', { selector: '#area', text: 'lines' }),
		step('inputText', { selector: '#second', text: 'true' }),
		step('click', { selector: '#send' }),
		extract({ Query: 'pre' }),
	],
	enter: [
		step('inputText', { selector: '#text', text: 'typed', submit: true }),
		extract({ Query: 'pre' }),
	],
	enterInArea: [
		step('inputText', { selector: '#alone', text: 'typed', submit: true }),
		extract({ Query: 'pre' }),
	],
	rounds: [
		loop({ loopType: 'list', listType: 'elements', selector: '.wanted' }, [
			step('inputText', { selector: 'textarea', text: 'v' }),
			step('click', { selector: '[name=by]' }),
			extract({ Query: 'pre' }),
		]),
	],
	click: [step('click', { selector: '#shows u' }), extract({ Shown: 'i' })],
	clickForm: [step('click', { selector: '.scrolls' }), extract({ Shown: '.scrolls' })],
	scroll: [
		loop({ loopType: 'scroll', timesMode: 'all', selector: '.scrolls' }, [extract({ Text: 'b' })]),
	],
};

beforeAll(async () => {
	site = await startSite(({ url }) => {
		if (/sent|area/.test(url.pathname)) {
			return `<pre>${(url.pathname + url.search).replaceAll('&', '&amp;')}</pre>`;
		}
		return `<!doctype html>${form}${url.pathname === '/clobbered' ? clobbering : ''}`;
	});
	const named: Record<string, object> = {};
	for (const [name, steps] of Object.entries(tasks)) {
		for (const page of ['clean', 'clobbered']) {
			const open = step('navigate', { url: `${site.baseUrl}/${page}` });
			named[`${name} ${page}`] = task(`${name} ${page}`, [open, ...steps], {
				page: 'browser',
				requestsPerHost: 4,
			});
		}
	}
	service = await startService({ tasks: named, env: { SERVICE_AGENTS: '4' } });
}, 300_000);

afterAll(async () => {
	await service?.stop();
	await site?.stop();
});

/** The rows of a task, and why it has no more. */
async function outcomeOf(name: string) {
	const { batch, rows } = await cloudClient(service).run(uuidOf(name));
	await service.logged({ batchID: batch.batchID, msg: 'batch successful' });
	const reasons = service.log
		.filter((line) => line.batchID === batch.batchID && 'try' in line)
		.map(({ reason }) => reason);
	return { rows, reasons };
}

concurrentTestWithBrowser.each(sample(Object.keys(tasks), 1))(
	'a form whose fields have the names of properties is as good as another one: %s',
	async (name) => {
		const clean = await outcomeOf(`${name} clean`);
		expect(clean.rows).not.toEqual([]);
		expect(clean.reasons).toEqual([]);
		expect(await outcomeOf(`${name} clobbered`)).toEqual(clean);
	},
);
