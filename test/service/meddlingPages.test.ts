import { startService, type RunningService } from '../support/inProcess/startService';
import { sample } from '../support/length';
import { concurrentTestWithBrowser } from '../support/service/browser';
import { cloudClient } from '../support/service/cloudClient';
import { startSite, type Site } from '../support/service/startSite';
import { extract, loop, step, task, uuidOf } from '../support/service/taskFiles';

// Pages in a browser whose scripts put something of their own in the place of what reading needs.

let site: Site;
let service: RunningService;

/** Scripts that each page below begins with, by what they do; most are of ordinary sites. */
const meddling: Record<string, string> = {
	'declare a Map of their own': 'var Map = { show() {} };',
	'declare classes of known names': 'class Map {} class Set {} class WeakMap {} class Reflect {}',
	'turn lists around':
		'Array.from = (all) => [...all].reverse(); Array.prototype[Symbol.iterator] = function* () { yield* []; };',
	'throw in methods of lists':
		'for (const name of ["map", "flatMap", "filter", "find", "push", "entries"]) Array.prototype[name] = () => { throw "x"; };',
	'give all objects a selector':
		'Object.prototype.selector = "script"; Object.prototype.attribute = "id"; Object.prototype.html = true; Object.prototype.hands = true;',
	'say how objects are written':
		'Object.prototype.toJSON = Array.prototype.toJSON = String.prototype.toJSON = () => "no"; JSON.stringify = () => "no"; JSON.parse = () => ({});',
	'change texts': 'String.prototype.trim = String.prototype.replace = () => "no";',
	'find nothing':
		'for (const { prototype } of [Document, Element]) prototype.querySelector = prototype.querySelectorAll = prototype.closest = () => null;',
	'answer for elements': `for (const name of ["innerText", "textContent", "innerHTML", "isConnected", "localName", "getAttribute"]) {
		for (const { prototype } of [Node, Element, HTMLElement]) Object.defineProperty(prototype, name, { get() { throw "x"; } });
	}`,
	'stop the clocks':
		'performance.now = Date.now = () => 0; window.setTimeout = window.requestAnimationFrame = () => 0; window.MutationObserver = window.Promise = null;',
	'have neither events nor worlds':
		'window.addEventListener = window.dispatchEvent = EventTarget.prototype.addEventListener = () => { throw "x"; }; window.CustomEvent = window.MouseEvent = null;',
	'put functions over what is global':
		'window.Element = window.Document = window.HTMLElement = window.Reflect = window.Object = window.Array = function () { throw "x"; };',
};

/** What stands in the pages beside their rows: fields that have the names of properties. */
const names = [
	...['querySelector', 'querySelectorAll', 'innerText', 'textContent', 'innerHTML'],
	...['isConnected', 'getAttribute', 'closest', 'localName', 'scrollTop', 'elements', 'form'],
];
const clobbering = [
	...names.map((name) => `<form name="${name}"></form><img name="${name}" id="${name}">`),
	...['documentElement', 'baseURI', 'doctype', 'body'].map((name) => `<img name="${name}">`),
].join('');
const hidden = names.map((name) => `<input type="hidden" name="${name}">`).join('');

/** Two rows that are forms, and what writes down what was done on the page. */
const rows = `<main><form class="row" title="one"><b>1</b></form>
	<form class="row" title="two"><b>2</b></form></main><input id="in"><button>Go</button><i></i>
	<script>
		const [said] = document.getElementsByTagName('i');
		const [button] = document.getElementsByTagName('button');
		const field = document.getElementById('in');
		button.onclick = () => { said.append('clicked with ' + field.value); };
	</script>`;

beforeAll(async () => {
	site = await startSite(({ url }) => {
		const script = meddling[url.searchParams.get('does') ?? ''] ?? '';
		const isClobbered = url.pathname === '/clobbered';
		const shown = isClobbered ? rows.replaceAll('<b>', `${hidden}<b>`) + clobbering : rows;
		const headers = {
			'content-security-policy':
				"default-src 'none'; script-src 'unsafe-inline'; require-trusted-types-for 'script'",
		};
		return {
			headers: url.pathname === '/strict' ? headers : {},
			// The page's own script has to work, whatever the first one does.
			body: `<!doctype html><title>Title</title>${shown}<script>${script}</script>`,
		};
	});
	const read = task(
		'read',
		[
			step('navigate', { url: site.baseUrl }, 'open'),
			extract(
				{ Text: 'b', Title: { attribute: 'title' }, Inside: { selector: 'b', html: true } },
				'.row',
			),
			loop({ loopType: 'list', listType: 'elements', selector: '.row' }, [extract({ Round: 'b' })]),
			step('inputText', { selector: '#in', text: 'typed' }),
			step('click', { selector: 'button' }),
			extract({ Said: 'i' }),
		],
		{ page: 'browser', requestsPerHost: 4 },
	);
	service = await startService({ tasks: { read }, env: { SERVICE_AGENTS: '4' } });
}, 300_000);

afterAll(async () => {
	await service?.stop();
	await site?.stop();
});

/** What the task above reads of an address. */
async function rowsOf(path: string) {
	const { rows: found } = await cloudClient(service).run(uuidOf('read'), {
		actionParams: [{ id: uuidOf('open'), value: site.baseUrl + path }],
	});
	return found;
}

const empty = { Text: '', Title: '', Inside: '', Round: '', Said: '' };
const asItStands = [
	{ ...empty, Text: '1', Title: 'one', Inside: '1' },
	{ ...empty, Text: '2', Title: 'two', Inside: '2' },
	{ ...empty, Round: '1' },
	{ ...empty, Round: '2' },
	{ ...empty, Said: 'clicked with typed' },
];

concurrentTestWithBrowser.each(sample(Object.keys(meddling)))(
	'a page is read as it stands when its scripts %s',
	async (does) => {
		expect(await rowsOf(`/?does=${encodeURIComponent(does)}`)).toEqual(asItStands);
	},
);

concurrentTestWithBrowser.each([
	['whose fields have the names of properties', '/clobbered'],
	['that allows no script but its own', '/strict'],
])('a page is read as it stands %s', async (_what, path) => {
	expect(await rowsOf(path)).toEqual(asItStands);
});
