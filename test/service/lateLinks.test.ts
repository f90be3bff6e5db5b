import { useSiteAndService } from '../support/inProcess/siteAndService';
import { concurrentTestWithBrowser } from '../support/service/browser';
import { cloudClient } from '../support/service/cloudClient';
import { extract, loop, step, task, uuidOf } from '../support/service/taskFiles';

// Links that a script follows only after a while, as those that are counted first, and scripts that wait for people.

const delays = [300, 500, 1000];
const numbers = [1, 2, 3];

const follows = (delay: number) => `<script>addEventListener('click', (event) => {
	const link = event.target.closest('a');
	if (!link) return;
	event.preventDefault();
	link.className = 'busy';
	setTimeout(() => (location.href = link.href), ${delay});
});</script>`;

const listPage = (delay: number) =>
	`${delay === 500 ? '' : '<h1>All</h1>'}${numbers
		.map((number) => `<p><b>${number}</b> <a href="/${delay}/detail/${number}">More</a></p>`)
		.join('')}${follows(delay)}`;
const pagerPage = (delay: number, number: number) =>
	`<h1>Page ${number}</h1>${
		number < 3 ? `<a class="next" href="/${delay}/page/${number + 1}">Next</a>` : ''
	}${follows(delay)}`;

/** What it says is put there once somebody moves, as tools do that load the scripts of a page late. */
const waiting = `<h1>–</h1><script>
	addEventListener('mousemove', () => (document.querySelector('h1').textContent = 'here'), { once: true });
</script>`;

const { site, service } = useSiteAndService(
	({ url: { pathname } }) => {
		const [, delay = '', kind, number] = pathname.split('/');
		if (delay === 'waiting') return waiting;
		if (kind === 'detail') return `<h1>Detail ${number}</h1>`;
		return kind === 'page' ? pagerPage(Number(delay), Number(number)) : listPage(Number(delay));
	},
	() => {
		const open = (path: string) => step('navigate', { url: `${site.baseUrl}/${path}` });
		const options = { page: 'browser', requestsPerHost: 8 } as const;
		const details = delays.map((delay) =>
			task(
				`details ${delay}`,
				[
					open(`${delay}/list`),
					loop({ loopType: 'list', listType: 'elements', selector: 'p' }, [
						step('extractData', {
							emit: false,
							fields: [{ id: uuidOf('Number'), name: 'Number', selector: 'b' }],
						}),
						step('click', { selector: 'a' }),
						extract({ Text: 'h1' }),
					]),
				],
				options,
			),
		);
		const pages = delays.map((delay) =>
			task(
				`pages ${delay}`,
				[
					open(`${delay}/page/1`),
					loop({ loopType: 'page', selector: '.next', timesMode: 'all' }, [
						extract({ Text: 'h1' }),
					]),
				],
				options,
			),
		);
		const still = task('waiting', [open('waiting'), extract({ Text: 'h1' })], options);
		return {
			tasks: Object.fromEntries([...details, ...pages, still].map((each) => [each.taskID, each])),
			env: { SERVICE_AGENTS: '8' },
		};
	},
);

const rowsOf = async (name: string) => (await cloudClient(service).run(uuidOf(name))).rows;

concurrentTestWithBrowser.each(delays)(
	'a link that is followed %i milliseconds after the click gives the row of its own entry',
	async (delay) => {
		const rows = numbers.map((number) => ({ Number: String(number), Text: `Detail ${number}` }));
		expect(await rowsOf(`details ${delay}`)).toEqual(rows);
	},
);

concurrentTestWithBrowser.each(delays)(
	'"next" that is followed %i milliseconds after the click leads through all pages',
	async (delay) => {
		const rows = numbers.map((number) => ({ Text: `Page ${number}` }));
		expect(await rowsOf(`pages ${delay}`)).toEqual(rows);
	},
);

concurrentTestWithBrowser(
	'scripts that wait until somebody moves have done their work',
	async () => {
		expect(await rowsOf('waiting')).toEqual([{ Text: 'here' }]);
	},
);
