import type { Element } from 'domhandler';
import { costs, extraCosts } from './costs.ts';
import { direction, semanticAttributes } from './nameLists.ts';
import { ownWords, saysCommonName } from './ownWords.ts';
import { isStableId, stableClasses, stableStems } from './stableNames.ts';
import { ancestorsOf, placeOf, siblingsOf } from './tree.ts';

/** A way to name elements: the less it costs, the shorter it is and the longer it lasts. */
export interface Part {
	text: string;
	cost: number;
}

/** Names for all of these elements, and maybe for others, too. */
export function partsOf(elements: Element[]): Part[] {
	const [first, ...others] = elements;
	if (!first) return [];
	const isOne = others.length === 0;
	const isShared = (test: (element: Element) => boolean) => others.every(test);
	const ids = isOne && first.attribs.id !== undefined ? [first.attribs.id] : [];
	const shared = stableClasses(first).filter((name) =>
		isShared((each) => stableClasses(each).includes(name)),
	);
	const classes = isOne ? namingFirst(shared) : shared;
	const ofRank = (rank: number) =>
		extraCosts.furtherClass * rank + (isOne || rank === 0 ? 0 : extraCosts.furtherClassOfEntries);
	const stems = stableStems(first).filter((stem) =>
		isShared((each) => stableStems(each).includes(stem)),
	);
	const attributes = semanticAttributes.filter((name) => {
		const value = first.attribs[name];
		return (
			value !== undefined &&
			/^[\w -]{1,40}$/.test(value) &&
			(name !== 'title' || direction.test(value)) &&
			isShared((each) => each.attribs[name] === value)
		);
	});
	return [
		...ids.filter(isStableId).map((id) => ({ text: `#${id}`, cost: costs.id })),
		...classes.map((name, rank) => ({
			text: `.${name}`,
			cost: costs.class + ofRank(rank),
		})),
		...classes.map((name, rank) => ({
			text: `${first.name}.${name}`,
			cost: costs.classOfElement + ofRank(rank),
		})),
		...stems.map((stem) => ({ text: `${first.name}[class*="${stem}"]`, cost: costs.classStem })),
		...pairsOf(classes).map(([a, b]) => ({ text: `.${a}.${b}`, cost: costs.twoClasses })),
		...attributes.map((name) => ({
			text: `${first.name}[${name}="${first.attribs[name]}"]`,
			cost: costOf(name),
		})),
	];
}

/** That which names it, as people do, or else the first in the page: others may say how it is. */
function namingFirst(classes: string[]): string[] {
	const isCommon = (name: string) => saysCommonName(ownWords(name));
	return [...classes.filter(isCommon), ...classes.filter((name) => !isCommon(name))];
}

/** What was put there to be found by lasts longest. */
function costOf(attribute: string): number {
	if (attribute.startsWith('data-')) return costs.dataAttribute;
	const isSemantic = attribute.startsWith('item') || attribute === 'rel';
	return isSemantic ? costs.semanticAttribute : costs.otherAttribute;
}

function pairsOf(names: string[]): [string, string][] {
	return names.flatMap((a, index) => names.slice(index + 1).map((b): [string, string] => [a, b]));
}

/** One inside of the other. */
export function joined(a: Part, by: ' ' | ' > ', b: Part): Part {
	return {
		text: `${a.text}${by}${b.text}`,
		cost: a.cost + b.cost + (by === ' > ' ? extraCosts.child : 0),
	};
}

/** A selector of places alone: where nothing has a name. */
export function positionOf(element: Element): string {
	return [...ancestorsOf(element).reverse(), element].map(stepTo).join(' > ');
}

/** The name of an element, with its place where there are several of the name. */
export function stepTo(element: Element): string {
	const isAlone = siblingsOf(element).length === 1;
	return isAlone ? element.name : atPlace(element);
}

/** The same with its place in any case: other entries may have several there. */
export function atPlace(element: Element): string {
	return `${element.name}:nth-of-type(${placeOf(element)})`;
}
