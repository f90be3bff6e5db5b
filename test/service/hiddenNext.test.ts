import { concurrentTestWithBrowser } from '../support/service/browser';
import { cloudClient } from '../support/service/cloudClient';
import { useSiteAndService } from '../support/inProcess/siteAndService';
import { extract, loop, step, task, uuidOf } from '../support/service/taskFiles';

// A search whose second word finds so little that its page has "more" hidden from the start.

const { site, service } = useSiteAndService(
	({ url }) => {
		const page = Number(url.searchParams.get('page') ?? 1);
		const isLast = url.pathname === '/rare' || page === 2;
		return `<p>${url.pathname} ${page}</p><a class="more" href="?page=${page + 1}" ${isLast ? 'hidden' : ''}>More</a>`;
	},
	() => {
		const urls = ['/common', '/rare'].map((path) => site.baseUrl + path);
		const more = { loopType: 'page', selector: '.more', timesMode: 'all' };
		const search = task(
			'search',
			[
				loop({ loopType: 'list', listType: 'urlList', urls }, [
					step('navigate', { useLoopItem: true }),
					loop(more, [extract({ Text: 'p' })]),
				]),
			],
			{ page: 'browser' },
		);
		return { tasks: { search } };
	},
);

concurrentTestWithBrowser(
	'a loop by page ends where what was seen in an earlier round is hidden',
	async () => {
		const { batch, rows } = await cloudClient(service).run(uuidOf('search'));
		expect(rows.map(({ Text }) => Text)).toEqual(['/common 1', '/common 2', '/rare 1']);
		const { batchID } = batch;
		await service.logged({ batchID, msg: 'batch successful', failedPages: 0 });
	},
);
