import { plainText } from '../../support/service/plainText';
import { pointByRequests } from '../../support/service/pointByRequests';
import { startService, type RunningService } from '../../support/inProcess/startService';
import { startSite } from '../../support/service/startSite';

// Entries have several things of a kind, and things that say the same in each of them.

let service: RunningService;

beforeAll(async () => {
	service = await startService({ tasks: {} });
});
afterAll(() => service?.stop());

test('of several things in an entry, all are read by one click, and so when the task is opened again', async () => {
	const book = (name: string) =>
		`<div class="book"><a class="name" href="/${name}">${name}</a> <i>a novel</i> <i>of ${name}</i></div>`;
	const advertisement = '<div class="book"><b>Buy now</b></div>';
	const site = await startSite(
		() => `<title>Books</title>${book('Emma')}${advertisement}${book('Evelina')}`,
	);
	const { pointAt, press, firstCells, save } = await pointByRequests(service, '/console/new', {
		url: site.baseUrl,
	});
	for (const text of ['Emma', 'Evelina']) await pointAt(text);
	await press('Remove the column Name');
	expect(await pointAt('a novel')).toContain('Reads the first of up to 2.');
	expect(await firstCells()).toEqual(['a novel', '', 'a novel']);
	const said = await press('All of them: Text');
	expect(said).toContain('Reads all of up to 2, a line each.');
	expect(said).not.toContain('by its position');
	// What is left out are entries, whatever one has several of.
	expect(said).toContain('Leave out the 1 entry without it');
	expect(await firstCells()).toEqual(['a novel of Emma', '', 'a novel of Evelina']);
	const path = new URL(await save({ name: 'All' }), service.baseUrl).pathname;
	const again = await pointByRequests(service, `${path}/point`);
	expect(plainText(again.panel())).toContain('Reads all of up to 2, a line each.');
	expect(await again.press('Only the first: Text')).toContain('Reads the first of up to 2.');
	expect(await again.firstCells()).toEqual(['a novel', '', 'a novel']);
	await site.stop();
});

test.each([
	['that says the same in each', ['Details', 'Details', 'Details'], 'Details link', 'href'],
	['that says something else in one', ['Details', 'Details', 'More'], 'Name', 'text'],
])('a link %s', async (_, texts, name, taken) => {
	const entry = (text: string, index: number) =>
		`<li><h3>Title ${index}</h3><p>${index} <a href="/${index}">${text}</a></p></li>`;
	const site = await startSite(() => `<title>x</title><ul>${texts.map(entry).join('')}</ul>`);
	const opened = await pointByRequests(service, '/console/new', { url: site.baseUrl });
	for (const text of ['Title 0', 'Title 1']) await opened.pointAt(text);
	await opened.press('Remove the column Name');
	await opened.pointAt('Details');
	expect(/name="name"\s+value="([^"]*)"/.exec(opened.panel())?.[1]).toBe(name);
	expect(opened.panel()).toMatch(new RegExp(`value="${taken}"\\s+selected`));
	await site.stop();
});
