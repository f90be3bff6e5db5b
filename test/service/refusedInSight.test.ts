import { setTimeout as sleep } from 'node:timers/promises';
import { useSiteAndService } from '../support/inProcess/siteAndService';
import { concurrentTestWithBrowser } from '../support/service/browser';
import { cloudClient } from '../support/service/cloudClient';
import { extract, loop, step, task, uuidOf } from '../support/service/taskFiles';

// A list that a click brings, whose entries ask for their prices as they come into sight: one far down is refused once, and
// another one answers late.

const entries = Array.from({ length: 10 }, (_, index) => index + 1);
const [slow, refused] = [5, 8];

const listPage = `<style>li { height: 400px }</style><button>Show</button><ul></ul><script>
	const seen = new IntersectionObserver((all) => all.forEach(async ({ isIntersecting, target }) => {
		if (!isIntersecting) return;
		seen.unobserve(target);
		const answer = await fetch(location.pathname + '/' + target.id);
		if (answer.ok) target.lastChild.textContent = await answer.text();
	}));
	document.querySelector('button').onclick = () => {
		document.querySelector('ul').innerHTML = ${JSON.stringify(entries)}
			.map((entry) => '<li id="' + entry + '"><b>' + entry + '</b><i></i></li>').join('');
		document.querySelectorAll('li').forEach((each) => seen.observe(each));
	};
</script>`;

const hasRefused = new Set<string>();

const read = extract({ Name: 'b', Price: 'i' }, 'li');
const ways = {
	'read at once': [read],
	'scrolled through': [loop({ loopType: 'scroll', timesMode: 'all' }, [read])],
};

const { site, service } = useSiteAndService(
	({ url: { pathname } }) => {
		const [, id = '', entry] = pathname.split('/');
		if (entry === undefined) return listPage;
		if (Number(entry) === slow) return sleep(6_000, `${entry}.50`);
		if (Number(entry) !== refused || hasRefused.has(id)) return `${entry}.50`;
		hasRefused.add(id);
		return { status: 503 };
	},
	() => {
		const tasks = Object.entries(ways).map(([name, steps]) => {
			const open = step('navigate', { url: `${site.baseUrl}/${uuidOf(name)}` });
			return task(name, [open, step('click', { selector: 'button' }), ...steps], {
				page: 'browser',
			});
		});
		return { tasks: Object.fromEntries(tasks.map((each) => [each.taskID, each])) };
	},
);

concurrentTestWithBrowser.each(Object.keys(ways))(
	'what comes late is waited for, and what it lacks then is told: %s',
	async (name) => {
		const { batch, rows } = await cloudClient(service).run(uuidOf(name));
		await service.logged({ batchID: batch.batchID, msg: 'batch successful', failedPages: 0 });
		const price = (entry: number) => (entry === refused ? '' : `${entry}.50`);
		expect(rows).toEqual(entries.map((entry) => ({ Name: String(entry), Price: price(entry) })));
		const warnings = service.log.filter(
			({ batchID, level }) => batchID === batch.batchID && level === 40,
		);
		const reason = expect.stringMatching(/\/8 could not be opened: HTTP 503/) as unknown;
		expect(warnings).toEqual([expect.objectContaining({ msg: 'page not whole', reason })]);
	},
);
