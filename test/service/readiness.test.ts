import { startService, type RunningService } from '../support/inProcess/startService';
import { sample } from '../support/length';
import { concurrentTestWithBrowser } from '../support/service/browser';
import { cloudClient } from '../support/service/cloudClient';
import { startSite, type Site } from '../support/service/startSite';
import { extract, step, task, uuidOf } from '../support/service/taskFiles';

// When a browser page clicks, and types: once a person could.

let site: Site;
let service: RunningService;

const button = '<button id="it">Go</button>';
const cover = '<div id="cover" style="position: fixed; inset: 0">over all</div>';
const soon = (script: string) => `<script>setTimeout(() => { ${script} }, 700)</script>`;
const it = "document.getElementById('it')";

/** What is clicked, or typed into, whatever stands in the way at first. */
const usable: Record<string, string> = {
	'is there': button,
	'is covered at first': `${button}${cover}${soon("document.getElementById('cover').remove()")}`,
	'is under a panel that takes its time to close': `${button}
		<div id="panel" role="dialog" aria-modal="true" style="position: fixed; inset: 0; background: silver">over all</div><script>
		onkeydown = ({ key }) => {
			if (key !== 'Escape') return;
			panel.style.inset = 'auto';
			panel.animate({ opacity: [1, 0] }, 900).onfinish = () => panel.remove();
		};
		${it}.onclick = (event) => { if (panel.isConnected) event.stopPropagation(); };</script>`,
	'is disabled at first': `<fieldset disabled>${button}</fieldset>${soon("document.querySelector('fieldset').disabled = false")}`,
	'is said to be disabled at first': `<div aria-disabled="true">${button}</div>${soon("document.querySelector('div').ariaDisabled = 'false'")}`,
	'is hidden at first': `<p hidden>${button}</p>${soon("document.querySelector('p').hidden = false")}`,
	'moves at first': `<style>@keyframes to { from { left: 0 } to { left: 400px } }
		button { position: absolute; left: 400px; animation: to 1s linear }</style>${button}`,
	// The pointer moves to where the button was, and then presses.
	'is pushed down just before the click': `${button}<script>
		${it}.addEventListener('pointermove', () => document.body.insertAdjacentHTML('afterbegin',
			'<p style="height: 300px; margin: 0" onclick="document.querySelector(&quot;i&quot;).append(&quot;advert &quot;)">advert</p>'),
			{ once: true });</script>`,
	'is replaced just before the click': `<p>${button}</p><script>
		addEventListener('pointermove', () => document.querySelector('p').innerHTML = '${button}');</script>`,
	'goes away when it is pressed': `${button}<script>
		${it}.onmousedown = () => { ${it}.remove(); document.querySelector('i').append('click '); };</script>`,
	'is another document': `<iframe id="it" srcdoc="<script>
		onclick = () => parent.document.querySelector('i').append('click ');</script>"></iframe>`,
	'is put there anew all the time': `<p>${button}</p><script>let n = 0; const again = setInterval(() => {
		document.querySelector('p').innerHTML = '${button}'; if (++n === 20) clearInterval(again); }, 50)</script>`,
	'is below a bar when scrolled to': `<div style="position: fixed; inset: auto 0 0 0; height: 60%; background: silver">bar</div>
		<div style="height: 3000px">tall</div>${button}<div style="height: 3000px">tall</div>`,
	'is far to the side': `<div style="width: 9000px; text-align: right">${button}</div>`,
	'is in a box that scrolls': `<div style="height: 90px; overflow: auto"><div style="height: 900px">tall</div>${button}</div>`,
	'is turned': button.replace('id', 'style="transform: rotate(80deg) scale(2)" id'),
	'is broken over two lines': `<div style="width: 90px">some words <a id="it" href="#">a long link</a></div>`,
	'has no box, but what is in it has': `<a id="it" href="#" style="display: contents"><b>Go</b></a>`,
	'has nothing in it but what floats': `<a id="it" href="#"><span></span><b style="float: right">Go</b></a>`,
	'has nothing in it but what has a place of its own': `<a id="it" href="#"><b style="position: absolute; top: 90px">Go</b></a>`,
	'has no height, but a picture': `<a id="it" href="#" style="font-size: 0"><b style="display: inline-block; width: 20px; height: 20px"></b></a>`,
	'is laid over the entry around it': `<style>#it::after { content: ""; position: absolute; inset: 0 }</style>
		<div style="height: 3000px">tall</div><p style="position: relative; border: 9px solid">Go<a id="it" href="#"></a></p>`,
	'is a part of a button': '<button><span id="it" style="pointer-events: none">Go</span></button>',
	'is in a shadow': `<div id="it"></div><script>
		${it}.attachShadow({ mode: 'closed' }).innerHTML = '<p>in a shadow</p>';</script>`,
	'is the label of a control that lets the mouse pass':
		'<input id="box" type="radio" style="position: absolute; opacity: 0; pointer-events: none"><label id="it" for="box">Go</label>',
	'is on a page with a border': `<style>html { border: 30px solid; margin: 20px; position: relative; left: 15px }</style>${button}`,
	'is the page': '<style>body { height: 200px }</style><script>document.body.id = "it"</script>',
	'is a field that is read-only at first': `<input id="it" readonly>${soon(`${it}.readOnly = false`)}`,
	'is a list whose options come later': `<select id="it"></select>${soon(`${it}.add(new Option('typed'))`)}`,
	'is a text that can be edited': '<p id="it" contenteditable>before</p>',
};

/** What is given up, and why. */
const unusable: Record<string, [string, string]> = {
	'is hidden': [button.replace('id', 'hidden id'), 'is hidden'],
	'is of no size': ['<a id="it" href="#"></a>', 'is hidden'],
	'is only said to those who hear it': [
		'<a id="it" href="#"><b style="position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%)"><i>Go</i></b></a>',
		'is hidden',
	],
	'lets nothing be seen of what is in it': [
		'<a id="it" href="#" style="display: block; height: 0; overflow: hidden">Go<b>on</b></a>',
		'is hidden',
	],
	'is disabled': [button.replace('id', 'disabled id'), 'is disabled'],
	'is the label of a disabled control': [
		'<input id="box" type="radio" disabled><label id="it" for="box">Go</label>',
		'is disabled',
	],
	'is a label that lets the mouse pass': [
		'<input id="box" type="radio"><label id="it" for="box" style="pointer-events: none">Go</label>',
		'is disabled',
	],
	'is covered': [button + cover, 'is covered by div#cover'],
	'is inert': [`<div inert>${button}</div>`, 'is inert'],
	'is out of reach': [
		button.replace('id', 'style="position: fixed; top: -500px" id'),
		'is outside of what can be seen',
	],
	'moves for ever': [
		`<style>@keyframes to { from { left: 0 } to { left: 400px } } button { position: relative; animation: to 5s linear infinite }</style>${button}`,
		'moves',
	],
	'moves away from the pointer': [
		`${button}<style>#it { position: relative }</style><script>let y = 0;
			${it}.onpointermove = () => ${it}.style.top = (y = 300 - y) + 'px';</script>`,
		'moves away from each click',
	],
	'is read-only': ['<input id="it" readonly>', 'is read-only'],
	'has no such option': ['<select id="it"><option>no</option></select>', 'has no option typed'],
	'has it disabled': [
		'<select id="it"><option disabled>typed</option></select>',
		'has an option typed, but that is disabled',
	],
};

const writesDown = `<i></i><script>
	const down = (event) => { if (event.target.closest('#it, button')) document.querySelector('i').append(event.type + ' '); };
	addEventListener('click', down); addEventListener('input', down);</script>`;

const bodies: Record<string, string> = {
	...usable,
	...Object.fromEntries(Object.entries(unusable).map(([name, [body]]) => [name, body])),
};

const isField = (body: string) => /<(input|select) id="it"|contenteditable/.test(body);

beforeAll(async () => {
	site = await startSite(({ url }) => {
		const body = bodies[decodeURIComponent(url.pathname.slice(1))];
		return body === undefined ? { status: 404 } : `<!doctype html>${writesDown}${body}`;
	});
	const tasks: Record<string, object> = {};
	for (const [name, body] of Object.entries(bodies)) {
		const steps = [
			step('navigate', { url: `${site.baseUrl}/${encodeURIComponent(name)}` }),
			isField(body)
				? step('inputText', { selector: '#it', text: 'typed' })
				: step('click', { selector: '#it' }),
			extract({ Said: 'i' }),
		];
		tasks[name] = task(name, steps, { page: 'browser', requestsPerHost: 8 });
	}
	service = await startService({ tasks, env: { SERVICE_AGENTS: '8' } });
}, 300_000);

afterAll(async () => {
	await service?.stop();
	await site?.stop();
});

/** What was written down, and why not. */
async function outcomeOf(name: string) {
	const { batch, rows } = await cloudClient(service).run(uuidOf(name));
	await service.logged({ batchID: batch.batchID, msg: 'batch successful' });
	const reasons = service.log
		.filter((line) => line.batchID === batch.batchID && line.reason !== undefined)
		.map(({ reason }) => reason);
	return { said: rows.map(({ Said: said }) => said), reasons };
}

concurrentTestWithBrowser.each(sample(Object.entries(usable)))(
	'an element is used that %s',
	async (name, body) => {
		const said = [isField(body) ? 'input' : 'click'];
		expect(await outcomeOf(name)).toEqual({ said, reasons: [] });
	},
);

concurrentTestWithBrowser.each(sample(Object.entries(unusable)))(
	'an element is not used that %s',
	async (name, [, why]) => {
		const reason = `The element #it is there, but could not be used in time: it ${why}.`;
		expect(await outcomeOf(name)).toEqual({ said: [], reasons: [reason] });
	},
);
