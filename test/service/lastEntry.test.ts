import { useSiteAndService } from '../support/inProcess/siteAndService';
import { concurrentTestWithBrowser } from '../support/service/browser';
import { cloudClient } from '../support/service/cloudClient';
import { extract, loop, step, task, uuidOf } from '../support/service/taskFiles';

// Behind the last entry of a list, the list is opened again where a step follows, and only there.

const numbers = ['1', '2'];
const clicking = (steps: object[], selector = 'li') =>
	loop({ loopType: 'list', listType: 'elements', selector }, [
		step('click', { selector: 'a' }),
		...steps,
	]);
const entries = () => clicking([extract({ Text: 'h2' })]);

interface Case {
	steps: object[];
	rows: Record<string, string>[];
	/** What is asked for below the address of the case. */
	asked: string[];
}

const details = numbers.map((number) => ({ Text: `detail ${number}` }));
const cases: Record<string, () => Case> = {
	'the last step': () => ({
		steps: [entries()],
		rows: details,
		asked: ['', 'detail1', '', 'detail2'],
	}),
	'the last step of a loop over texts': () => ({
		steps: [loop({ loopType: 'list', listType: 'textList', texts: ['a', 'b'] }, [entries()])],
		rows: [...details, ...details],
		asked: ['', 'detail1', '', 'detail2', '', 'detail1', '', 'detail2'],
	}),
	'followed by another': () => ({
		steps: [entries(), extract({ Title: 'h1' })],
		rows: [...details, { Title: 'list' }],
		asked: ['', 'detail1', '', 'detail2', ''],
	}),
	'the last step of a loop by number': () => ({
		steps: [loop({ loopType: 'count', times: 2 }, [entries()])],
		rows: [...details, ...details],
		asked: ['', 'detail1', '', 'detail2', '', 'detail1', '', 'detail2', ''],
	}),
};

const { site, service } = useSiteAndService(
	({ url: { pathname } }) => {
		const [, , detail] = pathname.split('/');
		if (detail) return `<h2>${detail.replace('detail', 'detail ')}</h2>`;
		return `<h1>list</h1>${numbers.map((number) => `<li><a href="detail${number}">more</a></li>`).join('')}`;
	},
	() => ({
		tasks: Object.fromEntries(
			Object.entries(cases).map(([name, made]) => {
				const open = step('navigate', { url: `${site.baseUrl}/${uuidOf(name)}/` });
				const whole = task(name, [open, ...made().steps], { page: 'browser' });
				return [whole.taskID, whole];
			}),
		),
		env: { SERVICE_AGENTS: '4' },
	}),
);

concurrentTestWithBrowser.each(Object.keys(cases))('a loop over entries is %s', async (name) => {
	const { rows, asked } = cases[name]?.() ?? {};
	const read = await cloudClient(service).run(uuidOf(name));
	expect(read.rows).toMatchObject(rows ?? []);
	expect(read.rows).toHaveLength(rows?.length ?? 0);
	const path = `/${uuidOf(name)}/`;
	const requests = site.requests.map(({ url }) => url.pathname);
	expect(requests.filter((each) => each.startsWith(path))).toEqual(
		asked?.map((each) => path + each),
	);
});
