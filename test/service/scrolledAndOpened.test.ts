import { useSiteAndService } from '../support/inProcess/siteAndService';
import { concurrentTestWithBrowser } from '../support/service/browser';
import { cloudClient } from '../support/service/cloudClient';
import { extract, loop, step, task, uuidOf } from '../support/service/taskFiles';

// A list that scrolling has made longer, whose entries lead to pages of their own: its address brings the first of them.

const page = `<!doctype html><main></main><script>
	let [length, isBusy] = [0, false];
	async function more() {
		if (isBusy || length === 12) return;
		isBusy = true;
		await new Promise((resolve) => setTimeout(resolve, 100));
		for (const end = length + 4; length < end; ) {
			length += 1;
			document.querySelector('main').insertAdjacentHTML('beforeend', '<p style="height: 200px"><a href="entry/' + length + '">entry ' + length + '</a></p>');
		}
		isBusy = false;
	}
	onscroll = () => innerHeight + scrollY > document.body.scrollHeight - 300 && more();
	more();
</script>`;

const scroll = (...steps: object[]) => loop({ loopType: 'scroll', timesMode: 'all' }, steps);
const each = (...steps: object[]) =>
	loop({ loopType: 'list', listType: 'elements', selector: 'p' }, [
		step('extractData', { emit: false, fields: [{ name: 'Name', selector: 'a' }] }),
		...steps,
		extract({ Title: 'h1' }),
	]);
const ways: Record<string, object[]> = {
	navigate: [
		scroll(step('wait', { selector: 'p' })),
		each(step('navigate', { useLoopItem: true })),
	],
	click: [scroll(step('wait', { selector: 'p' })), each(step('click', { selector: 'a' }))],
};

const { site, service } = useSiteAndService(
	({ url: { pathname } }) => {
		const [, way, entry] = /^\/(\w+)\/(?:entry\/(\d+))?$/.exec(pathname) ?? [];
		if (way === undefined) return { status: 404 };
		return entry === undefined ? page : `<h1>title ${entry}</h1>`;
	},
	() => ({
		tasks: Object.fromEntries(
			Object.entries(ways).map(([name, steps]) => {
				const open = step('navigate', { url: `${site.baseUrl}/${name}/` });
				const made = task(name, [open, ...steps], { page: 'browser', requestsPerHost: 4 });
				return [made.taskID, made];
			}),
		),
		env: { SERVICE_AGENTS: '2' },
	}),
);

concurrentTestWithBrowser.each(Object.keys(ways))('all of it are opened: by %s', async (name) => {
	const { batch, rows } = await cloudClient(service).run(uuidOf(name));
	await service.logged({ batchID: batch.batchID, msg: 'batch successful', failedPages: 0 });
	const wanted = Array.from({ length: 12 }, (_, index) => ({
		Name: `entry ${index + 1}`,
		Title: `title ${index + 1}`,
	}));
	expect(rows).toMatchObject(wanted);
	// The list is not asked for again.
	const asked = site.requests.filter(({ url }) => url.pathname === `/${name}/`);
	expect(asked).toHaveLength(1);
});
