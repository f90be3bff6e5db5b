import { useSiteAndService } from '../support/inProcess/siteAndService';
import { testWithBrowser } from '../support/service/browser';
import { cloudClient } from '../support/service/cloudClient';
import { extract, loop, step, task, uuidOf } from '../support/service/taskFiles';

// A search that suggests what to choose: what was chosen is gone, and where its data is refused, the one before is shown.

const texts = ['one', 'two', 'three', 'four'];
let refusals = 0;

const page = `<input><div></div><p></p><script>
	const [field, list, text] = ['input', 'div', 'p'].map((each) => document.querySelector(each));
	field.oninput = () => {
		list.innerHTML = field.value === '' ? '' : '<button>' + field.value + '</button>';
		for (const button of list.children) button.onclick = async () => {
			list.innerHTML = '';
			const answer = await fetch('/data/' + button.textContent);
			if (answer.ok) text.textContent = await answer.text();
		};
	};
</script>`;

const { site, service } = useSiteAndService(
	({ url: { pathname } }) => {
		if (pathname === '/') return page;
		if (pathname === '/data/three' && (refusals += 1) === 1) return { status: 503 };
		return `about ${pathname.slice('/data/'.length)}`;
	},
	() => {
		const chosen = loop({ loopType: 'list', listType: 'textList', texts }, [
			step('inputText', { selector: 'input', useLoopItem: true }),
			step('click', { selector: 'button' }),
			extract({ Text: 'p' }),
		]);
		const steps = [step('navigate', { url: `${site.baseUrl}/` }), chosen];
		const search = task('search', steps, { page: 'browser' });
		return { tasks: { [search.taskID]: search } };
	},
);

testWithBrowser('no text of the one before is read in its place', async () => {
	const { batch, rows } = await cloudClient(service).run(uuidOf('search'));
	expect(rows.map(({ Text }) => Text)).toEqual(['about one', 'about two', 'about four']);
	await service.logged({ batchID: batch.batchID, msg: 'batch successful', failedPages: 1 });
});
