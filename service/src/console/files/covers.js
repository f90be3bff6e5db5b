// What lies over the page that is pointed at, such as a banner with its backdrop: hidden in the frame, and nowhere else.

const note = document.getElementById('cover-note');
const hideButton = document.getElementById('hide-covers');
const showButton = document.getElementById('show-covers');

/** Points across and down at which it is looked what lies over what. */
const points = 12;
/** Pixels from the edges of the page to the outermost of them. */
const edge = 8;
/** Characters of what was hidden that are said. */
const longest = 40;

/** The document that is looked at. */
let page;
/** What can be hidden now. */
let offered = new Set();
/** What was hidden, and how each style that was changed for it is changed back. */
let hidden = [];
let changedBack = [];
/** What somebody has chosen, which counts for the pages that come after; undefined: nothing yet. */
let chosen;
let hasHidden = () => {};

hideButton.addEventListener('click', hideOffered);
showButton.addEventListener('click', () => {
	chosen = 'shown';
	for (const changeBack of changedBack.reverse()) changeBack();
	hidden = [];
	changedBack = [];
	lookForCovers(page);
	(hideButton.hidden ? document.getElementById('pad') : hideButton).focus();
});

/** `then` is called with each element that is hidden because somebody wants it. */
export function whenHidden(then) {
	hasHidden = then;
}

/** Offers to hide what lies over most of a page, and does so where hardly anything else can be meant. */
export function lookForCovers(document) {
	if (document !== page) {
		hidden = [];
		changedBack = [];
	}
	page = document;
	for (;;) {
		offered = coversOf(page);
		const isSure = chosen === undefined ? saysLess(offered) : chosen === 'hidden';
		if (offered.size === 0 || !isSure) return say();
		hide(offered);
	}
}

/** What stays over the page while that scrolls is offered to be hidden once somebody was at it. */
export function noteTouched(element) {
	const cover = coverAround(element);
	if (!cover || offered.has(cover) || lengthOf(page.body) <= lengthOf(cover)) return;
	offered.add(cover);
	say();
}

/** Whether there was anything to hide. */
export function hideOffered() {
	if (offered.size === 0) return false;
	const covers = [...offered];
	chosen = 'hidden';
	hide(offered);
	lookForCovers(page);
	document.getElementById('pad').focus({ preventScroll: true });
	for (const cover of covers) hasHidden(cover);
	return true;
}

function hide(covers) {
	hidden.push(...[...covers].map((cover) => cover.innerText));
	for (const cover of covers) change(cover, 'display', 'none');
	// What lies over a page mostly keeps it from being scrolled.
	for (const root of [page.documentElement, page.body]) {
		const { overflowY, position } = getComputedStyle(root);
		if (overflowY === 'hidden' || overflowY === 'clip') change(root, 'overflow', 'auto');
		if (position === 'fixed') change(root, 'position', 'static');
	}
}

function change({ style }, name, value) {
	const before = [style.getPropertyValue(name), style.getPropertyPriority(name)];
	style.setProperty(name, value, 'important');
	changedBack.push(() => style.setProperty(name, ...before));
}

function say() {
	const text = hidden.map((each) => each.replace(/\s+/g, ' ').trim()).find((each) => each !== '');
	const short = text?.length > longest ? `${text.slice(0, longest)}…` : text;
	const what = short === undefined ? 'What lay over the page' : `“${short}”`;
	const said = [
		hidden.length > 0 && `${what} is hidden here.`,
		offered.size > 0 && 'Something lies over the page: Escape hides it.',
	];
	note.textContent = said.filter(Boolean).join(' ');
	hideButton.hidden = offered.size === 0;
	showButton.hidden = hidden.length === 0;
}

/** What lies over most of what a page shows, and what lies over that. */
function coversOf(document) {
	const stacks = stacksOf(document);
	const arounds = new Map(stacks.flat().map((element) => [element, coverAround(element)]));
	const covers = new Set([...arounds.values()].filter(Boolean));
	const liesOver = (stack, cover) => {
		const isPage = (element) => {
			const around = arounds.get(element);
			const isApart = !cover.contains(element) && !element.contains(cover);
			// A page may be all inside of something that is fixed.
			return isApart && (!around || around.contains(cover));
		};
		const place = stack.findIndex((element) => cover.contains(element));
		return { hasPage: stack.some(isPage), isOver: place >= 0 && stack.slice(place).some(isPage) };
	};
	const overMost = [...covers].filter((cover) => {
		const found = stacks.map((stack) => liesOver(stack, cover));
		const withPage = found.filter(({ hasPage }) => hasPage).length;
		return found.filter(({ isOver }) => isOver).length * 2 > withPage;
	});
	const isInFront = (one, cover) =>
		!one.contains(cover) &&
		stacks.some((stack) => {
			const place = stack.findIndex((element) => cover.contains(element));
			return stack.slice(0, Math.max(place, 0)).some((element) => one.contains(element));
		});
	const inFront = [...covers].filter((one) => overMost.some((cover) => isInFront(one, cover)));
	return new Set([...overMost, ...inFront]);
}

/** At points all over what is seen of a page: the elements there, the uppermost first. */
function stacksOf(document) {
	const { innerWidth, innerHeight } = document.defaultView;
	// From edge to edge, where banners are.
	const at = (index, length) => edge + (index / (points - 1)) * (length - 2 * edge);
	const roots = [document.documentElement, document.body];
	return Array.from({ length: points * points }, (_, index) =>
		document
			.elementsFromPoint(
				at(index % points, innerWidth),
				at(Math.floor(index / points), innerHeight),
			)
			.filter((element) => !roots.includes(element)),
	);
}

/** The innermost around an element that stays where it is while the page scrolls, or is a dialog. */
function coverAround(element) {
	const { body, documentElement } = element.ownerDocument;
	for (let at = element; at && at !== body && at !== documentElement; at = at.parentElement) {
		const isDialog = at.matches(
			'dialog, [role="dialog"], [role="alertdialog"], [aria-modal="true"]',
		);
		if (isDialog || /fixed|sticky/.test(getComputedStyle(at).position)) return at;
	}
	return undefined;
}

/** Whether most of what the page says is elsewhere: what is fixed may be the page itself. */
function saysLess(covers) {
	const length = [...covers].reduce((sum, cover) => sum + lengthOf(cover), 0);
	return length * 2 <= lengthOf(page.body);
}

function lengthOf(element) {
	return element.innerText.trim().length;
}
