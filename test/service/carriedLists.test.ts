import { useSiteAndService } from '../support/inProcess/siteAndService';
import { concurrentTestWithBrowser } from '../support/service/browser';
import { cloudClient } from '../support/service/cloudClient';
import { extract, loop, step, task, uuidOf } from '../support/service/taskFiles';

// Lists whose script puts other rows into the elements that it has, as they are scrolled. Chromium keeps these in sight,
// and so carries the list on, unless a style says otherwise.

const rows = Array.from({ length: 90 }, (_, index) => `row ${index}`);

const recycled = (style: string) => `<style>tr { height: 30px } td { padding: 0 }</style>
	<div style="height: 300px; overflow: auto; ${style}"><table><tbody></tbody></table></div><script>
	const rows = ${JSON.stringify(rows)};
	const [list, body] = ['div', 'tbody'].map((each) => document.querySelector(each));
	body.innerHTML = '<tr></tr>' + '<tr class="row"><td></td></tr>'.repeat(16) + '<tr></tr>';
	const [above, ...shown] = body.children;
	const below = shown.pop();
	list.onscroll = () => {
		const first = Math.max(0, Math.min(rows.length - 16, Math.floor(list.scrollTop / 30) - 2));
		above.style.height = first * 30 + 'px';
		below.style.height = (rows.length - 16 - first) * 30 + 'px';
		shown.forEach((each, at) => (each.firstChild.textContent = rows[first + at]));
	};
	list.onscroll();
</script>`;
const pages: Record<string, string> = {
	carried: recycled(''),
	still: recycled('overflow-anchor: none'),
};

const { site, service } = useSiteAndService(
	({ url: { pathname } }) => pages[pathname.slice(1)] ?? { status: 404 },
	() => {
		const scroll = loop({ loopType: 'scroll', timesMode: 'all', selector: 'div' }, [
			extract({ Text: 'td' }, '.row'),
		]);
		const tasks = Object.keys(pages).map((path) =>
			task(path, [step('navigate', { url: `${site.baseUrl}/${path}` }), scroll], {
				page: 'browser',
			}),
		);
		return { tasks: Object.fromEntries(tasks.map((each) => [each.taskID, each])) };
	},
);

async function run(path: string) {
	const { rows: read, batch } = await cloudClient(service).run(uuidOf(path));
	const warnings = service.log.filter(
		(line) => line.batchID === batch.batchID && Number(line.level) >= 40,
	);
	return { texts: read.map(({ Text }) => Text), reasons: warnings.map(({ reason }) => reason) };
}

concurrentTestWithBrowser('what a list is carried on by the browser is told', async () => {
	const { texts, reasons } = await run('carried');
	expect(texts.length).toBeLessThan(rows.length);
	expect(reasons).toEqual([
		'the list stands farther on than it was scrolled, with other rows in the place of those before: rows between may be missing',
	]);
});

concurrentTestWithBrowser('one that stays where it is scrolled to is read whole', async () => {
	expect(await run('still')).toEqual({ texts: rows, reasons: [] });
});
