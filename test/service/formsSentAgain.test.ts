import { useSiteAndService } from '../support/inProcess/siteAndService';
import { concurrentTestWithBrowser } from '../support/service/browser';
import { cloudClient } from '../support/service/cloudClient';
import { extract, pageKinds, step, task, uuidOf } from '../support/service/taskFiles';

// Something sent that its site has taken, and a page behind it that is not to be had for now: that alone is asked for again.
// Where that does not help, the page is tried again, and sends it again.

const form = '<form method="post"><button>Order</button></form>';
const byScript = (work: string) =>
	`<button>Order</button><script>document.querySelector('button').onclick = async () => { ${work} };</script>`;
const sending = `await fetch(location.pathname, { method: 'POST' });`;

/** How each order leads on: what shows its button, and what its site answers what it sends, but for a redirect. */
const ways: Record<string, { page: string; answer?: string; kinds?: readonly string[] }> = {
	'by a redirect': { page: form },
	'by a refresh': { page: form, answer: '<meta http-equiv="refresh" content="0; url=?done">' },
	'by a script': {
		page: byScript(`${sending} location.search = '?done';`),
		answer: 'taken',
		kinds: ['browser'],
	},
};

/** What becomes of the page behind it: how often it is not to be had, and by what. */
const faults: Record<string, { times: number; isDropped?: boolean; isEmpty?: boolean }> = {
	'refused once': { times: 1 },
	'refused once, without a word': { times: 1, isEmpty: true },
	'cut off once': { times: 1, isDropped: true },
	'refused three times': { times: 3 },
};

const orders = Object.entries(ways).flatMap(([way, { kinds = pageKinds }]) =>
	kinds.flatMap((kind) =>
		Object.keys(faults).map((fault) => ({ way, kind, fault, name: `${kind} ${way}, ${fault}` })),
	),
);

const sent = new Map<string, number>();
const asked = new Map<string, number>();
const count = (counts: Map<string, number>, id: string) => {
	const now = (counts.get(id) ?? 0) + 1;
	counts.set(id, now);
	return now;
};

const { site, service } = useSiteAndService(
	({ method, url: { pathname, search } }) => {
		const id = pathname.slice(1);
		const order = orders.find(({ name }) => uuidOf(name) === id);
		if (!order) return { status: 404 };
		const { page, answer } = ways[order.way] ?? { page: '' };
		if (method === 'POST') {
			count(sent, id);
			return answer ?? { status: 303, headers: { location: `${pathname}?done` } };
		}
		if (search === '') return page;
		const { times = 0, isDropped, isEmpty } = faults[order.fault] ?? {};
		if (count(asked, id) > times) return '<p>done</p>';
		if (isDropped) throw new Error('The connection is cut.');
		return { status: 503, body: isEmpty ? '' : '<p>busy</p>' };
	},
	() => {
		const tasks = orders.map(({ name, kind }) => {
			const open = step('navigate', { url: `${site.baseUrl}/${uuidOf(name)}` });
			const click = step('click', { selector: 'button' });
			const rest = { page: kind, requestsPerHost: 8 };
			return task(name, [open, click, extract({ Text: 'p' })], rest);
		});
		return { tasks: Object.fromEntries(tasks.map((each) => [each.taskID, each])) };
	},
);

concurrentTestWithBrowser.each(orders)(
	'an order on a page of kind $kind that leads on $way is known whose page is $fault',
	async ({ name, way, fault }) => {
		const { batch, rows } = await cloudClient(service).run(uuidOf(name));
		await service.logged({ batchID: batch.batchID, msg: 'batch successful', failedPages: 0 });
		expect(rows).toEqual([{ Text: 'done' }]);
		const isSentAgain = fault === 'refused three times';
		expect(sent.get(uuidOf(name))).toBe(isSentAgain ? 2 : 1);
		const said = service.log.filter(
			({ batchID, msg }) =>
				batchID === batch.batchID && (msg === 'form sent again' || msg === 'step not answered'),
		);
		const reason = expect.stringContaining(
			`had sent POST ${site.baseUrl}/${uuidOf(name)}, and does`,
		) as unknown;
		const msg = way === 'by a script' ? 'step not answered' : 'form sent again';
		expect(said).toEqual(isSentAgain ? [expect.objectContaining({ msg, reason })] : []);
	},
);
