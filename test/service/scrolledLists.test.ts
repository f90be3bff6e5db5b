import { concurrentTestWithBrowser } from '../support/service/browser';
import { cloudClient } from '../support/service/cloudClient';
import { useSiteAndService } from '../support/inProcess/siteAndService';
import { extract, loop, step, task, uuidOf } from '../support/service/taskFiles';
import type { SiteAnswer } from '../support/service/startSite';

// Lists that scrolling adds to, and whose script does not ask again for what was refused.

interface Site {
	/** What the site answers when it is asked for the second part: once. */
	second?: SiteAnswer | Promise<never>;
	/** What it answers when it is asked for something else, at the same time. */
	beside?: SiteAnswer;
	steps: object[];
}

const read = extract({ Text: 'b' }, '.entry');
const more = step('click', { selector: 'button' });
const scroll = (steps: object[]) => loop({ loopType: 'scroll', timesMode: 'all' }, steps);

const sites: Record<string, Site> = {
	'the second part is refused': { second: { status: 503 }, steps: [scroll([read])] },
	'the second part is not found': { second: { status: 404 }, steps: [scroll([read])] },
	'the second part does not come': {
		second: new Promise<never>(() => undefined),
		steps: [scroll([read])],
	},
	'something beside it is not found': { beside: { status: 401 }, steps: [scroll([read])] },
	'something beside it is refused': { beside: { status: 500 }, steps: [scroll([read])] },
	'clicks bring the rest into sight': {
		steps: [
			scroll([
				loop({ loopType: 'list', listType: 'elements', selector: '.entry' }, [
					more,
					extract({ Text: 'i' }),
				]),
			]),
		],
	},
};

const pageOf = (
	path: string,
) => `<style>.entry { height: 160px }</style><main></main><div id="end">&nbsp;</div><script>
	const list = document.querySelector('main');
	let [part, isBusy] = [0, false];
	fetch('${path}/beside');
	async function load() {
		if (isBusy || part === 3) return;
		isBusy = true;
		part += 1;
		const answer = await fetch('${path}/part?number=' + part);
		// As scripts do that take no notice of failures.
		if (!answer.ok) return;
		list.insertAdjacentHTML('beforeend', await answer.text());
		isBusy = false;
		if (end.getBoundingClientRect().top < innerHeight) load();
	}
	list.onclick = ({ target }) => (target.nextElementSibling.textContent = target.previousElementSibling.textContent);
	new IntersectionObserver(([{ isIntersecting }]) => isIntersecting && load()).observe(end);
</script>`;

const entry = (number: number) =>
	`<div class="entry"><b>${number}</b> <button>More</button> <i></i></div>`;
const numbers = (from: number, to: number) =>
	Array.from({ length: to - from + 1 }, (_, index) => from + index);

const names = new Map(Object.keys(sites).map((name) => [uuidOf(name), name]));
const refused = new Set<string>();

const { site, service } = useSiteAndService(
	({ url: { pathname, searchParams } }): SiteAnswer | Promise<never> => {
		const [, id = '', asked] = pathname.split('/');
		const { second, beside } = sites[names.get(id) ?? ''] ?? { steps: [] };
		if (asked === undefined) return pageOf(`/${id}`);
		if (asked === 'beside') return beside ?? 'nothing';
		const part = Number(searchParams.get('number'));
		if (part === 2 && second && !refused.has(id)) {
			refused.add(id);
			return second;
		}
		return numbers(part * 5 - 4, part * 5)
			.map(entry)
			.join('');
	},
	() => {
		const tasks = Object.entries(sites).map(([name, { steps }]) =>
			task(name, [step('navigate', { url: `${site.baseUrl}/${uuidOf(name)}` }), ...steps], {
				page: 'browser',
				requestsPerHost: 8,
				tries: 3,
				timeout: 8000,
			}),
		);
		return {
			tasks: Object.fromEntries(tasks.map((each) => [each.taskID, each])),
			env: { SERVICE_AGENTS: '8' },
		};
	},
);

async function run(name: string) {
	const { batch, rows } = await cloudClient(service).run(uuidOf(name));
	const { batchID } = batch;
	await service.logged({ batchID, msg: 'batch successful' });
	const lines = service.log.filter((line) => line.batchID === batchID);
	const warnings = lines.filter(({ level, reason }) => level === 40 && reason !== undefined);
	return {
		texts: rows.map(({ Text }) => Number(Text)),
		failedPages: lines.find(({ msg }) => msg === 'batch successful')?.failedPages,
		warnings: warnings.map(({ reason }) => String(reason)),
	};
}

concurrentTestWithBrowser(
	'a list whose data is refused, and not asked for again, comes anew',
	async () => {
		const { texts, failedPages } = await run('the second part is refused');
		expect({ texts, failedPages }).toEqual({ texts: numbers(1, 15), failedPages: 0 });
	},
);

concurrentTestWithBrowser.each([
	[
		'the second part is not found',
		[/^Scrolling has brought nothing new\. .*\/part\?number=2 .*HTTP 404/],
	],
	[
		'the second part does not come',
		// It may have been for an entry that has come into sight, too.
		[
			/^Scrolling has brought nothing new\. .*\/part has not answered\.$/,
			/^Data that the page has asked for did not come: .*\/part has not answered\.$/,
		],
	],
])('of a list whose data does not come, the log warns: %s', async (name, said) => {
	const { texts, failedPages, warnings } = await run(name);
	expect({ texts, failedPages }).toEqual({ texts: numbers(1, 5), failedPages: 0 });
	expect(warnings).toEqual(said.map((each): unknown => expect.stringMatching(each)));
});

concurrentTestWithBrowser.each([
	'something beside it is not found',
	'something beside it is refused',
	'clicks bring the rest into sight',
])('all of a list is read, and no word said, where %s', async (name) => {
	const { texts, failedPages } = await run(name);
	expect({ texts, failedPages }).toEqual({ texts: numbers(1, 15), failedPages: 0 });
});
