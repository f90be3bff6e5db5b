import { isTag, type Element } from 'domhandler';
import { innerText } from '../../pages/http/innerText.ts';
import { first } from '../../pages/http/select.ts';
import { costs, extraCosts, wayCosts } from './costs.ts';
import { landmarks } from './nameLists.ts';
import { waysOnlyInside } from './onlyInside.ts';
import { joined, partsOf, positionOf, stepTo, type Part } from './parts.ts';
import { statesIn } from './states.ts';
import { hookClasses, isStableId, stableClasses } from './stableNames.ts';
import { ancestorsOf, classesOf, othersBeside, pathBelow } from './tree.ts';

/** A list that two of its elements stand for. */
export interface PickedList {
	/** What all entries are in. */
	container: Element;
	/** The entries, in the order of the page. */
	entries: Element[];
	/** The names of the elements from below the container down to an entry; undefined: at any depth. */
	path: string[] | undefined;
	/** The names from below an entry down to what was pointed at. */
	inside: string[];
}

/** Selectors that may find the entries of a list and nothing else. */
export function* listCandidates(list: PickedList): Generator<Part> {
	const { container, entries, path, inside } = list;
	const [entry] = entries;
	if (!entry) return;
	const isState = ({ text }: Part) => statesIn(text, entries).length > 0;
	const own = partsOf(entries).map((part) =>
		isState(part) ? { ...part, cost: part.cost + extraCosts.state } : part,
	);
	const named = [...own, { text: entry.name, cost: costs.elementOfList }];
	if (own.some(isState)) named.push(...withoutStates(named, list));
	// A header row has the name of the others, as an advertisement among cards without classes.
	if (entry.name === 'tr') named.push({ text: 'tr:has(> td)', cost: costs.rowWithCells });
	if (inside.length > 0) {
		named.push({ text: `${entry.name}:has(> ${inside.join(' > ')})`, cost: costs.withInside });
	}
	for (const path of waysOnlyInside(entries)) {
		named.push({ text: `${entry.name}:has(> ${path})`, cost: costs.withOnlyInside });
	}
	for (const part of named)
		yield part.text.startsWith('.') || own.includes(part)
			? part
			: { ...part, cost: part.cost + extraCosts.bareElement };
	const [ofContainer, above] = [anchorsOf(container), anchorsAbove(container)];
	for (const anchor of [...ofContainer, ...above]) {
		for (const part of named) yield joined(anchor, ' ', part);
	}
	const tops = [
		...ofContainer,
		...above.flatMap((anchor) => [
			joined(anchor, ' ', { text: container.name, cost: wayCosts.container }),
			joined(anchor, ' > ', { text: container.name, cost: wayCosts.childContainer }),
		]),
		...above.map((anchor) => below(anchor, container)),
		{ text: positionOf(container), cost: costs.position },
	];
	for (const top of tops) {
		for (const part of named) {
			if (path === undefined) yield joined(top, ' ', part);
			else
				for (const steps of waysTo(entries, path))
					yield joined(top, ' > ', chained([...steps, part]));
		}
	}
}

/**
 * What says of entries what they are, where that is not enough: with what was pointed at in it; without a
 * class that all others beside them have which it finds as well.
 */
function withoutStates(named: Part[], { entries, inside }: PickedList): Part[] {
	const own = new Set(entries.flatMap(classesOf));
	const beside = othersBeside(entries);
	return named.flatMap(({ text, cost }) => {
		const [other, ...others] = beside.filter(
			(each) => text === each.name || classesOf(each).includes(text.replace('.', '')),
		);
		const name = (other ? stableClasses(other) : []).find(
			(each) => !own.has(each) && others.every((another) => classesOf(another).includes(each)),
		);
		return [
			...(name === undefined
				? []
				: [{ text: `${text}:not(.${name})`, cost: cost + extraCosts.without }]),
			...(text.startsWith('.') && inside.length > 0
				? [{ text: `${text}:has(> ${inside.join(' > ')})`, cost: cost + extraCosts.withInside }]
				: []),
		];
	});
}

/** Selectors that may find an element and nothing else, on pages of its kind, too. */
export function elementCandidates(element: Element): Part[] {
	const named = partsOf([element]);
	const bare = { text: element.name, cost: costs.element };
	const own = [...named, bare];
	const anchors = anchorsAbove(element).map((anchor) =>
		anchor.text === `#${anchor.element.attribs.id}` && isOfHeading(anchor.element)
			? { ...anchor, cost: anchor.cost + extraCosts.idOfThisPage }
			: anchor,
	);
	return [
		...named,
		{ ...bare, cost: bare.cost + (landmarks.has(element.name) ? 0 : extraCosts.bareElement) },
		...anchors.flatMap((anchor) => own.map((part) => joined(anchor, ' ', part))),
	];
}

/** What is between a container and its entries: by the names of the elements, and by their classes, too. */
function waysTo(entries: Element[], path: string[]): Part[][] {
	const bare = path.slice(0, -1).map((name) => ({ text: name, cost: wayCosts.between }));
	const classed = bare.map((part, level) => {
		const elements = entries.flatMap((each) => ancestorsOf(each)[bare.length - 1 - level] ?? []);
		const named = partsOf([...new Set(elements)]).find(({ text }) =>
			text.startsWith(`${part.text}.`),
		);
		return named ?? part;
	});
	return [bare, classed];
}

function chained(parts: Part[]): Part {
	return parts.reduce((a, b) => joined(a, ' > ', b));
}

/** A name for what is around something. */
interface Anchor extends Part {
	element: Element;
}

/** Names for what is around: of the element itself. */
function anchorsOf(element: Element): Anchor[] {
	const parts = partsOf([element]);
	parts.push(...hookClasses(element).map((name) => ({ text: `.${name}`, cost: costs.hookClass })));
	if (landmarks.has(element.name)) parts.push({ text: element.name, cost: costs.landmark });
	const before = elementBefore(element)?.attribs.id;
	if (before !== undefined && isStableId(before)) {
		parts.push({ text: `#${before} + ${element.name}`, cost: costs.behindId });
	}
	return parts.map((part) => ({ ...part, element }));
}

function elementBefore(element: Element): Element | undefined {
	let before = element.prev;
	while (before && !isTag(before)) before = before.prev;
	return before ?? undefined;
}

/** Names for what is around, the nearest first: those further off cost more. */
function anchorsAbove(element: Element): Anchor[] {
	return ancestorsOf(element).flatMap((above, distance) =>
		anchorsOf(above).map((part) => ({
			...part,
			cost: part.cost + extraCosts.levelAbove * (distance + 1),
		})),
	);
}

/** The way from an anchor down to an element, by places where there are several of a kind. */
function below(anchor: Anchor, element: Element): Part {
	const steps = pathBelow(anchor.element, element).map(stepTo);
	return {
		text: [anchor.text, ...steps].join(' > '),
		cost: anchor.cost + wayCosts.place * steps.length + wayCosts.places,
	};
}

/** Whether an id is its heading once more: "the-debian-archive". */
function isOfHeading(element: Element): boolean {
	const letters = (text: string) => text.toLowerCase().replace(/[^a-z]/g, '');
	const heading = first('h1, h2, h3, h4, h5, h6', element);
	return heading !== undefined && letters(innerText(heading)) === letters(element.attribs.id ?? '');
}
