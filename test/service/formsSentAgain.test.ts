import { useSiteAndService } from '../support/inProcess/siteAndService';
import { concurrentTestWithBrowser } from '../support/service/browser';
import { cloudClient } from '../support/service/cloudClient';
import { extract, step, task, uuidOf } from '../support/service/taskFiles';

// A form that its site has taken, and a page behind it that is refused: that alone is asked for again on an http page. Else, or
// where that does not help, the page is tried again, and sends the form again.

const sent = new Map<string, number>();
/** How often each was refused, and is to be. */
const refused = new Map<string, number>();
const times: Record<string, number> = { once: 1, 'three times': 3, browser: 1 };

const { site, service } = useSiteAndService(
	({ method, url: { pathname } }) => {
		const [, name = '', place] = pathname.split('/');
		if (method === 'POST') {
			sent.set(name, (sent.get(name) ?? 0) + 1);
			return { status: 303, headers: { location: `/${name}/done` } };
		}
		if (place === undefined) return '<form method="post"><button>Order</button></form>';
		const before = refused.get(name) ?? 0;
		if (before === times[decodeURIComponent(name)]) return '<p>done</p>';
		refused.set(name, before + 1);
		return { status: 503 };
	},
	() => {
		const tasks = Object.keys(times).map((name) => {
			const open = step('navigate', { url: `${site.baseUrl}/${encodeURIComponent(name)}` });
			const click = step('click', { selector: 'button' });
			const page = name === 'browser' ? 'browser' : 'http';
			return task(name, [open, click, extract({ Text: 'p' })], { page });
		});
		return { tasks: Object.fromEntries(tasks.map((each) => [each.taskID, each])) };
	},
);

async function check(name: string, isSentAgain: boolean) {
	const { batch, rows } = await cloudClient(service).run(uuidOf(name));
	await service.logged({ batchID: batch.batchID, msg: 'batch successful', failedPages: 0 });
	expect(rows).toEqual([{ Text: 'done' }]);
	const path = encodeURIComponent(name);
	expect(sent.get(path)).toBe(isSentAgain ? 2 : 1);
	const said = service.log.filter(
		({ batchID, msg }) => batchID === batch.batchID && msg === 'form sent again',
	);
	const reason = expect.stringContaining(
		`had sent POST ${site.baseUrl}/${path}, and does`,
	) as unknown;
	expect(said).toEqual(isSentAgain ? [expect.objectContaining({ reason })] : []);
}

test.concurrent('what is refused once behind a form is asked for again, without the form', () =>
	check('once', false),
);

test.concurrent('the log says where an http page sends its form again', () =>
	check('three times', true),
);

concurrentTestWithBrowser('the log says where a browser page does', () => check('browser', true));
