import { startService, type RunningService } from '../support/inProcess/startService';
import { testWithBrowser } from '../support/service/browser';
import { cloudClient } from '../support/service/cloudClient';
import { startSite, type Site } from '../support/service/startSite';
import { extract, loop, step, task, uuidOf } from '../support/service/taskFiles';

// Columns that only hold the place of what scripts of the page would bring.

/** What the rows of each page say. */
const held: Record<string, string[][]> = {
	'what is said while it loads': [['Loading…', 'Loading…', '']],
	'another language': [['Wird geladen …', 'Wird geladen …']],
	dots: [['…', '…']],
	'strokes beside a currency': [['€ --', '€ --']],
	'a row on each page': [['Loading price...'], ['Please wait…'], ['…']],
};
const found: Record<string, string[][]> = {
	'a stroke among others': [['–', '3 €', '–']],
	'a row on each page that may have none': [['–'], ['–']],
	'texts that were cut off': [['A Light in the ...', 'Soumission…'], ['Sharp Objects…']],
	'a long text that was cut off': [Array<string>(2).fill('Loading docks and their doors…')],
	'signs that say something': [['$$ - $$$', '$$ - $$$']],
};
const pages: Record<string, string[][]> = {
	...held,
	...found,
	'some pages': [['1 €'], ['2 €'], ['3 €'], ['Loading…']],
};

let site: Site;
let service: RunningService;

beforeAll(async () => {
	site = await startSite(({ url }) => {
		const [, name = '', page = ''] = decodeURIComponent(url.pathname).split('/');
		const texts = pages[name]?.[Number(page)] ?? [];
		return texts.map((text) => `<li><b>Item</b><i>${text}</i></li>`).join('');
	});
	const reading = (name: string) => {
		const urls = (pages[name] ?? []).map((_, page) => `${site.baseUrl}/${name}/${page}`);
		return loop({ loopType: 'list', listType: 'urlList', urls: urls.map(encodeURI) }, [
			step('navigate', { useLoopItem: true }),
			extract({ Name: 'b', Price: 'i' }, 'li'),
		]);
	};
	const tasks: Record<string, object> = {
		scripted: task('scripted', [reading('dots')], { page: 'browser' }),
	};
	for (const name of Object.keys(pages)) tasks[name] = task(name, [reading(name)]);
	service = await startService({ tasks });
});

afterAll(async () => {
	await service?.stop();
	await site?.stop();
});

/** The columns that found nothing, everywhere and on some pages. */
async function missedBy(name: string) {
	const { batch } = await cloudClient(service).run(uuidOf(name));
	const end = { batchID: batch.batchID, msg: 'batch successful' };
	await service.logged(end);
	const said = service.log.find(({ batchID, msg }) => batchID === end.batchID && msg === end.msg);
	return { all: said?.emptySelectors, some: said?.emptyOnPages };
}

test.each(Object.keys(held))('nothing is found in %s', async (name) => {
	expect(await missedBy(name)).toMatchObject({ all: [{ field: { name: 'Price' } }], some: [] });
});

test.each(Object.keys(found))('something is found in %s', async (name) => {
	expect(await missedBy(name)).toEqual({ all: [], some: [] });
});

test('nothing is found on the pages that hold a place', async () => {
	const firstEmpty = `${site.baseUrl}/some%20pages/3`;
	expect(await missedBy('some pages')).toMatchObject({
		all: [],
		some: [{ field: { name: 'Price' }, emptyPages: 1, pages: 4, firstEmpty }],
	});
});

testWithBrowser('in a browser, where scripts have run, what is said is what there is', async () => {
	expect(await missedBy('scripted')).toEqual({ all: [], some: [] });
});
