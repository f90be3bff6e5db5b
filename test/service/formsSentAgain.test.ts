import { useSiteAndService } from '../support/inProcess/siteAndService';
import { concurrentTestWithBrowser } from '../support/service/browser';
import { cloudClient } from '../support/service/cloudClient';
import { extract, loop, pageKinds, step, task, uuidOf } from '../support/service/taskFiles';

// Something sent that its site has taken, and a page behind it that is not to be had for now: that page alone is asked for
// again. Where that does not help, all is done again, and it is sent again.

const form = '<form method="post"><button>Order</button></form>';
const byScript = (work: string) =>
	`<button>Order</button><script>document.querySelector('button').onclick = async () => { ${work} };</script>`;
const sending = `await fetch(location.pathname, { method: 'POST' });`;

interface Way {
	/** What shows the button of the order. */
	page: string;
	/** What its site answers what is sent; absent: a redirect. */
	answer?: string;
	/** What follows the click on the button. */
	steps?: (url: string) => object[];
	/** Forms that are sent in a loop; absent: one, by a click. */
	forms?: number;
	/** Absent: both. */
	kinds?: readonly string[];
}

/** How each order leads on. */
const ways: Record<string, Way> = {
	'by a redirect': { page: form },
	'by a refresh': { page: form, answer: '<meta http-equiv="refresh" content="0; url=?done">' },
	'by a script': {
		page: byScript(`${sending} location.search = '?done';`),
		answer: 'taken',
		kinds: ['browser'],
	},
	'by a later click': {
		page: form,
		answer: '<a href="?done">My order</a>',
		steps: () => [step('click', { selector: 'a' })],
	},
	'by a later address': {
		page: form,
		answer: 'taken',
		steps: (url) => [step('navigate', { url: `${url}?done` })],
	},
	'by an address behind a loop': {
		page: form.repeat(3),
		answer: 'taken',
		steps: (url) => [step('navigate', { url: `${url}?done` })],
		forms: 3,
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
		const tasks = orders.map(({ name, kind, way }) => {
			const url = `${site.baseUrl}/${uuidOf(name)}`;
			const { steps, forms } = ways[way] ?? {};
			const click = step('click', { selector: 'button' });
			const elements = { loopType: 'list', listType: 'elements', selector: 'form' };
			const order = forms === undefined ? click : loop(elements, [click]);
			const all = [
				step('navigate', { url }),
				order,
				...(steps?.(url) ?? []),
				extract({ Text: 'p' }),
			];
			return task(name, all, { page: kind, requestsPerHost: 8 });
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
		const { forms = 1 } = ways[way] ?? {};
		expect(sent.get(uuidOf(name))).toBe(isSentAgain ? 2 * forms : forms);
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
