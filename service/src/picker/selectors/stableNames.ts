import type { Element } from 'domhandler';
import { classesOf } from './tree.ts';
import { isGeneratedOnPage } from './generatedNames.ts';
import { acronyms, generated, looks, passing, passingEnd } from './nameLists.ts';

/** Whether a class says what an element is, and will go on saying it. */
export function isStableClass(name: string): boolean {
	return isStable(name) && !passing.test(name) && !looks.test(name) && isWord(name);
}

/**
 * What a class says about the kind of an element, on this page: "blockList" of "blockListLast". Names
 * that a tool has made up say it, too, if only for now. Undefined if it says nothing.
 */
export function semanticStem(name: string): string | undefined {
	return passing.test(name) || looks.test(name) ? undefined : name.replace(passingEnd, '');
}

/** Whether an id is that of a part of the page, and not of one of many things on it. */
export function isStableId(id: string): boolean {
	return isStable(id) && isWord(id, 80);
}

/** The classes of an element that say what it is. */
export function stableClasses(element: Element): string[] {
	return classesOf(element).filter(
		(name) => isStableClass(name) && !isGeneratedOnPage(name, element),
	);
}

/** Its classes that were put there for a script of the page (`js-threadList`), and say what it is. */
export function hookClasses(element: Element): string[] {
	return classesOf(element).filter((name) => /^js-/.test(name) && isStableClass(name.slice(3)));
}

/**
 * The lasting beginnings of classes of which a tool has made up the end: "Card_title__" of
 * "Card_title__x1Y2z".
 */
export function stableStems(element: Element): string[] {
	return classesOf(element).flatMap((name) => stemOf(name, element) ?? []);
}

function stemOf(name: string, element: Element): string | undefined {
	const pieces = name.split(/(?<=[-_])(?=[^-_])/);
	const end = pieces.findIndex((piece) => !isStemPiece(piece));
	const stem = pieces.slice(0, end).join('');
	const rest = pieces.slice(end).join('');
	const says =
		/[a-z]{3}/i.test(stem) && !/^_?(css|sc|jsx?|jss|tss|svelte|astro|emotion)[-_]*$/i.test(stem);
	return end > 0 &&
		says &&
		rest.length >= 4 &&
		(isScrambled(rest) || isGeneratedOnPage(name, element))
		? stem
		: undefined;
}

function isStemPiece(piece: string): boolean {
	return /^[a-z]*[-_]+$/i.test(piece) && !isScrambled(piece);
}

function isStable(name: string): boolean {
	return !generated.some((pattern) => pattern.test(name)) && !isScrambled(name);
}

/** Letters and digits mixed, or capitals within, as no person writes names: "x1Y2z", "aBcDeF", "bdvvtL". */
function isScrambled(name: string): boolean {
	return name
		.split(/[-_]/)
		.some((part) => /\d[a-z]+\d|[a-z]\d+[a-z]|\d[a-z]{3,}$/i.test(part) || isShuffled(part));
}

/** Capitals in the middle that begin no words, or hardly a vowel: "kXyZab", "fnyVFH". */
function isShuffled(part: string): boolean {
	if (!/[a-z][A-Z]/.test(part)) return false;
	const words = part.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g) ?? [];
	const short = words.filter((word) => word.length < 3).length;
	const vowels = part.match(/[aeiouy]/gi)?.length ?? 0;
	return short > 1 || vowels / part.length < 0.2 || words.some(isNoAcronym);
}

/** Several capitals that stand for nothing. */
function isNoAcronym(word: string): boolean {
	return /^[A-Z]{2,}$/.test(word) && !acronyms.test(word);
}

/** Something that a selector can name without escapes: letters of any script. */
function isWord(name: string, longest = 40): boolean {
	return /^[\p{L}_][\p{L}\p{M}\w-]*$/u.test(name) && name.length <= longest;
}
