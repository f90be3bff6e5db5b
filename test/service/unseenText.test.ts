import { concurrentTestWithBrowser } from '../support/service/browser';
import { cloudClient } from '../support/service/cloudClient';
import { useSiteAndService } from '../support/inProcess/siteAndService';
import { extract, step, task, uuidOf } from '../support/service/taskFiles';

// What is read of elements that their own HTML hides: of them, of what is in them, and of what they are in.

const hiding = [
	'',
	'hidden',
	'hidden="until-found"',
	'style="display: none"',
	'style="visibility: hidden"',
	'style="content-visibility: hidden"',
	'style="content-visibility: hidden !important"',
	'style="visibility:hidden; display:none"',
];
const sections = hiding.map(
	(each) => `<section><div class="self" ${each}>b <p>c</p></div></section>`,
);
const details = (name: string, dish: string) =>
	`<details ${name === 'Open' ? 'open' : ''}><summary>${name}</summary>
		<ul><li><h3>Soup</h3><div><b>1</b><b>2</b><i hidden>no</i></div></li></ul>${dish}
	</details>`;
const page = `${sections.join('')}${details('Open', '')}${details('Closed', details('Inner', ''))}`;
/** Skeletons, until a script has what is to be shown. */
const skeletons = `<style>li { visibility: hidden }</style><ul><li>0</li><li>0</li></ul><script>
	setTimeout(() => {
		for (const row of document.querySelectorAll('li')) {
			row.style.visibility = 'visible';
			row.textContent = '12';
		}
	}, 500);
</script>`;

const kinds = ['http', 'browser'] as const;

const { site, service } = useSiteAndService(
	({ url }) => (url.pathname === '/skeletons' ? skeletons : page),
	() => {
		const open = step('navigate', { url: site.baseUrl });
		const hidden = { Self: '.self', Inside: 'p', All: {} };
		const dishes = { Dish: 'h3', Price: 'div', Row: {} };
		const tasks = kinds.flatMap((kind) => [
			task(`hidden ${kind}`, [open, extract(hidden, 'section')], { page: kind }),
			task(`closed ${kind}`, [open, extract(dishes, 'li')], { page: kind }),
			task(`around ${kind}`, [open, extract({ Around: {} }, 'body > details')], { page: kind }),
		]);
		const rows = [
			step('navigate', { url: `${site.baseUrl}/skeletons` }),
			extract({ Price: {} }, 'li'),
		];
		tasks.push(task('skeletons', rows, { page: 'browser' }));
		return { tasks: Object.fromEntries(tasks.map((each) => [each.taskID, each])) };
	},
);

const rowsOf = async (name: string) =>
	Promise.all(
		kinds.map(async (kind) => (await cloudClient(service).run(uuidOf(`${name} ${kind}`))).rows),
	);

concurrentTestWithBrowser(
	'what HTML hides is read by its text, but not in what it is in',
	async () => {
		const rows = hiding.map((how) => ({
			Self: 'b c',
			Inside: 'c',
			All: how === '' ? 'b c' : '',
		}));
		expect(await rowsOf('hidden')).toEqual([rows, rows]);
	},
);

concurrentTestWithBrowser(
	'what stands in closed details is read as if they were open',
	async () => {
		const row = { Dish: 'Soup', Price: '12', Row: 'Soup 12' };
		const rows = [row, row, row];
		expect(await rowsOf('closed')).toEqual([rows, rows]);
		const around = [{ Around: 'Open Soup 12' }, { Around: 'Closed' }];
		expect(await rowsOf('around')).toEqual([around, around]);
	},
);

concurrentTestWithBrowser('what is hidden ends no wait for what is to be shown', async () => {
	const { rows } = await cloudClient(service).run(uuidOf('skeletons'));
	expect(rows).toEqual([{ Price: '12' }, { Price: '12' }]);
});
