import type { Element } from 'domhandler';
import { all, first } from '../../pages/http/select.ts';
import { innerText } from '../../pages/http/innerText.ts';
import { stemsOf } from './kind.ts';
import { stableClasses } from '../selectors/stableNames.ts';
import { isCell, nameOf, sameLinkText } from './columnName.ts';
import { goesByPlace } from './place.ts';
import { hasStruckOut, namesWithoutStruckOut } from './struckOut.ts';
import { columnCosts } from '../selectors/costs.ts';
import { atPlace, partsOf, type Part } from '../selectors/parts.ts';
import {
	ancestorsOf,
	childrenOf,
	classesOf,
	pathBelow,
	placeOf,
	siblingsOf,
} from '../selectors/tree.ts';

/** A column of a list: what is read from each entry. */
export interface ListColumn {
	/** Inside of an entry; undefined: the entry itself. */
	selector: string | undefined;
	name: string;
	/** Whether it is a link that says the same in each entry. */
	isSameLink: boolean;
}

/**
 * The column that an element inside of an entry stands for: found in as many entries as possible, in
 * the same place of each, by names that last, and that one thing in it has, rather than by places.
 * `isExact`: the element itself is meant, not what is around it and has the same text. `alike`: the same
 * in another entry.
 */
export function columnOf(
	element: Element,
	entry: Element,
	entries: Element[],
	{ isExact = false, alike }: { isExact?: boolean; alike?: Element } = {},
): ListColumn {
	if (element === entry) return { selector: undefined, ...namedAs(element, entries) };
	const candidates = [element, ...(isExact ? [] : coveredBy(element, entry))].flatMap((each) =>
		choices(each, element, entry, entries),
	);
	const ofBoth = alike ? candidates.filter(({ text }) => finds(text, alike, entries)) : [];
	const [best, ...others] = (ofBoth.length > 0 ? ofBoth : candidates).sort(
		(a, b) =>
			a.strange - b.strange ||
			b.found - a.found ||
			Number(b.isPointedAt) - Number(a.isPointedAt) ||
			a.cost - b.cost,
	);
	const isAsGood = (each: Choice) =>
		each.strange === best?.strange &&
		each.found === best.found &&
		each.isPointedAt === best.isPointedAt;
	const alone = [best, ...others.filter(isAsGood)].find(
		(each) => each && !goesByPlace(each.text, entries),
	);
	const selector = (alone ?? best)?.text ?? placesOf(pathBelow(entry, element));
	const found = entries.map((each) => first(selector, each)).filter((each) => each !== undefined);
	return { selector, ...namedAs(element, found) };
}

function namedAs(element: Element, others: Element[]): Omit<ListColumn, 'selector'> {
	return {
		name: nameOf(element, others),
		isSameLink: sameLinkText(element, others) !== undefined,
	};
}

/** Whether a selector finds an element in its entry, what is around it, or a part of it. */
function finds(selector: string, element: Element, entries: Element[]): boolean {
	const around = [element, ...ancestorsOf(element)];
	const entry = around.find((each) => entries.includes(each));
	const found = entry && first(selector, entry);
	return found !== undefined && (around.includes(found) || ancestorsOf(found).includes(element));
}

/**
 * What is around an element inside of its entry, and has no other text: entries may lack the element
 * alone. One of several of its name is not meant, unless it is a cell: the next entry has others there.
 */
function coveredBy(element: Element, entry: Element): Element[] {
	const above = ancestorsOf(element);
	const text = innerText(element);
	return above
		.slice(0, above.indexOf(entry))
		.filter((each) => innerText(each) === text)
		.filter(
			(each) => isCell(each) || stableClasses(each).length > 0 || siblingsOf(each).length === 1,
		);
}

interface Choice {
	text: string;
	cost: number;
	found: number;
	strange: number;
	/** Whether it finds the very element, and not what is around it: in other entries that may have more text. */
	isPointedAt: boolean;
}

/** Selectors that find what was pointed at, or what is around it, in its entry, with what they find in the others. */
function choices(
	element: Element,
	pointedAt: Element,
	entry: Element,
	entries: Element[],
): Choice[] {
	const path = pathBelow(entry, element);
	const names = stableClasses(element).filter((name) =>
		entries.every((each) => all(`.${name}`, each).length <= 1),
	);
	const wanted = path
		.map((step, level) => ({
			step,
			isSole: isSole(path, level, entries),
			names: step === element ? names : [],
		}))
		.filter(({ step }) => step === element || !isInsertion(step));
	const isPointedAt = element === pointedAt;
	const inside = isPointedAt ? undefined : pointedAt;
	return [...selectorsInside(element, path, entries), ...namesOfNoOther(element, entries)]
		.filter(({ text }) => first(text, entry) === element)
		.map(({ text, cost }) => ({
			...{ text, cost, isPointedAt },
			...alignment(text, wanted, entries, inside),
		}));
}

/** Whether nothing is in what is around something else in another entry. */
function isEmptied(found: Element, inside: Element): boolean {
	return innerText(found).trim() === '' && innerText(inside).trim() !== '';
}

/**
 * Whether what is around something of a name says no more than that: not a price beside the reduced one.
 * A cell is one value, whatever is in it, unless a part of it no longer holds.
 */
function saysOnly(found: Element, { name }: Element): boolean {
	if (isCell(found)) return !hasStruckOut(found);
	const text = innerText(found).trim();
	return all(name, found).every((each) => ['', text].includes(innerText(each).trim()));
}

function selectorsInside(element: Element, path: Element[], entries: Element[]): Part[] {
	const parts = [...partsOf([element]), { text: element.name, cost: columnCosts.element }];
	const own = namesWithoutStruckOut(element, parts, entries);
	const around = path
		.slice(0, -1)
		.flatMap((above) => [
			...partsOf([above]),
			{ text: above.name, cost: columnCosts.elementAround },
			{ text: atPlace(above), cost: columnCosts.place },
		]);
	const places = placesOfOne(element);
	return [
		...own,
		...places,
		...[...own, ...places].flatMap((part) =>
			around.map((above) => ({
				text: `${above.text} ${part.text}`,
				cost: above.cost + part.cost,
			})),
		),
		{ text: placesOf(path), cost: columnCosts.places + columnCosts.step * path.length },
	];
}

/** From the first, and from the last where it is that: what may be missing may stand before it. */
function placesOfOne(element: Element): Part[] {
	const ofType = siblingsOf(element);
	const isLast = !isCell(element) && ofType.length > 1 && ofType.at(-1) === element;
	const last = { text: `${element.name}:last-of-type`, cost: columnCosts.lastPlace };
	return [{ text: atPlace(element), cost: columnCosts.place }, ...(isLast ? [last] : [])];
}

/** ".price:not(.price--old)": its names without what others of the name beside it in entries are called. */
function namesOfNoOther(element: Element, entries: Element[]): Part[] {
	const own = classesOf(element);
	return [...stableClasses(element).map((name) => `.${name}`), element.name].flatMap((text) => {
		const several = entries.map((entry) => all(text, entry)).filter(({ length }) => length > 1);
		const names = new Set(several.flat().flatMap(stableClasses));
		return [...names]
			.filter((name) => !own.includes(name))
			.map((name) => ({ text: `${text}:not(.${name})`, cost: columnCosts.without }));
	});
}

/**
 * In how many entries a selector finds something, and in how many of those something that is not of the
 * kind: with other names on the way to it, or another place among the cells of a row. What is around
 * something that was pointed at (`inside`) is not found where it is empty, and is not of the kind where it
 * says more.
 */
function alignment(
	selector: string,
	path: WantedStep[],
	entries: Element[],
	inside: Element | undefined,
): { found: number; strange: number } {
	let found = 0;
	let strange = 0;
	for (const entry of entries) {
		const element = first(selector, entry);
		if (!element || (inside && isEmptied(element, inside))) continue;
		found += 1;
		const saysMore = inside !== undefined && !saysOnly(element, inside);
		if (saysMore || !isAlike(pathBelow(entry, element), path)) strange += 1;
	}
	return { found, strange };
}

/** An element on the way to what was pointed at. */
interface WantedStep {
	step: Element;
	/** No entry has two there, whatever they are called. */
	isSole: boolean;
	/** Classes that no entry has twice: the same part of it, whatever else it is called ("price up", "price down"). */
	names: string[];
}

/** What is alone in each entry is the same part of it: where its classes differ, they say its state. */
function isSole(path: Element[], level: number, entries: Element[]): boolean {
	const names = path.slice(0, level + 1).map(({ name }) => name);
	return entries.every((entry) => {
		let at = [entry];
		for (const name of names) at = at.flatMap(childrenOf).filter((each) => each.name === name);
		return at.length <= 1;
	});
}

/** What a page has put in the place of something struck out: it stands there as others do without it. */
function isInsertion({ name }: Element): boolean {
	return name === 'ins';
}

function isAlike(wayTo: Element[], wanted: WantedStep[]): boolean {
	const path = wayTo.filter((step) => step === wayTo.at(-1) || !isInsertion(step));
	return (
		path.length === wanted.length &&
		wanted.every(({ step, isSole, names }, level) => {
			const other = path[level];
			if (other?.name !== step.name) return false;
			if (isCell(step)) return placeOf(step) === placeOf(other);
			const isNamedSo = names.some((name) => classesOf(other).includes(name));
			return isSole || isNamedSo || isOfKindOf(step, other, level < path.length - 1);
		})
	);
}

/**
 * Whether nothing in the classes of two elements speaks against it. What is read may say more than
 * another, but nothing else, as the parts of an entry do; what is around it may be of another category.
 * "r1" and "r2" are of one kind. What has nothing but a name for how things are ("soldout") stands in the place of
 * what is named otherwise ("price").
 */
function isOfKindOf(one: Element, other: Element, isAround: boolean): boolean {
	const [kinds, others] = [kindsOf(one), kindsOf(other)];
	const [fewer, more] = kinds.length < others.length ? [kinds, others] : [others, kinds];
	const isIn = (kind: string) => more.includes(kind);
	const isOnlyState = (each: Element) => stemsOf(each).size === 0 && classesOf(each).length > 0;
	if (!isAround && more.length > 0 && [one, other].some(isOnlyState)) return false;
	return fewer.length === 0 || (isAround ? fewer.some(isIn) : fewer.every(isIn));
}

function kindsOf(element: Element): string[] {
	return [...stemsOf(element)].map((stem) => stem.replace(/\d+$/, ''));
}

function placesOf(path: Element[]): string {
	return `> ${path.map(atPlace).join(' > ')}`;
}
