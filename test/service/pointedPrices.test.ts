import { innerText } from '../../service/src/pages/http/innerText';
import { parseHtml } from '../../service/src/pages/http/parseHtml';
import { all, first } from '../../service/src/pages/http/select';
import { selectorWithoutStruckOut } from '../../service/src/picker/document/struckOut';
import { selectorOfElement } from '../../service/src/picker/selectors/selectorOf';
import { pointAt } from './pointAt';

/** How shops write a price, and a reduced one: what is pointed at is the price that is to be paid. */
const shops = {
	'del beside': {
		price: (now: string) => `<span class="amount">${now}</span>`,
		reduced: (now: string, old: string) =>
			`<del class="amount">${old}</del> <span class="amount">${now}</span>`,
	},
	'del and ins around': {
		price: (now: string) => `<span class="amount"><bdi>${now}</bdi></span>`,
		reduced: (now: string, old: string) =>
			`<del><span class="amount"><bdi>${old}</bdi></span></del> <ins><span class="amount"><bdi>${now}</bdi></span></ins>`,
	},
	's beside': {
		price: (now: string) => `<b class="amount">${now}</b>`,
		reduced: (now: string, old: string) =>
			`<s class="amount">${old}</s> <b class="amount">${now}</b>`,
	},
	'strike around': {
		price: (now: string) => `<b>${now}</b>`,
		reduced: (now: string, old: string) => `<strike><b>${old}</b></strike> <b>${now}</b>`,
	},
	'no element for it': {
		price: (now: string) => `<span class="amount">${now}</span>`,
		reduced: (now: string, old: string) =>
			`<span class="amount old">${old}</span> <span class="amount">${now}</span>`,
	},
};

type Kind = 'plain' | 'reduced' | 'none';

function pageOf({ price, reduced }: (typeof shops)['s beside'], entries: Kind[]): string {
	const entry = (kind: Kind, index: number) => {
		const now = `€ ${index + 1}.00`;
		const said = { plain: price(now), reduced: reduced(now, '€ 99.00'), none: '' }[kind];
		return `<li class="item" data-mark="entry-${index}"><h3 data-mark="name-${index}">Pen ${index}</h3>
			<div class="pr">${said}</div></li>`;
	};
	return `<ul>${entries.map(entry).join('')}</ul>`.replace(
		/(<(?:span|b)(?: class="amount")?)(>(?:<bdi>)?€ 1\.00)/,
		'$1 data-mark="price-0"$2',
	);
}

function pricesOf(shop: (typeof shops)['s beside'], before: Kind[], after = before) {
	const found = pointAt({
		before: pageOf(shop, before),
		pointedAt: ['name-0', 'name-1'],
		columns: ['price-0'],
		after: pageOf(shop, after),
	});
	return found.later?.flatMap(({ values }) => values);
}

describe.each(Object.entries(shops))('a price that is pointed at, reduced with %s', (_, shop) => {
	test.each<[string, Kind[]]>([
		['an entry without a reduction', ['plain', 'reduced', 'plain', 'none', 'reduced']],
		['a reduced one', ['reduced', 'plain', 'none', 'reduced']],
	])('in %s is that to be paid in all of them', (_where, entries) => {
		const prices = entries.map((kind, index) => (kind === 'none' ? '' : `€ ${index + 1}.00`));
		expect(pricesOf(shop, entries)).toEqual(prices);
	});
});

test.each(Object.entries(shops).slice(0, 4))(
	'where nothing is reduced yet, it is that to be paid on later pages, too: %s',
	(_, shop) => {
		const later = pricesOf(shop, ['plain', 'plain', 'none'], ['plain', 'reduced', 'none']);
		expect(later).toEqual(['€ 1.00', '€ 2.00', '']);
	},
);

test.each(Object.entries(shops).slice(0, 4))(
	'on a page of its own, it is that to be paid on other pages, too: %s',
	(_, { price, reduced }) => {
		const pageWith = (said: string) => parseHtml(`<h1>Pen</h1><p class="price">${said}</p>`);
		const page = pageWith(price('€ 1.00'));
		const [pointedAt] = all('.price *', page).slice(-1);
		if (!pointedAt) throw new Error('There is no price.');
		const selector = selectorWithoutStruckOut(selectorOfElement(pointedAt, page), pointedAt);
		const elsewhere = first(selector, pageWith(reduced('€ 2.00', '€ 99.00')));
		expect(elsewhere && innerText(elsewhere)).toBe('€ 2.00');
	},
);
