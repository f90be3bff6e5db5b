import { plainText } from '../../support/service/plainText';
import { pointByRequests } from '../../support/service/pointByRequests';
import { startService } from '../../support/inProcess/startService';
import { startSite } from '../../support/service/startSite';
import { extract, step, task, uuidOf } from '../../support/service/taskFiles';
import { useSiteAndService } from '../../support/inProcess/siteAndService';

const book = (name: string) =>
	`<div class="book"><a class="name" href="/${name}">${name}</a> <i>a novel</i> <i>${name.length}00 pages</i></div>`;

/** Books, between two of which there is an advertisement that looks like one. */
const books = `<title>Books</title><main>${book('Emma')}<div class="book"><b>Buy now</b></div>${book('Evelina')}</main>`;

describe('columns that are pointed at', () => {
	const { site, service } = useSiteAndService(() => books);

	/** The names of the columns so far. */
	const columnsIn = (panel: string) =>
		[...panel.matchAll(/name="name"\s+value="([^"]*)"/g)].map(([, name]) => name);

	async function openBooks() {
		const opened = await pointByRequests(service, '/console/new', { url: site.baseUrl });
		await opened.pointAt('Emma');
		const said = await opened.pointAt('Evelina');
		expect(said).toContain('3 entries');
		return { ...opened, said };
	}

	test('entries that lack one are left out by a button that says how many', async () => {
		const { said, press, firstCells } = await openBooks();
		expect(said).toContain('in 2 of 3');
		const left = await press('Leave out the 1 entry without Name');
		expect(left).toContain('2 entries');
		expect(left).toContain('in 2 of 2');
		expect(await firstCells()).toEqual(['Emma', 'Evelina']);
	});

	test('a link that is pointed at twice gives its text and where it leads', async () => {
		const { pointAt, panel, firstCells } = await openBooks();
		await pointAt('Emma');
		expect(columnsIn(panel())).toEqual(['Name', 'Link']);
		expect(await firstCells()).toContain(`${site.baseUrl}/Evelina`);
	});

	test('a task that is changed is named, with what saving does, and its columns have their choices still', async () => {
		const { save } = await openBooks();
		const [, taskPath = ''] =
			/^(\/console\/tasks\/[^?]+)/.exec(await save({ name: 'Novels' })) ?? [];
		const { panel, pointed, change, firstCells } = await pointByRequests(
			service,
			`${taskPath}/point`,
		);
		expect(pointed).not.toContain('New task');
		expect(pointed).toMatch(new RegExp(`<a href="${taskPath}"[^>]*>Novels</a>`));
		expect(plainText(pointed)).toContain('Saving changes this task');
		expect(panel()).toMatch(/<option value="href"\s*>Link</);
		const [, id = ''] = /name="id" value="([^"]+)"/.exec(panel()) ?? [];
		await change('column', { id, taken: 'href' });
		expect(await firstCells()).toContain(`${site.baseUrl}/Evelina`);
		await change('column', { id, taken: 'text' });
		expect(await firstCells()).toContain('Evelina');
	});

	test('a name that another column has is told at its field, and none at all is refused in words', async () => {
		const { pointAt, panel, change, firstColumns } = await openBooks();
		await pointAt('Emma');
		const ids = [...panel().matchAll(/name="id" value="([^"]+)"/g)].map(([, id = '']) => id);
		const said = await change('column', { id: ids[1] ?? '', name: 'Name' });
		expect(said).toContain('Another column is called Name, too');
		expect(said).toContain('this one is Name (2)');
		expect(await firstColumns()).toEqual(['Name', 'Name (2)']);
		expect(await change('column', { id: ids[1] ?? '', name: ' ' })).toContain(
			'A column needs a name: this one is still called “Name”.',
		);
		expect(panel()).toContain('role="alert"');
		const mended = await change('column', { id: ids[1] ?? '', name: 'Address' });
		expect(mended).not.toContain('Another column');
		expect(panel()).not.toContain('role="alert"');
	});

	test('columns are put in order, and so are those of the rows', async () => {
		const { pointAt, press, panel, firstCells } = await openBooks();
		await pointAt('Emma');
		await press('Move the column Link up');
		expect(columnsIn(panel())).toEqual(['Link', 'Name']);
		expect(panel()).toMatch(/aria-label="Move the column Link up"\s+disabled/);
		expect((await firstCells()).slice(0, 2)).toEqual([`${site.baseUrl}/Emma`, 'Emma']);
		await press('Move the column Link down');
		expect(columnsIn(panel())).toEqual(['Name', 'Link']);
	});

	test('what was done is undone and redone, one thing after the other', async () => {
		const { pointAt, press, change, panel } = await openBooks();
		await pointAt('Emma');
		await press('Remove the column Name');
		await press('Start over: entries');
		expect(panel()).not.toContain('3 entries');
		expect(await press('Undo')).toContain('3 entries');
		expect(columnsIn(panel())).toEqual(['Link']);
		await press('Undo');
		expect(columnsIn(panel())).toEqual(['Name', 'Link']);
		await press('Redo');
		expect(columnsIn(panel())).toEqual(['Link']);
		await press('Undo');
		const [id = ''] = /name="id" value="([^"]+)"/.exec(panel())?.slice(1) ?? [];
		await change('column', { id, name: 'Title' });
		// What was undone is not to be redone any more after something else was done.
		expect(panel()).toMatch(/aria-label="Redo"\s+disabled/);
		for (let step = 0; step < 4; step += 1) await press('Undo');
		expect(columnsIn(panel())).toEqual([]);
		expect(panel()).toMatch(/aria-label="Undo"\s+disabled/);
	});

	test('selectors are shown to those who ask for them', async () => {
		const { panel, press } = await openBooks();
		expect(panel()).not.toContain('<code>');
		await press('Show selectors');
		expect(panel()).toContain('<code>.book</code>');
		await press('Hide selectors');
		expect(panel()).not.toContain('<code>');
	});

	test('what is told apart by nothing but its place is said, and refused a second time', async () => {
		const { pointAt, panel } = await openBooks();
		expect(await pointAt('400 pages')).toContain('by its position: check the rows');
		expect(await pointAt('700 pages')).toContain('This is already the column “Text');
		expect(panel()).toContain('role="alert"');
	});

	test.each([
		['one of several of a name', ['<i>9 €</i> <i>1 €</i>', '<i>2 €</i>'], '2 €', true],
		['one of a name', ['<b>9 €</b> <i>1 €</i>', '<i>2 €</i>'], '2 €', false],
		['the first cell', ['<td>1 €</td><td>new</td>', '<td>2 €</td><td>old</td>'], '2 €', false],
		['a cell', ['<td>Jane</td><td>1 €</td>', '<td>Ann</td><td>2 €</td>'], '2 €', false],
		[
			'a cell among merged ones',
			['<td rowspan="2">Jane</td><td>1 €</td>', '<td>2 €</td>'],
			'1 €',
			true,
		],
	])('whether %s goes by its position is said', async (_, cells, pointed, isSaid) => {
		const row = (name: string, cell: string) =>
			cell.startsWith('<td')
				? `<tr class="entry"><th>${name}</th>${cell}</tr>`
				: `<li class="entry"><h3>${name}</h3>${cell}</li>`;
		const rows = cells.map((cell, index) => row(`Title ${index}`, cell)).join('');
		const page = rows.startsWith('<tr') ? `<table>${rows}</table>` : `<ul>${rows}</ul>`;
		const prices = await startSite(() => `<title>Prices</title>${page}`);
		const opened = await pointByRequests(service, '/console/new', { url: prices.baseUrl });
		for (const text of ['Title 0', 'Title 1']) await opened.pointAt(text);
		const said = await opened.pointAt(pointed);
		expect(said.includes('by its position: check the rows')).toBe(isSaid);
		await prices.stop();
	});

	test('on a page that is one row, the note on the place is a sentence of its own', async () => {
		const { pointAt, press, panel } = await pointByRequests(service, '/console/new', {
			url: site.baseUrl,
		});
		await press('Whole page as one row');
		await pointAt('400 pages');
		expect(panel()).toMatch(/class="muted"\s*>\s*By its position: check the rows/);
	});
});

test('of a time, what it says to machines can be read, too, and the task is opened again so', async () => {
	const post = (day: number) =>
		`<li class="post"><h3>Post ${day}</h3><p><time datetime="2026-05-0${day}T10:00Z">${day} days ago</time></p></li>`;
	const site = await startSite(() => `<title>Posts</title><ul>${post(1)}${post(2)}</ul>`);
	const service = await startService({ tasks: {} });
	const { pointAt, panel, change, firstCells, save } = await pointByRequests(
		service,
		'/console/new',
		{ url: site.baseUrl },
	);
	await pointAt('Post 1');
	await pointAt('Post 2');
	await pointAt('1 days ago');
	expect(panel()).toMatch(/value="datetime"\s*>Date and time</);
	const id = [...panel().matchAll(/name="id" value="([^"]+)"/g)][1]?.[1] ?? '';
	await change('column', { id, taken: 'datetime' });
	expect(await firstCells()).toEqual([
		'Post 1',
		'2026-05-01T10:00Z',
		'Post 2',
		'2026-05-02T10:00Z',
	]);
	// Pointing at it twice gives both.
	await pointAt('1 days ago');
	expect((await firstCells()).slice(0, 3)).toEqual(['Post 1', '2026-05-01T10:00Z', '1 days ago']);
	const path = new URL(await save(), service.baseUrl).pathname;
	const again = await pointByRequests(service, `${path}/point`);
	expect(again.panel()).toMatch(/value="datetime"\s+selected/);
	await service.stop();
	await site.stop();
});

test('the selector of a time that a file has stays, whatever is chosen meanwhile', async () => {
	const post = '<li><p><time datetime="2026-05-01">today</time></p></li>';
	const site = await startSite(() => `<title>Posts</title><ul>${post}${post}</ul>`);
	const steps = [
		step('navigate', { url: site.baseUrl }),
		extract({ Time: { selector: 'p > time', attribute: 'datetime' } }, 'li'),
	];
	const service = await startService({ tasks: { posts: task('posts', steps) } });
	const { panel, press, change } = await pointByRequests(
		service,
		`/console/tasks/${uuidOf('posts')}/point`,
	);
	const [, id = ''] = /name="id" value="([^"]+)"/.exec(panel()) ?? [];
	await press('Show selectors');
	await change('column', { id, taken: 'text' });
	expect(panel()).not.toContain('<code>p &gt; time</code>');
	await change('column', { id, taken: 'datetime' });
	expect(panel()).toContain('<code>p &gt; time</code>');
	await service.stop();
	await site.stop();
});

test.each([
	['a heading', '<h3 class="mw">*</h3>', 'Name'],
	['a link with a class of its tool', '<a href="/*" class="refentrytitle">*</a>', 'Name'],
	['a link in what says it', '<p class="author"><a href="/*">*</a></p>', 'Author'],
	['a part of a block', '<b class="product-card__old-price">*</b>', 'Old price'],
	['a class of two words', '<b class="listPrice">*</b>', 'List price'],
	['a price', '<b>€ 1*</b>', 'Price'],
	['no price', '<b class="x-amt">12.50*3 x</b>', 'X amt'],
	['a price behind its number', '<b class="refsynopsisdivision">1,200.0* EUR</b>', 'Price'],
	['a date', '<b>2026-01-0*</b>', 'Date'],
	['a time', '<time>yesterday *</time>', 'Date'],
	['a picture', '<img src="/*.png" width="9" height="9">', 'Picture'],
	['a class that says what it is', '<b class="pages">* pages</b>', 'Pages'],
	['what says nothing', '<b class="refsynopsisdivision">*</b>', 'Text'],
	['an empty property', '<b itemprop="-">*</b>', 'Text'],
	['a property of several names', '<b itemprop="datePublished date">*</b>', 'Date published'],
	['all of a property', '<p itemprop="author" class="p-2"><a href="/*">*</a></p>', 'Author'],
	['a cell of a list in narrow windows', '<p data-label="ISBN"><b>*</b></p>', 'ISBN'],
	['a name for tests', '<b class="css-1x2y3z" data-testid="product-price">*</b>', 'Product price'],
	['a class of CSS modules', '<b class="ProductCard_priceTag__9kL2m">*</b>', 'Price tag'],
	['a class of styled-components', '<b class="Card__Title-sc-1a2b3c-0 fXyzAb">*</b>', 'Title'],
	['a description', '<dl><dt>Author</dt><dd>*</dd></dl>', 'Author'],
	['what has a label', '<p><i class="mb-1">Author:</i> <a href="/*">*</a></p>', 'Author'],
	['what has a label around it', '<p><i>UPC:</i></p><p><b>*</b></p>', 'UPC'],
	['a row of a table', '<table><tr><th>Tax</th><td>£1*</td></tr></table>', 'Tax'],
	['a mail address', '<a href="mailto:*">*</a>', 'Email'],
	[
		'a picture that leads on',
		'<a href="/*"><img src="/*.png" width="9" height="9"></a>',
		'Picture',
	],
	['a date in words', '<b class="text-sm">May *, 2026</b>', 'Date'],
])('what people would call %s', async (_, cell, name) => {
	const entry = (number: number) => `<li class="entry">${cell.replaceAll('*', `${number}`)}</li>`;
	const site = await startSite(() => `<title>x</title><ul>${entry(1)}${entry(2)}</ul>`);
	const service = await startService({ tasks: {} });
	const opened = await pointByRequests(service, '/console/new', { url: site.baseUrl });
	const tag = new RegExp(`^<${/<(\w+)[^>]*>(?:[^<]*\*|$|<\/a>$)/.exec(cell)?.[1] ?? ''}[ >]`);
	await opened.press('Whole page as one row');
	await opened.pointAt(tag);
	expect(/name="name"\s+value="([^"]*)"/.exec(opened.panel())?.[1]).toBe(name);
	await service.stop();
	await site.stop();
});

test.each([
	['a label is the same in each', 'Author:', 'Author:', 'Author'],
	['what differs is no label', 'Author:', 'Writer:', 'Text'],
])('in entries, %s', async (_, one, other, name) => {
	const entry = (label: string, number: number) =>
		`<li><h3>Title ${number}</h3><p>${label} <b>Jane ${number}</b></p></li>`;
	expect(await nameInList(`<ul>${entry(one, 1)}${entry(other, 2)}</ul>`)).toBe(name);
});

test('what a label is in is called by it', async () => {
	const entry = (number: number) =>
		`<li><h3>Title ${number}</h3><p><i>Author:</i> Jane ${number}</p></li>`;
	expect(await nameInList(`<ul>${entry(1)}${entry(2)}</ul>`, /^<p[ >]/)).toBe('Author');
});

test('the head of a row of a list is no label', async () => {
	const entry = (number: number) => `<tr><th>Title ${number}</th><td>Jane ${number}</td></tr>`;
	expect(await nameInList(`<table>${entry(1)}${entry(2)}</table>`)).toBe('Text');
});

test('a wide heading is that of all its columns', async () => {
	const entry = (number: number) =>
		`<tr><td>${number}</td><td>Title ${number}</td><td>Jane ${number}</td></tr>`;
	const head = '<thead><tr><th colspan="2">Book</th><th>Author</th></tr></thead>';
	expect(await nameInList(`<table>${head}${entry(1)}${entry(2)}</table>`)).toBe('Author');
});

/** What the column of the author is called, where the titles stand for the entries. */
async function nameInList(
	list: string,
	author: string | RegExp = 'Jane 1',
): Promise<string | undefined> {
	const site = await startSite(() => `<title>Books</title>${list}`);
	const service = await startService({ tasks: {} });
	const { pointAt, panel } = await pointByRequests(service, '/console/new', { url: site.baseUrl });
	for (const text of ['Title 1', 'Title 2', author]) await pointAt(text);
	await service.stop();
	await site.stop();
	return [...panel().matchAll(/name="name"\s+value="([^"]*)"/g)][1]?.[1];
}

const card = (name: string, price?: string) =>
	`<div class="card"><h3><a href="/${name}">${name}</a></h3>${price === undefined ? '<span class="soldout">Sold out</span>' : `<span class="price">${price}</span>`}<span class="cat">Tools</span></div>`;

describe('a price in the place of which "sold out" may stand', () => {
	const { site, service } = useSiteAndService(
		() =>
			`<main>${card('Axe', '$9')}${card('Saw', '$7')}${card('File')}${card('Vise', '$5')}</main>`,
	);

	test('is read where it is one', async () => {
		const { pointAt, saveAndRun } = await pointByRequests(service, '/console/new', {
			url: site.baseUrl,
		});
		await pointAt('Axe');
		await pointAt('Saw');
		expect(await pointAt('$9')).toContain('in 3 of 4');
		expect((await saveAndRun()).map(([, price]) => price)).toEqual(['$9', '$7', '', '$5']);
	});
});
