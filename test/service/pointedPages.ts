import { fc } from '../support/fastCheck';

/** Pages with a list as tools make them, once before and once after the site has changed. */

/** What is in an entry; a part that is empty is missing in it. */
export interface Entry {
	title: string;
	price: string;
	rating: string;
	/** Its number in a database: in its id, or in a class. */
	number: number;
	/** Which of the classes that say a state or a category it has. */
	state: number;
	/** Whether an advertisement stands before it; before the first one there always is one. */
	hasAdvertisement: boolean;
}

/** How the site names things. */
export interface Template {
	shape: 'cards' | 'table' | 'nested';
	/** The element of an entry, for cards. */
	tag: 'div' | 'li' | 'article';
	naming: 'plain' | 'bem' | 'modules' | 'emotion' | 'styled' | 'letters' | 'utility' | 'none';
	id: 'item-' | 'product_' | 'p' | 'none';
	states: string[];
	advertisement: 'div' | 'same' | 'none';
	container: string;
	header: 'thead' | 'tbody' | 'none';
	hasMenu: boolean;
	/** A list of the same kind that stands below it, and is not meant. */
	related: 'none' | 'aside' | 'section';
	/** Whether each entry is in an element of its own. */
	isWrapped: boolean;
}

export interface Build {
	/** What its tool makes up names from. */
	seed: number;
	entries: Entry[];
}

const word = fc.constantFrom('Oak', 'Brass', 'Linen', 'Clay', 'Wool', 'Glass', 'Paper', 'Cork');

const entry: fc.Arbitrary<Entry> = fc.record({
	title: fc.tuple(word, fc.integer({ min: 1, max: 999 })).map((parts) => parts.join(' ')),
	price: fc.integer({ min: 1, max: 999 }).map((number) => `${number}.00`),
	rating: fc.oneof(
		fc.constant(''),
		fc.integer({ min: 1, max: 5 }).map((stars) => `${stars} stars`),
	),
	number: fc.integer({ min: 1_000, max: 99_999 }),
	state: fc.nat({ max: 20 }),
	hasAdvertisement: fc.boolean(),
});

export const template: fc.Arbitrary<Template> = fc
	.record({
		shape: fc.constantFrom('cards', 'table', 'nested'),
		tag: fc.constantFrom('div', 'li', 'article'),
		naming: fc.constantFrom<Template['naming'][]>(
			'plain',
			'bem',
			'modules',
			'emotion',
			'styled',
			'letters',
			'utility',
			'none',
		),
		id: fc.constantFrom('item-', 'product_', 'p', 'none'),
		states: fc.constantFrom<string[]>(
			[],
			['odd', 'even'],
			['r1', 'r2'],
			['is-new', '', 'active'],
			['', '', 'featured'],
			['category-home', 'category-light'],
		),
		advertisement: fc.constantFrom('div', 'same', 'none'),
		container: fc.constantFrom('id="products"', 'class="products"', 'class="css-1q2w3e"', ''),
		header: fc.constantFrom('thead', 'tbody', 'none'),
		hasMenu: fc.boolean(),
		related: fc.constantFrom('none', 'aside', 'section'),
		isWrapped: fc.boolean(),
	})
	.filter(({ naming, states, tag, shape, advertisement }) => {
		// Where nothing else has a name, a category is the only kind that there is, and any item an entry.
		const isNamed = !['utility', 'none'].includes(naming);
		// One name of letters may be a word: only several of them say that they are none.
		if (naming === 'letters' && shape !== 'cards') return false;
		const hasOthers = shape === 'cards' && tag === 'li' && advertisement !== 'none';
		return isNamed || (!states.includes('category-home') && !hasOthers);
	});

/** A build of a site: other entries, and other names by its tools. */
export const build = (minimum: number): fc.Arbitrary<Build> =>
	fc.record({
		seed: fc.integer({ min: 1, max: 1e9 }),
		entries: fc.array(entry, { minLength: minimum, maxLength: 8 }),
	});

/** As styled-components names things. */
const shuffled = ['bdvvtL', 'fnyVFH', 'kXyZab', 'gLpWnd', 'hGEcds', 'jTWMVs', 'iJUoHq', 'cYQqRL'];

/** As bundlers shorten names. */
const letters = ['lknubn', 'teqpdy', 'wggbzo', 'fswaxl', 'trfcao', 'jryoad', 'bqdkpu', 'hbxiru'];

/** Names that a tool makes up: the next build has others. */
function madeUp(name: string, { naming }: Template, { seed }: Build): string[] {
	const hash = (seed * name.length * 7_919).toString(36).padStart(6, '0').slice(-6);
	switch (naming) {
		case 'plain':
			return [name];
		case 'bem':
			return name === 'card' ? ['card', 'card--wide'] : [`card__${name}`];
		case 'letters':
			return [letters[(seed + name.charCodeAt(0)) % letters.length] ?? ''];
		case 'modules':
			return [`Shop_${name}__${hash.slice(0, 5)}`];
		case 'emotion':
			return [`css-${hash}`];
		case 'styled':
			return [`sc-${hash}`, shuffled[(seed + name.length) % shuffled.length] ?? ''];
		case 'utility':
			return ['flex', `p-${name.length}`, 'md:w-1/2'];
		case 'none':
			return [];
	}
}

/** All the names on a page that the next build, or other entries, will not have. */
export function passingNames(template: Template, build: Build): string[] {
	const made = ['modules', 'emotion', 'styled', 'letters'].includes(template.naming)
		? ['card', 'ad', 'title']
		: [];
	return [
		...made.flatMap((name) => madeUp(name, template, build)),
		...build.entries.flatMap(({ number }) => [`${number}`]),
		...template.states.filter((name) => name !== ''),
	];
}

function classes(names: string[]): string {
	const text = names.filter((name) => name !== '').join(' ');
	return text === '' ? '' : ` class="${text}"`;
}

/** The HTML of a page. Things are marked so that a test can point at them: `title-2`, `entry-2`. */
export function pageOf(template: Template, build: Build): string {
	const { hasMenu, shape } = template;
	const menu =
		'<nav><ul><li><a href="/">Home</a></li><li><a href="/about">About</a></li></ul></nav>';
	const inside = { cards, table, nested }[shape](template, build);
	return `<body><header>${hasMenu ? menu : ''}</header><main><h1>Shop</h1>${inside}${relatedTo(template, build)}</main>
		<footer><p>Our <a href="/terms">terms</a></p></footer></body>`;
}

/** Other things that look the same: their entries are not marked. */
function relatedTo(template: Template, build: Build): string {
	const { related } = template;
	if (related === 'none') return '';
	const others = { ...build, entries: build.entries.slice(0, 2) };
	const list = cards({ ...template, id: 'none', container: 'class="related"' }, others);
	return `<${related}><h2>Related</h2>${list.replace(/ data-mark="[^"]*"/g, '')}</${related}>`;
}

function opening(tag: string, index: number, template: Template, build: Build): string {
	const { number = 0, state = 0 } = build.entries[index] ?? {};
	const { id, states } = template;
	const isStriped = states.includes('odd') || states.includes('r1');
	// Two categories at least, or they would be no categories.
	const said = states[(isStriped || index < 2 ? index : state) % states.length] ?? '';
	const own = id === 'none' ? '' : ` id="${id}${number}"`;
	return `<${tag}${own}${classes([...madeUp('card', template, build), said])} data-mark="entry-${index}">`;
}

function cards(template: Template, build: Build): string {
	const { tag, container, advertisement, isWrapped } = template;
	const wrapped = (html: string) => (isWrapped && tag === 'div' ? `<div>${html}</div>` : html);
	const around = tag === 'li' ? 'ul' : 'div';
	const adTag = advertisement === 'same' ? tag : tag === 'li' ? 'li' : 'div';
	const ad = `<${adTag}${classes(madeUp('ad', template, build))}><img src="ad.png" alt=""></${adTag}>`;
	const each = build.entries.map(({ title, price, rating, hasAdvertisement }, index) => {
		const card = `${opening(tag, index, template, build)}
				<h2${classes(madeUp('title', template, build))}><a href="/${index}" data-mark="title-${index}">${title}</a></h2>
				${rating && `<em data-mark="rating-${index}">${rating}</em>`}
				<span${classes(madeUp('price', template, build))} data-mark="price-${index}">${price}</span>
			</${tag}>`;
		const isFollowing = advertisement !== 'none' && (hasAdvertisement || index === 0);
		return `${isFollowing ? wrapped(ad) : ''}${wrapped(card)}`;
	});
	return `<${around} ${container}>${each.join('')}</${around}>`;
}

function table(template: Template, build: Build): string {
	const { header, container } = template;
	const names = '<tr><th>Title</th><th>Rating</th><th>Price</th></tr>';
	const rows = build.entries.map(
		({ title, price, rating }, index) =>
			`${opening('tr', index, template, build)}
				<td><a href="/${index}" data-mark="title-${index}">${title}</a></td>
				<td>${rating && `<em data-mark="rating-${index}">${rating}</em>`}</td>
				<td data-mark="price-${index}">${price}</td></tr>`,
	);
	return `<table ${container}>${header === 'thead' ? `<thead>${names}</thead>` : ''}
		<tbody>${header === 'tbody' ? names : ''}${rows.join('')}</tbody></table>`;
}

/** Entries with a list inside of each, whose items are not entries. */
function nested(template: Template, build: Build): string {
	const entries = build.entries.map(
		({ title, price, rating }, index) =>
			`${opening('li', index, template, build)}
				<a href="/${index}" data-mark="title-${index}">${title}</a>
				<ul><li><b data-mark="price-${index}">${price}</b></li>
				${rating && `<li><em data-mark="rating-${index}">${rating}</em></li>`}<li>Details</li></ul></li>`,
	);
	return `<ul ${template.container}>${entries.join('')}</ul>`;
}
