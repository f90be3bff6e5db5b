import { startService, type RunningService } from '../support/inProcess/startService';
import { concurrentTestWithBrowser } from '../support/service/browser';
import { cloudClient } from '../support/service/cloudClient';
import { startSite, type Site } from '../support/service/startSite';
import { extract, loop, step, task, uuidOf } from '../support/service/taskFiles';

// Sockets that are not opened, for once or at all.

const entries = ['1', '2', '3', '4', '5'];

const page = `<h1>Not known</h1>${entries.map((each) => `<button>${each}</button>`).join('')}<p></p><script>
	const show = (entry, where) => {
		const socket = new WebSocket('ws://' + location.host + '/data/' + where);
		socket.onopen = () => socket.send(entry);
		socket.onmessage = ({ data }) => (document.querySelector(where).textContent = data);
	};
	if (location.search) show(location.search.slice(1), 'h1');
	for (const button of document.querySelectorAll('button')) button.onclick = () => show(button.textContent, 'p');
</script>`;

/** Shows what it has without the socket that it asks for. */
const withoutNeed = `<h1></h1><script>
	document.querySelector('h1').textContent = 'text ' + location.search.slice(1);
	new WebSocket('ws://' + location.host + '/never');
</script>`;

const opened: Record<string, number> = {};
let site: Site;
let service: RunningService;

beforeAll(async () => {
	site = await startSite(
		({ url: { pathname } }) => (pathname === '/needless' ? withoutNeed : page),
		0,
		({ pathname }, send) => {
			const times = (opened[pathname] = (opened[pathname] ?? 0) + 1);
			if (pathname === '/never' || times === 3) return undefined;
			return (entry) => send(`text ${entry}`);
		},
	);
	const each = (path: string) =>
		loop(
			{
				loopType: 'list',
				listType: 'urlList',
				urls: entries.map((entry) => `${site.baseUrl}${path}?${entry}`),
			},
			[step('navigate', { useLoopItem: true }), extract({ Text: 'h1' })],
		);
	const clicked = [
		step('navigate', { url: `${site.baseUrl}/clicked` }),
		loop({ loopType: 'list', listType: 'elements', selector: 'button' }, [
			step('click', { useLoopItem: true }),
			extract({ Text: ':root p' }),
		]),
	];
	const tasks = [
		task('opened', [each('/opened')], { page: 'browser' }),
		task('clicked', clicked, { page: 'browser' }),
		task('needless', [each('/needless')], { page: 'browser' }),
	];
	service = await startService({
		tasks: Object.fromEntries(tasks.map((each) => [each.taskID, each])),
		env: { SERVICE_AGENTS: '1' },
	});
}, 300_000);

afterAll(async () => {
	await service?.stop();
	await site?.stop();
});

concurrentTestWithBrowser.each(['opened', 'clicked', 'needless'])(
	'%s pages one of whose sockets is refused are read whole',
	async (name) => {
		const { batch, rows } = await cloudClient(service).run(uuidOf(name));
		expect(rows.map(({ Text }) => Text)).toEqual(entries.map((entry) => `text ${entry}`));
		await service.logged({ batchID: batch.batchID, msg: 'batch successful', failedPages: 0 });
		const told = service.log.filter(
			({ batchID, level }) => batchID === batch.batchID && level === 40,
		);
		// Of a socket that is never opened, each of the two tabs that take turns with the pages tells once.
		expect(told.length).toBeLessThanOrEqual(name === 'needless' ? 2 : 0);
	},
);
