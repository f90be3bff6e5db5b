import { useSiteAndService } from '../support/inProcess/siteAndService';
import { testWithBrowser } from '../support/service/browser';
import { cloudClient } from '../support/service/cloudClient';
import { extract, loop, step, task, uuidOf } from '../support/service/taskFiles';

// Data that a page asks for as a stream of events: where its site refuses that, no browser asks for it again.

const entries = ['1', '2', '3', '4', '5'];
let refusals = 0;

const page = `${entries.map((each) => `<button>${each}</button>`).join('')}<p></p><script>
	for (const button of document.querySelectorAll('button')) button.onclick = () => {
		const stream = new EventSource('/stream/' + button.textContent);
		stream.onmessage = ({ data }) => {
			document.querySelector('p').textContent = data;
			stream.close();
		};
	};
</script>`;

const { site, service } = useSiteAndService(
	({ url: { pathname } }) => {
		if (pathname === '/') return page;
		if (pathname === '/stream/3' && (refusals += 1) === 1) return { status: 503 };
		const headers = { 'content-type': 'text/event-stream' };
		return { headers, body: `data: text ${pathname.at(-1)}\n\n` };
	},
	() => {
		const buttons = { loopType: 'list', listType: 'elements', selector: 'button' };
		const each = loop(buttons, [
			step('click', { useLoopItem: true }),
			extract({ Text: ':root p' }),
		]);
		const steps = [step('navigate', { url: `${site.baseUrl}/` }), each];
		const streams = task('streams', steps, { page: 'browser' });
		return { tasks: { [streams.taskID]: streams } };
	},
);

testWithBrowser('an entry whose stream is refused once is read whole', async () => {
	const { batch, rows } = await cloudClient(service).run(uuidOf('streams'));
	expect(rows.map(({ Text }) => Text)).toEqual(entries.map((entry) => `text ${entry}`));
	await service.logged({ batchID: batch.batchID, msg: 'batch successful', failedPages: 0 });
});
