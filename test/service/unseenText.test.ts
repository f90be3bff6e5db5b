import { concurrentTestWithBrowser } from '../support/service/browser';
import { cloudClient } from '../support/service/cloudClient';
import { useSiteAndService } from '../support/inProcess/siteAndService';
import { extract, step, task, uuidOf } from '../support/service/taskFiles';

// What is read of elements that their own HTML hides, as in a browser: of them, and of what is in them.

const hiding = [
	'',
	'hidden',
	'hidden="until-found"',
	'style="display: none"',
	'style="visibility: hidden"',
	'style="content-visibility: hidden"',
	'style="visibility:hidden; display:none"',
];
const page = hiding
	.map((each) => `<section><div class="self" ${each}>b <p>c</p></div></section>`)
	.join('');

const kinds = ['http', 'browser'] as const;

const { site, service } = useSiteAndService(
	() => page,
	() => {
		const columns = { Self: '.self', Inside: 'p' };
		const tasks = kinds.map((kind) =>
			task(kind, [step('navigate', { url: site.baseUrl }), extract(columns, 'section')], {
				page: kind,
			}),
		);
		return { tasks: Object.fromEntries(tasks.map((each) => [each.taskID, each])) };
	},
);

concurrentTestWithBrowser('what HTML hides is read as in a browser', async () => {
	const [http, browser] = await Promise.all(
		kinds.map((kind) => cloudClient(service).run(uuidOf(kind))),
	);
	const read = (run: typeof http) => run?.rows.map((row, index) => [hiding[index], row]);
	expect(read(http)).toEqual(read(browser));
	expect(http?.rows).toHaveLength(hiding.length);
});
