import { cloudClient } from '../support/service/cloudClient';
import { useSiteAndService } from '../support/inProcess/siteAndService';
import { extract, loop, step, task, uuidOf } from '../support/service/taskFiles';

// What leads on in a loop by page is a link, or a form, to its own page or to a script, of which only scripts make more: http pages run none.

const byScripts =
	'.next leads to no other page: where it does more, it does that by scripts, which "page": "browser" runs';
const nowhere = '<a class="next" href="#page=2">next</a>';

const pages: Record<string, string> = {
	'/': nowhere,
	'/first': nowhere,
	'/only': `<li class="page-item disabled">${nowhere}</li>`,
	'/1': '<a class="next" href="/2">next</a>',
	'/2': nowhere,
	'/form': '<form onsubmit="more(); return false"><button class="next">next</button></form>',
	'/byScript': '<a class="next" href=" JavaScript:void(0)">next</a>',
	'/button': '<button class="next">next</button>',
	'/placeholder': '<a class="next">next</a>',
	'/lone': '<span class="next disabled">next</span>',
	'/4': '<a class="next" href="/placeholder">next</a>',
	'/3': '<a class="next" href="/byScript">next</a>',
};

const { site, service } = useSiteAndService(
	({ url: { pathname } }) => `<p>row</p>${pages[pathname]}`,
	() => ({
		tasks: Object.fromEntries(
			['?list', '/first', '/only', '/1', '/form', '/byScript', '/3', '/button', '/lone', '/4'].map(
				(path) => [
					uuidOf(path),
					task(path, [
						step('navigate', { url: site.baseUrl + path }),
						loop({ loopType: 'page', selector: '.next', timesMode: 'all' }, [
							extract({ Text: 'p' }),
						]),
					]),
				],
			),
		),
	}),
);

test.concurrent.each([
	['warns on the first page', '/first', 1, { level: 40, reason: byScripts }],
	[
		'warns where the address is written without a path',
		'?list',
		1,
		{ level: 40, reason: byScripts },
	],
	['ends as it should where it looks disabled', '/only', 1, { reason: '.next is disabled' }],
	['ends as it should on a further page', '/1', 2, { level: 30, reason: byScripts }],
	[
		'warns where it is the button of a form that asks for nothing',
		'/form',
		1,
		{ level: 40, reason: byScripts },
	],
	[
		'warns where a script leads on from the first',
		'/byScript',
		1,
		{ level: 40, reason: byScripts },
	],
	['warns where it is no link at all', '/button', 1, { level: 40, reason: byScripts }],
	[
		'ends as it should where it is a link no more on a further page',
		'/4',
		2,
		{ level: 30, reason: byScripts },
	],
	[
		'ends as it should where what is no link looks disabled',
		'/lone',
		1,
		{ reason: '.next is disabled' },
	],
	[
		'ends as it should where one leads on from a further one',
		'/3',
		2,
		{ level: 30, reason: byScripts },
	],
])('the loop %s', async (_, path, count, said) => {
	const { batch, rows } = await cloudClient(service).run(uuidOf(path));
	expect(rows).toHaveLength(count);
	await service.logged({ batchID: batch.batchID, level: 30, msg: 'loop by page ended', ...said });
});
