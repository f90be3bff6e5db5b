import { useSiteAndService } from '../support/inProcess/siteAndService';
import { cloudClient } from '../support/service/cloudClient';
import { extract, loop, step, task, uuidOf } from '../support/service/taskFiles';

// What has failed in a list that stands behind another one: two searches may find entries of the same number.

const { site, service } = useSiteAndService(
	({ method, url: { pathname, searchParams } }) => {
		if (method === 'POST') return { status: 404 };
		if (pathname === '/')
			return '<form action="found"><input name="q"><button>Search</button></form>';
		return `<p>${searchParams.get('q')}</p><form method="post" class="it"><button class="buy">Buy</button></form>`;
	},
	() => {
		const steps = [
			step('navigate', { url: site.baseUrl }),
			step('inputText', { selector: 'input', useLoopItem: true }),
			step('click', { selector: 'button' }),
			loop({ loopType: 'list', listType: 'elements', selector: '.it' }, [
				step('click', { selector: '.buy' }),
				extract({ Text: 'p' }),
			]),
		];
		const texts = ['red lamp', 'blue lamp'];
		const list = loop({ loopType: 'list', listType: 'textList', texts }, steps);
		return { tasks: { lamps: task('lamps', [list], { tries: 1 }) } };
	},
);

test('an entry that has failed is named with the text by which it was found', async () => {
	const { batch } = await cloudClient(service).run(uuidOf('lamps'));
	const failed = service.log.filter(
		({ batchID, msg }) => batchID === batch.batchID && msg === 'page failed, skipped',
	);
	expect(failed.map(({ what }) => what)).toEqual([
		'element 1 of .it in red lamp',
		'element 1 of .it in blue lamp',
	]);
});
