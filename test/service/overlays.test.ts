import { concurrentTestWithBrowser, describeWithBrowser } from '../support/service/browser';
import { cloudClient, type CloudClient } from '../support/service/cloudClient';
import { startService, type RunningService } from '../support/inProcess/startService';
import { startSite, type Site } from '../support/service/startSite';
import { extract, loop, step, task, uuidOf } from '../support/service/taskFiles';

// A question about a newsletter comes over the entries of a list, and does not say that it is a dialog.

const listOf = (names: string[]) =>
	`<main>${names.map((name) => `<p><b>${name}</b> <button>Look</button></p>`).join('')}</main>`;
const cover = 'position: fixed; inset: 0; background: white';
/** Comes with the first click. */
const comes = (
	overlay: string,
	script = '',
) => `${listOf(['one', 'two'])}<template>${overlay}</template><script>
	const leave = () => { for (const each of document.querySelectorAll('.over')) each.remove(); };
	document.querySelector('main').addEventListener('click', () => {
		document.body.append(document.querySelector('template').content.cloneNode(true));
		${script}
	}, { once: true });
</script>`;
const over = (content: string) =>
	`<div id=letters class=over style="${cover}"><h2>Letters?</h2>${content}</div>`;
const escape = `onkeydown = ({ key }) => key === 'Escape' && leave();`;
/** What goes wrong where it is clicked. */
const wrong = `<a href="/elsewhere">Close</a><form action="/sent"><input name=mail><button id=sends>No thanks</button></form><label for=sends>Close</label>`;

const pages: Record<string, string> = {
	'that Escape leaves': comes(over(wrong), escape),
	'with a cross': comes(over(`${wrong}<div><span onclick="leave()">×</span></div>`)),
	'with a label': comes(
		over(`${wrong}<button aria-label="Close dialog" onclick="leave()"><i>+</i></button>`),
	),
	'with a class': comes(
		over(`${wrong}<div class="popupClose" onclick="leave()"><svg width=9></svg></div>`),
	),
	'with a refusal': comes(
		over(`<a href="#" onclick="leave()">No thanks, I know it all</a>${wrong}`),
	),
	'that is a dialog': comes(
		over('<button onclick="leave()">Schließen</button>').replace(
			'<div',
			'<div role=dialog aria-modal=true',
		),
	),
	'in an element of its own': comes(
		'<own-dialog class=over></own-dialog>',
		`document.querySelector('own-dialog').attachShadow({ mode: 'open' }).innerHTML = \`<div style="${cover}"><button aria-label=Close>+</button></div>\`;
		document.querySelector('own-dialog').shadowRoot.querySelector('button').onclick = leave;`,
	),
	'with a backdrop': comes(
		`<div class=over style="${cover}"></div><div class=over style="position: fixed; top: 50%"><button onclick="leave()">✕</button></div>`,
	),
};
const stays: Record<string, string> = {
	'that nothing closes': comes(over(wrong)),
	'that was there': `${listOf(['two'])}${over('<button onclick="this.parentElement.remove()">×</button>')}`,
};

describeWithBrowser('an entry under an overlay', () => {
	let site: Site;
	let service: RunningService;
	let client: CloudClient;

	beforeAll(async () => {
		const all = { ...pages, ...stays };
		site = await startSite(({ url }) => all[decodeURIComponent(url.pathname.slice(1))] ?? '');
		const tasks = Object.keys(all).map((name) => {
			const steps = [
				step('navigate', { url: `${site.baseUrl}/${encodeURIComponent(name)}` }),
				loop({ loopType: 'list', listType: 'elements', selector: 'main p' }, [
					extract({ Name: 'b' }, undefined, { emit: false }),
					step('click', { selector: 'button' }),
					extract({ Url: { source: 'pageUrl' } }),
				]),
			];
			return [uuidOf(name), task(name, steps, { page: 'browser' })] as const;
		});
		service = await startService({ tasks: Object.fromEntries(tasks) });
		client = cloudClient(service);
	});

	afterAll(async () => {
		await service?.stop();
		await site?.stop();
	});

	const failuresOf = async (name: string) => {
		const { batch, rows } = await client.run(uuidOf(name));
		const { batchID } = batch;
		await service.logged({ batchID, msg: 'batch successful' });
		expect(rows.at(-1)?.Name).toBe('two');
		return service.log.filter((line) => line.batchID === batchID && line.level === 40);
	};

	concurrentTestWithBrowser.each(Object.keys(pages))('is clicked: one %s', async (name) => {
		expect(await failuresOf(name)).toEqual([]);
	});

	concurrentTestWithBrowser.each(Object.keys(stays))('is told of: one %s', async (name) => {
		const covered: unknown = expect.stringMatching(/is covered by (div#letters|input)\.$/);
		expect(await failuresOf(name)).toMatchObject([{ reason: covered }]);
	});

	afterAll(() => {
		const paths = site.requests.map(({ url }) => url.pathname);
		expect(paths.filter((path) => path === '/elsewhere' || path === '/sent')).toEqual([]);
	});
});
