import { cloudClient } from '../support/service/cloudClient';
import { length } from '../support/length';
import { startService, type RunningService } from '../support/service/startService';
import { startSite, type Site } from '../support/service/startSite';
import { extract, loop, step, task, uuidOf } from '../support/service/taskFiles';

// Pages of many small elements take much more memory than they have bytes: reading many of them, one
// after the other by "next", must not cost a page.

const rowsOfPage = 1_000;
const pages = length({ full: 300, short: 30 });

let site: Site;
let service: RunningService;

beforeAll(async () => {
	site = await startSite(({ url }) => {
		const number = Number(url.searchParams.get('page') ?? 1);
		const row = (_: unknown, index: number) => `<li><i>a</i><b>${number}.${index}</b><u>c</u></li>`;
		const next = number < pages ? `<a class="next" href="/?page=${number + 1}">next</a>` : '';
		return `<ul>${Array.from({ length: rowsOfPage }, row).join('')}</ul>${next}`;
	});
	const chain = task('chain', [
		step('navigate', { url: site.baseUrl }),
		loop({ loopType: 'page', selector: '.next', timesMode: 'all' }, [extract({ Text: 'b' }, 'li')]),
	]);
	service = await startService({ tasks: { chain } });
});

afterAll(async () => {
	await service.stop();
	await site.stop();
});

test(`${pages} pages of ${rowsOfPage * 4} elements, one after the other, lose no row`, async () => {
	const client = cloudClient(service);
	const batch = await client.waitFor(
		await client.start(uuidOf('chain')),
		({ status }) => status >= 3,
	);
	expect(batch.lineCount).toBe(pages * rowsOfPage);
	await service.logged({ batchID: batch.batchID, msg: 'batch successful', failedPages: 0 });
});
