import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { useSiteAndService } from '../support/inProcess/siteAndService';
import { concurrentTestWithBrowser } from '../support/service/browser';
import { cloudClient } from '../support/service/cloudClient';
import { extract, loop, step, task, uuidOf } from '../support/service/taskFiles';

// Data that a step has its page ask for as a stream of events, which comes piece by piece.

const entries = ['1', '2', '3', '4', '5'];
const pieces = ['a', 'b', 'c'];
/** Milliseconds between two events: longer than a page that nothing happens on takes to be at rest. */
const gap = 400;
let refusals = 0;

/** What was there before stays until the first event. */
const page = (
	path: string,
) => `${entries.map((each) => `<button>${each}</button>`).join('')}<ul></ul><script>
	for (const button of document.querySelectorAll('button')) button.onclick = () => {
		const list = document.querySelector('ul');
		let isFirst = true;
		const stream = new EventSource('${path}/' + button.textContent);
		stream.onmessage = ({ data }) => {
			if (data === 'done') return stream.close();
			list.innerHTML = (isFirst ? '' : list.innerHTML) + '<li>' + data + '</li>';
			isFirst = false;
		};
	};
</script>`;

async function* events(entry: string) {
	for (const piece of [...pieces.map((each) => entry + each), 'done']) {
		await sleep(gap);
		yield `data: ${piece}\n\n`;
	}
}

const { site, service } = useSiteAndService(
	({ url: { pathname } }) => {
		const entry = pathname.slice(-1);
		const headers = { 'content-type': 'text/event-stream' };
		if (pathname === '/slow' || pathname === '/refused') return page(`${pathname}-stream`);
		if (pathname === '/refused-stream/3' && (refusals += 1) === 1) return { status: 503 };
		if (pathname.startsWith('/slow')) return { headers, body: Readable.from(events(entry)) };
		const all = pieces.map((piece) => `data: ${entry}${piece}\n\n`);
		return { headers, body: `${all.join('')}data: done\n\n` };
	},
	() => {
		const buttons = { loopType: 'list', listType: 'elements', selector: 'button' };
		const each = loop(buttons, [
			step('click', { useLoopItem: true }),
			extract({ Text: {} }, ':root li'),
		]);
		const tasks = ['slow', 'refused'].map((name) => {
			const open = step('navigate', { url: `${site.baseUrl}/${name}` });
			return task(name, [open, each], { page: 'browser' });
		});
		return { tasks: Object.fromEntries(tasks.map((each) => [each.taskID, each])) };
	},
);

concurrentTestWithBrowser.each([
	['that comes slowly', 'slow'],
	['that is refused once', 'refused'],
])('a stream %s is read whole', async (_, name) => {
	const { batch, rows } = await cloudClient(service).run(uuidOf(name));
	const all = entries.flatMap((entry) => pieces.map((piece) => entry + piece));
	expect(rows.map(({ Text }) => Text)).toEqual(all);
	await service.logged({ batchID: batch.batchID, msg: 'batch successful', failedPages: 0 });
	const said = service.log.filter(({ batchID }) => batchID === batch.batchID);
	expect(said.filter(({ msg }) => msg === 'step not answered')).toEqual([]);
});
