import { fc } from '../support/fastCheck';
import { parseHtml } from '../../service/src/pages/http/parseHtml.ts';
import { all } from '../../service/src/pages/http/select.ts';
import { nameOf } from '../../service/src/picker/document/columnName.ts';
import { selectorOfElement } from '../../service/src/picker/selectors/selectorOf.ts';
import { length } from '../support/length';
import { pointAt } from './pointAt';
import { build, pageOf, passingNames, template, type Entry } from './pointedPages';

// What is pointed at on a page is found on the same page later: with other entries, more or fewer of them,
// and other names of all that tools name.

const parts = ['title', 'price', 'rating'] as const;

const numbered = (entries: Entry[]) => entries.map((_, index) => `entry-${index}`);

/** A page, two of its entries, what is pointed at in both, and the page as it is later. */
const scene = fc
	.record({
		template,
		before: build(3),
		after: build(1),
		part: fc.constantFrom('title', 'price'),
		one: fc.nat(),
		other: fc.nat(),
	})
	.map(({ one, other, before, ...rest }) => {
		const count = before.entries.length;
		const first = one % count;
		const second = (first + 1 + (other % (count - 1))) % count;
		return { ...rest, before, pair: [first, second] };
	});

test('two entries give a selector that finds the entries of the page, now and later', () => {
	fc.assert(
		fc.property(scene, ({ template, before, after, part, pair }) => {
			const rated = before.entries.findIndex(({ rating }) => rating !== '');
			const pointedIn = { title: pair[0], price: pair[1], rating: rated };
			const columns = parts.filter((name) => pointedIn[name] >= 0);
			const found = pointAt({
				before: pageOf(template, before),
				pointedAt: pair.map((index) => `${part}-${index}`),
				columns: columns.map((name) => `${name}-${pointedIn[name]}`),
				after: pageOf(template, after),
			});
			expect(found).toMatchObject({
				entries: numbered(before.entries),
				later: after.entries.map((entry, index) => ({
					mark: `entry-${index}`,
					values: columns.map((name) => entry[name]),
				})),
			});
		}),
		{ numRuns: length({ full: 1_500, short: 150 }) },
	);
});

test('no selector has a name in it that a tool has made up, or an entry has for itself', () => {
	fc.assert(
		fc.property(scene, ({ template, before, part, pair }) => {
			const page = pageOf(template, before);
			const found = pointAt({
				before: page,
				pointedAt: pair.map((index) => `${part}-${index}`),
				columns: pair.map((index) => `title-${index}`),
				after: page,
			});
			const said = JSON.stringify([found.selector, found.columns]);
			const passing = passingNames(template, before).filter((name) => said.includes(name));
			expect({ said, passing }).toEqual({ said, passing: [] });
		}),
		{ numRuns: length({ full: 500, short: 50 }) },
	);
});

test('a row of a table is an entry, whatever is repeated in it', () => {
	const row = (name: string, index: number) =>
		`<tr data-mark="entry-${index}"><td>${name}</td>
			<td><ul><li><a data-mark="tag-${index}">red</a></li><li><a>blue</a></li></ul></td></tr>`;
	const page = `<table><tbody>${['Pen', 'Ink', 'Nib'].map(row).join('')}</tbody></table>`;
	const pointedAt = ['tag-0', 'tag-1'];
	const found = pointAt({ before: page, pointedAt, columns: ['tag-0'], after: page });
	expect(found).toMatchObject({ entries: ['entry-0', 'entry-1', 'entry-2'] });
});

test('a column is rather empty in an entry than something else', () => {
	const page = `<ul class="shop">
		<li class="item" data-mark="entry-0"><h3 data-mark="title-0">Pen</h3><span data-mark="price-0">1 €</span></li>
		<li class="item" data-mark="entry-1"><h3 data-mark="title-1">Ink</h3><i><span>Sale</span></i><span>2 €</span></li>
		<li class="item" data-mark="entry-2"><h3>Nib</h3><i><span>Sale</span></i></li></ul>`;
	const pointedAt = ['title-0', 'title-1'];
	const found = pointAt({ before: page, pointedAt, columns: ['price-0'], after: page });
	expect(found).toMatchObject({
		later: [{ values: ['1 €'] }, { values: ['2 €'] }, { values: [''] }],
	});
});

test('a comment and its answer stand for all of a tree, each with its own text', () => {
	const comment = (index: number, answers = '') =>
		`<div class="comment"><div data-mark="entry-${index}"><b class="author" data-mark="author-${index}">Ann ${index}</b>
			<p data-mark="text-${index}">Text ${index}</p></div><div>${answers}</div></div>`;
	const page = `<main>${comment(0, comment(1, comment(2)))}${comment(3)}</main>`;
	const pointedAt = ['author-0', 'author-1'];
	const found = pointAt({ before: page, pointedAt, columns: ['text-1'], after: page });
	const indexes = [0, 1, 2, 3];
	expect(found).toMatchObject({
		entries: indexes.map((index) => `entry-${index}`),
		later: indexes.map((index) => ({ mark: `entry-${index}`, values: [`Text ${index}`] })),
	});
});

test('parts that an entry may lack make no entries of the others', () => {
	const cell = (name: string, mark: string, text = '') =>
		text && `<div class="cell cell--${name}" data-mark="${mark}">${text}</div>`;
	const card = ([brand = '', title = '', price = '']: string[], index: number) =>
		`<div class="card" data-mark="entry-${index}">${cell('brand', `brand-${index}`, brand)}
			${cell('title', `title-${index}`, title)}${cell('price', `price-${index}`, price)}</div>`;
	const cards = [
		['Bic', 'Pen', '1 €'],
		['', 'Ink', ''],
		['', 'Nib', '3 €'],
	];
	const page = `<main>${cards.map(card).join('')}</main>`;
	const found = pointAt({
		before: page,
		pointedAt: ['title-0', 'title-1'],
		columns: ['brand-0', 'title-0', 'price-0'],
		after: page,
	});
	expect(found).toMatchObject({ later: cards.map((values) => ({ values })) });
});

test('a column is found in what each entry has once of its name, whatever state is said beside it', () => {
	const part = (name: string, state: string, text: string, index: number) =>
		`<span class="${name} ${state}" data-mark="${name}-${index}">${text}</span>`;
	const row = (stock: string, price: string, trend: string, index: number) =>
		`<li class="stock" data-mark="entry-${index}">${part('name', `n${index}`, stock, index)}
			${part('worth', trend, price, index)}${part('move', `is${trend}`, trend, index)}</li>`;
	const stocks = [
		['Pen', '1 €', 'up'],
		['Ink', '2 €', 'down'],
		['Nib', '3 €', 'steady'],
	];
	const page = `<ul>${stocks.map(([name = '', price = '', trend = ''], index) => row(name, price, trend, index)).join('')}</ul>`;
	const found = pointAt({
		before: page,
		pointedAt: ['name-0', 'name-1'],
		columns: ['name-0', 'worth-0', 'move-0'],
		after: page,
	});
	expect(found).toMatchObject({ later: stocks.map((values) => ({ values })) });
});

test('a column is what was pointed at, not what has the same text around it in that entry', () => {
	const entry = (name: string, site: string, index: number) =>
		`<li class="story" data-mark="entry-${index}"><span class="line"><a data-mark="name-${index}">${name}</a>${site}</span></li>`;
	const page = `<ul>${entry('Pen', '', 0)}${entry('Ink', ' (ink.example)', 1)}</ul>`;
	const pointedAt = ['name-0', 'name-1'];
	const found = pointAt({ before: page, pointedAt, columns: ['name-0'], after: page });
	expect(found).toMatchObject({ later: [{ values: ['Pen'] }, { values: ['Ink'] }] });
});

test.each([
	['around it', (state: string, name: string) => `<p class="topic_${state}">${name}</p>`],
	['of its own', (state: string, name: string) => name.replace('<a', `<a class="${state}"`)],
])('a class %s that says a state of an entry holds no column to it', (_, inState) => {
	const states = ['read', 'pinned', 'read', 'announced'];
	const entry = (state: string, index: number) =>
		`<li class="topic" data-mark="entry-${index}">${inState(state, `<a data-mark="name-${index}">Topic ${index}</a>`)}
			<i data-mark="by-${index}" class="by-${state}">Jane</i></li>`;
	const page = `<ul>${states.map(entry).join('')}</ul>`;
	const pointedAt = ['name-1', 'name-3'];
	const found = pointAt({ before: page, pointedAt, columns: ['name-1', 'by-1'], after: page });
	expect(found).toMatchObject({
		later: states.map((_state, index) => ({ values: [`Topic ${index}`, 'Jane'] })),
	});
});

const thread = (state: string) => `<li class="thread ${state}" data-mark="$"><b>Thread</b></li>`;
const product = (state: string) => `<div class="product ${state}" data-mark="$"><b>Pen</b></div>`;

test.each([
	[
		'what is around them, where others are called so elsewhere',
		thread,
		(list: string) => `<ul class="threads">${list}</ul><ol>${thread('')}</ol>`,
	],
	[
		'what others beside them are called',
		product,
		(list: string) => `<main><div class="product banner"><i>Ink</i></div>${list}</main>`,
	],
	[
		'what is in them',
		product,
		(list: string) => `<div class="product"><form><b>Search</b></form></div>${list}`,
	],
	[
		'what is around them, where they have no other name',
		(state: string) => `<li class="${state}" data-mark="$"><b>Post</b></li>`,
		(list: string) => `<ul class="posts">${list}</ul><ul><li><b>Rules</b></li></ul>`,
	],
])('entries that all are in the same state are told by %s', (_, entry, page) => {
	const of = (...states: string[]) =>
		page(states.map((state, index) => entry(state).replace('$', `entry-${index}`)).join(''))
			.replace(/data-mark="entry-(\d)"><b>/g, 'data-mark="entry-$1"><b data-mark="name-$1">')
			.replaceAll('data-mark="$"', '');
	for (const [state, other] of [
		['unread', 'read'],
		['in-stock', 'on-order'],
		['verified', ''],
	] as const) {
		const found = pointAt({
			before: of(state, state, state),
			pointedAt: ['name-0', 'name-2'],
			columns: [],
			after: of(other, state, other, other),
		});
		const marks = [0, 1, 2, 3].map((index) => `entry-${index}`);
		expect(found.later?.map(({ mark }) => mark)).toEqual(marks);
	}
});

test('two entries in the same state stand for those of other states as well', () => {
	const states = ['unread', 'read', 'unread', ''];
	const page = states
		.map((state, index) =>
			thread(state).replace(
				'data-mark="$"><b',
				`data-mark="entry-${index}"><b data-mark="name-${index}"`,
			),
		)
		.join('')
		.replaceAll('thread ', '');
	const found = pointAt({
		before: `<ul>${page}</ul>`,
		pointedAt: ['name-0', 'name-2'],
		columns: [],
		after: '',
	});
	expect(found.entries).toEqual(states.map((_state, index) => `entry-${index}`));
});

test('on a page of its own, a thing is told by the class that names it, and not by its state', () => {
	const page = parseHtml(`<h1>Pen</h1><p class="stock in">Yes</p><p class="delivery fast">Today</p>
		<p class="instock availability">Yes</p>`);
	const selectors = all('p', page).map((each) => selectorOfElement(each, page));
	expect(selectors).toEqual(['.stock', '.delivery', '.availability']);
});

test('a column has the name of what all entries are, and of no state or maker of one', () => {
	const name = (html: string) => {
		const [one, ...others] = all('h4', parseHtml(html));
		return one && nameOf(one, others);
	};
	const entry = (names: string) => `<li class="${names}"><h4>Pen</h4></li>`;
	expect(name(entry('product in-stock') + entry('product in-stock'))).toBe('Name');
	expect(name(entry('brand-bic') + entry('brand-lamy'))).toBe('Name');
	expect(name(entry('job-title') + entry('job-title'))).toBe('Job title');
});

test('what two examples do not share in a class is nothing that a column is told by', () => {
	const entry = (state: string, index: number) =>
		`<li class="mail" data-mark="entry-${index}"><a class="${state}" data-mark="name-${index}">Mail ${index}</a> <a class="reply">Reply</a></li>`;
	const page = `<ul>${['unread', 'seen', 'answered'].map(entry).join('')}</ul>`;
	const pointedAt = ['name-0', 'name-1'];
	const found = pointAt({ before: page, pointedAt, columns: ['name-0'], after: page });
	const values = [['Mail 0'], ['Mail 1'], ['Mail 2']];
	expect(found).toMatchObject({ later: values.map((values) => ({ values })) });
});

test.each([
	['what others beside it are called', '<b class="price price--old">9</b>', 'class="price"', 0],
	['a name of its own', '<b class="price price--old">9</b>', 'class="price price--now"', 0],
	['its being the last', '<b>9</b>', '', 1],
])('of several things in an entry, one is told by %s', (_, before, attribute, pointed) => {
	const entry = (isReduced: boolean, index: number) =>
		`<li class="item" data-mark="entry-${index}"><h3 data-mark="name-${index}">Pen ${index}</h3>
			${isReduced ? before : ''}<b ${attribute} data-mark="price-${index}">${index}</b></li>`;
	const page = `<ul>${[false, true, false, true].map(entry).join('')}</ul>`;
	const pointedAt = ['name-0', 'name-1'];
	const columns = [`price-${pointed}`];
	const found = pointAt({ before: page, pointedAt, columns, after: page });
	const values = ['0', '1', '2', '3'];
	expect(found).toMatchObject({ later: values.map((value) => ({ values: [value] })) });
});

test('entries without lasting names are told from advertisements by what they alone have', () => {
	const entry = (name: string, index: number) =>
		`<li class="css-1a2b3c" data-mark="entry-${index}"><div><a><img><h3 data-mark="name-${index}">${name}</h3></a></div></li>`;
	const advertisement = '<li class="css-9z8y7x"><div><a><h3>Buy</h3></a></div></li>';
	const page = `<main><ul>${entry('Pen', 0)}${advertisement}${entry('Ink', 1)}${entry('Nib', 2)}</ul></main>`;
	const after = page.replaceAll('css-1a2b3c', 'css-4d5e6f');
	const pointedAt = ['name-0', 'name-1'];
	const found = pointAt({ before: page, pointedAt, columns: ['name-0'], after });
	const values = [['Pen'], ['Ink'], ['Nib']];
	expect(found).toMatchObject({ later: values.map((values) => ({ values })) });
});

test('the beginning of a name of CSS modules outlasts its end', () => {
	const card = (hash: string) => (name: string, index: number) =>
		`<div class="Card_root__${hash}" data-mark="entry-${index}"><b class="Card_name__${hash}" data-mark="name-${index}">${name}</b></div>`;
	const page = (hash: string) =>
		`<main><div class="Banner_root__${hash}"><b>Buy</b></div>${['Pen', 'Ink'].map(card(hash)).join('')}</main>`;
	const pointedAt = ['name-0', 'name-1'];
	const found = pointAt({
		before: page('x1Y2z'),
		pointedAt,
		columns: ['name-0'],
		after: page('Qr7sT'),
	});
	expect(found).toMatchObject({
		selector: 'div[class*="Card_root__"]',
		later: [{ values: ['Pen'] }, { values: ['Ink'] }],
	});
});
