import { concurrentTestWithBrowser } from '../support/service/browser';
import { consoleClient } from '../support/service/console';
import { plainText } from '../support/service/plainText';
import { cloudClient } from '../support/service/cloudClient';
import { useSiteAndService } from '../support/inProcess/siteAndService';
import { extract, loop, step, task, uuidOf } from '../support/service/taskFiles';

// A search whose second word finds so little that its page has "more" hidden from the start; and a list whose rest comes
// just as "more" is to be clicked, which it hides.

const hasty = `<p>1</p><button class="more">More</button><script>
	const [more, said] = ['.more', 'p'].map((each) => document.querySelector(each));
	more.onclick = () => (said.textContent = 2);
	more.onmousemove = () => { if (said.textContent === '2') [said.textContent, more.hidden] = [3, true]; };
</script>`;

/** When a script shows what leads on. */
const showing: Record<string, string> = {
	'/late': 'setTimeout(show, 7_000)',
	'/near':
		'new IntersectionObserver(([{ isIntersecting }]) => isIntersecting && show()).observe(more)',
};

const { site, service } = useSiteAndService(
	({ url }) => {
		if (url.pathname === '/hasty') return hasty;
		if (url.pathname in showing) {
			const shown = Number(url.searchParams.get('page') ?? 1);
			const next = `<a class="more" href="?page=${shown + 1}" style="visibility: hidden">More</a>`;
			return `<p>${shown}</p>${shown < 3 ? `<div style="height: 3000px"></div>${next}` : ''}<script>
				const more = document.querySelector('.more');
				const show = () => (more.style.visibility = 'visible');
				if (more) { ${showing[url.pathname]}; }
			</script>`;
		}
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
		const lone = task(
			'lone',
			[step('navigate', { url: `${site.baseUrl}/rare` }), loop(more, [extract({ Text: 'p' })])],
			{ page: 'browser' },
		);
		const list = task(
			'list',
			[step('navigate', { url: `${site.baseUrl}/hasty` }), loop(more, [extract({ Text: 'p' })])],
			{ page: 'browser' },
		);
		const shown = Object.keys(showing).map((path): [string, object] => [
			path.slice(1),
			task(
				path,
				[step('navigate', { url: site.baseUrl + path }), loop(more, [extract({ Text: 'p' })])],
				{ page: 'browser' },
			),
		]);
		return { tasks: { search, list, lone, ...Object.fromEntries(shown) } };
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

concurrentTestWithBrowser('so does one whose only page hides it from the start', async () => {
	const { batch, rows } = await cloudClient(service).run(uuidOf('lone'));
	expect(rows.map(({ Text }) => Text)).toEqual(['/rare 1']);
	const { batchID } = batch;
	await service.logged({ batchID, msg: 'batch successful', failedPages: 0 });
	const reason = '.more is hidden';
	await service.logged({ batchID, msg: 'loop by page ended', reason, isNeverFound: true });
	const visit = await consoleClient(service);
	const said = plainText(await (await visit(`/console/batches/${batchID}`)).text());
	expect(said).toContain(`A loop by page has read one page Where there are more`);
	expect(said).toContain(`${reason} at ${site.baseUrl}/rare`);
});

concurrentTestWithBrowser.each(Object.keys(showing))(
	'it goes on by what a script shows only then: %s',
	async (path) => {
		const { batch, rows } = await cloudClient(service).run(uuidOf(path));
		expect([batch.status, ...rows.map(({ Text }) => Text)]).toEqual([3, '1', '2', '3']);
	},
);

concurrentTestWithBrowser(
	'what came as "next" was to be clicked, and has hidden it, is read',
	async () => {
		const { batch, rows } = await cloudClient(service).run(uuidOf('list'));
		expect(rows.map(({ Text }) => Text)).toEqual(['1', '2', '3']);
		const { batchID } = batch;
		await service.logged({ batchID, msg: 'batch successful', failedPages: 0 });
	},
);
