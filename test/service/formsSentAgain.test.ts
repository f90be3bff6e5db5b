import { useSiteAndService } from '../support/inProcess/siteAndService';
import { concurrentTestWithBrowser } from '../support/service/browser';
import { cloudClient } from '../support/service/cloudClient';
import { extract, step, task, uuidOf } from '../support/service/taskFiles';

// A form that its site has taken, and a page behind it that is refused once: the page is tried again, and sends the form again.

const sent = new Map<string, number>();
const refused = new Set<string>();

const { site, service } = useSiteAndService(
	({ method, url: { pathname } }) => {
		const [, name = '', place] = pathname.split('/');
		if (method === 'POST') {
			sent.set(name, (sent.get(name) ?? 0) + 1);
			return { status: 303, headers: { location: `/${name}/done` } };
		}
		if (place === undefined) return '<form method="post"><button>Order</button></form>';
		if (refused.has(name)) return '<p>done</p>';
		refused.add(name);
		return { status: 503 };
	},
	() => {
		const tasks = ['http', 'browser'].map((page) => {
			const open = step('navigate', { url: `${site.baseUrl}/${page}` });
			const click = step('click', { selector: 'button' });
			return task(page, [open, click, extract({ Text: 'p' })], { page });
		});
		return { tasks: Object.fromEntries(tasks.map((each) => [each.taskID, each])) };
	},
);

async function check(page: string) {
	const { batch, rows } = await cloudClient(service).run(uuidOf(page));
	await service.logged({ batchID: batch.batchID, msg: 'batch successful', failedPages: 0 });
	expect(rows).toEqual([{ Text: 'done' }]);
	expect(sent.get(page)).toBe(2);
	const said = service.log.filter(
		({ batchID, msg }) => batchID === batch.batchID && msg === 'form sent again',
	);
	const reason = expect.stringContaining(
		`had sent POST ${site.baseUrl}/${page}, and does`,
	) as unknown;
	expect(said).toEqual([expect.objectContaining({ reason })]);
}

test.concurrent('the log says so on an http page', () => check('http'));

concurrentTestWithBrowser('the log says so on a browser page', () => check('browser'));
