// Pointing at a page: its elements carry numbers, of which the service knows what they stand for.

import { hideOffered, lookForCovers, noteTouched, whenHidden } from './covers.js';

const frame = document.getElementById('frame');
const pad = document.getElementById('pad');
const numberAttribute = 'data-pointing-number';
const markAttribute = 'data-pointing-mark';

/** Milliseconds after which it is said that something takes longer. */
const soon = 300;

/** The end of what was pointed at last. */
let pointed = Promise.resolve();

/** The element that the mouse or the keyboard is at. */
let current;

const page = () => frame.contentDocument;
const panel = () => document.getElementById('panel');

/** The document that is pointed at. */
let begun;

/** What is waited for, in words. */
let waitedFor = '';

frame.addEventListener('load', beginOnceThere);
beginOnceThere();

/** Begins when the document is there: pictures that are still to come hold up nothing. */
function beginOnceThere() {
	const document = page();
	const isThere = document?.body && document.URL === frame.src && document.readyState !== 'loading';
	if (!isThere) {
		busyWith('Waiting for the page …');
		setTimeout(beginOnceThere, 50);
	} else if (document !== begun) {
		begun = document;
		begin();
	}
}

function begin() {
	current = undefined;
	page().addEventListener('mousemove', ({ target }) => goTo(target, false));
	page().addEventListener('click', onClick, true);
	for (const name of ['auxclick', 'dblclick', 'submit', 'dragstart', 'contextmenu']) {
		page().addEventListener(name, (event) => event.preventDefault(), true);
	}
	page().addEventListener('keydown', onKey);
	mark();
	lookForCovers(page());
	done();
	const said = document.getElementById('pointed');
	if (said.textContent === '') said.textContent = panel().dataset.say;
}

/** Pixels of a window on a desktop: in narrow ones, sites hide things behind menus. */
const desktopWidth = 1280;
/** What is shown smaller is hard to read and to tap. */
const leastScale = 0.5;

const desktop = document.getElementById('desktop');
desktop.checked = pad.clientWidth >= desktopWidth * leastScale;
document.getElementById('width-switch').hidden = false;
desktop.addEventListener('change', () => {
	fit();
	if (begun) lookForCovers(begun);
	sayIfHidden();
});
new ResizeObserver(fit).observe(pad);
fit();

/** Has the page as wide as it is chosen, scaled into its place. */
function fit() {
	const scale = desktop.checked ? Math.min(pad.clientWidth / desktopWidth, 1) : 1;
	frame.style.width = `${100 / scale}%`;
	frame.style.height = `${100 / scale}%`;
	frame.style.transform = `scale(${scale})`;
}

function busyWith(text) {
	waitedFor = text;
	pad.setAttribute('aria-busy', 'true');
	document.getElementById('pointed').textContent = text;
}

function done() {
	pad.setAttribute('aria-busy', 'false');
	const said = document.getElementById('pointed');
	if (said.textContent === waitedFor) said.textContent = '';
	waitedFor = '';
}

function onClick(event) {
	event.preventDefault();
	event.stopPropagation();
	noteTouched(event.target);
	point(event.target);
}

pad.addEventListener('keydown', onKey);

/** Arrow keys walk the page: down and up through everything, right into, left out of something. */
function onKey(event) {
	const steps = {
		ArrowDown: next,
		ArrowUp: previous,
		ArrowRight: (element) => element.firstElementChild,
		ArrowLeft: (element) => element.parentElement,
	};
	const body = page()?.body;
	if (!body) return;
	if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'z') {
		event.preventDefault();
		panel()
			.querySelector(`[aria-label="${event.shiftKey ? 'Redo' : 'Undo'}"]`)
			.click();
		return;
	}
	if (event.key === 'Escape' && hideOffered()) {
		event.preventDefault();
		return;
	}
	if (event.key === 'Enter') {
		event.preventDefault();
		if (current) point(current);
		return;
	}
	const step = steps[event.key];
	if (!step) return;
	event.preventDefault();
	let to = current ? step(current) : body.firstElementChild;
	// What is not seen is not walked through.
	while (to && to !== body && !isSeen(to)) to = event.key === 'ArrowUp' ? previous(to) : next(to);
	if (to && body.contains(to) && to !== body) goTo(to, true);
}

/** The one that follows: what is inside is walked into only where it is told apart. */
function next(element) {
	for (let at = element; at; at = at.parentElement) {
		if (at.nextElementSibling) return at.nextElementSibling;
	}
	return null;
}

function previous(element) {
	return element.previousElementSibling ?? element.parentElement;
}

function isSeen(element) {
	const { width, height } = element.getBoundingClientRect();
	return width > 0 && height > 0;
}

function goTo(element, isByKey) {
	if (element === current || !element.getAttribute?.(numberAttribute)) return;
	if (current) unmark(current, 'at');
	current = element;
	addMark(element, 'at');
	if (isByKey) {
		noteTouched(element);
		element.scrollIntoView({ block: 'nearest' });
		document.getElementById('pointed').textContent = inWords(element);
	}
}

function point(element) {
	const numbered = element.closest?.(`[${numberAttribute}]`);
	if (!numbered) return;
	tell({ action: 'point', number: numbered.getAttribute(numberAttribute) });
}

// What is hidden is nothing to be walked on from, and no entry of which another one is waited for.
whenHidden((cover) => {
	if (current && cover.contains(current)) {
		unmark(current, 'at');
		current = undefined;
	}
	void pointed.then(() => {
		const [one] = JSON.parse(panel().dataset.marks).one;
		const isOne = (element) => Number(element.getAttribute(numberAttribute)) === one;
		if (one === undefined || ![cover, ...cover.querySelectorAll('*')].some(isOne)) return;
		tell({ action: 'aim', aim: 'entries' });
	});
});

/** Tells the service what was done in the page. */
function tell(values) {
	const { act } = document.querySelector('[data-act]').dataset;
	pad.setAttribute('aria-busy', 'true');
	// Most answers come at once; those about large pages take some seconds.
	const late = setTimeout(() => busyWith('Working on it …'), soon);
	// One after the other: what a thing stands for depends on what was pointed at before.
	pointed = pointed
		.then(() => {
			const draft = document.getElementById('draft').value;
			const all = { ...values, draft };
			return window.htmx.ajax('POST', act, { target: '#panel', swap: 'outerMorph', values: all });
		})
		.finally(() => {
			clearTimeout(late);
			done();
		});
}

/** The id of what had the focus before the panel was made anew. */
let focusedId = '';
/** Whether somebody has said what they point at next. */
let isAiming = false;
document.addEventListener('htmx:before:swap', ({ detail: { ctx } }) => {
	focusedId = document.activeElement.id;
	isAiming = ctx?.sourceElement?.matches?.('[aria-pressed]') ?? false;
});

/** In a narrow window the page to point at may be far above what was pressed. */
function goToPage() {
	const isStill = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
	const behavior = isStill ? 'auto' : 'smooth';
	pad.parentElement.scrollIntoView({ block: 'nearest', behavior });
	pad.focus({ preventScroll: true });
}

/** What has moved keeps the focus; what can move no further gives it to the way back. */
function keepFocus() {
	const button = panel().querySelector(`#${CSS.escape(focusedId)}`);
	if (button?.disabled) button.parentElement.querySelector('button:enabled').focus();
	else button?.focus();
}

document.addEventListener('htmx:after:swap', ({ detail: { ctx } }) => {
	// The first rows, which come later, say nothing of what is pointed at meanwhile.
	if (ctx?.target?.id.startsWith('rows-')) showAdded(ctx.target);
	if (ctx?.target?.id !== 'panel') return;
	const { frame: address, say, ready, guards } = panel().dataset;
	const save = document.getElementById('save');
	if (focusedId !== '') keepFocus();
	save.hidden = ready !== 'true';
	save.dataset.guard = guards;
	document.getElementById('pointed').textContent = say;
	const isOther = frame.src !== new URL(address, location.href).href;
	if (isOther || isAiming) goToPage();
	if (isOther) {
		frame.src = address;
		beginOnceThere();
	} else mark();
});

/** Of more columns than there is room for, the one that was added last is in sight. */
function showAdded(rows) {
	const head = rows.querySelectorAll('thead th')[Number(panel().dataset.added)];
	const scroll = head?.closest('.scroll');
	if (scroll) scroll.scrollLeft = head.offsetLeft + head.offsetWidth - scroll.clientWidth;
}

/** Lights up what the draft finds. */
function mark() {
	for (const element of page().querySelectorAll(`[${markAttribute}]`)) {
		element.removeAttribute(markAttribute);
	}
	const { one, entries, columns, next: nextLinks } = JSON.parse(panel().dataset.marks);
	const byNumber = new Map();
	for (const element of page().querySelectorAll(`[${numberAttribute}]`)) {
		byNumber.set(Number(element.getAttribute(numberAttribute)), element);
	}
	const all = (numbers, name) => {
		for (const number of numbers) {
			const element = byNumber.get(number);
			if (element) addMark(element, name);
		}
	};
	all(one, 'column');
	all(entries, 'entry');
	for (const column of columns) all(column, 'column');
	all(nextLinks, 'next');
	if (current) addMark(current, 'at');
	sayIfHidden();
	// Whoever loads the page again after the service has lost the draft has it still.
	sessionStorage.setItem(`draft ${location.pathname}`, document.getElementById('draft').value);
}

/** What is offered as leading on may be nothing that can be seen: narrow windows have it behind menus. */
function sayIfHidden() {
	const note = panel().querySelector('[data-offered]');
	if (!note) return;
	const offered = page().querySelector(`[${numberAttribute}="${note.dataset.offered}"]`);
	const looks = { opacityProperty: true, visibilityProperty: true };
	note.hidden = offered !== null && offered.checkVisibility(looks) && isSeen(offered);
}

function addMark(element, name) {
	const names = new Set((element.getAttribute(markAttribute) ?? '').split(' ').filter(Boolean));
	element.setAttribute(markAttribute, [...names.add(name)].join(' '));
}

function unmark(element, name) {
	const names = (element.getAttribute(markAttribute) ?? '')
		.split(' ')
		.filter((each) => each !== name);
	if (names.join('') === '') element.removeAttribute(markAttribute);
	else element.setAttribute(markAttribute, names.join(' '));
}

const kinds = {
	a: 'Link',
	img: 'Picture',
	li: 'List item',
	tr: 'Row',
	td: 'Cell',
	th: 'Heading of a column',
	p: 'Paragraph',
	table: 'Table',
	ul: 'List',
	ol: 'List',
	dl: 'List of terms',
	dt: 'Term',
	dd: 'Description',
	button: 'Button',
};

/** Characters that are said of an element. */
const longest = 80;

/** The beginning of an element's text as it is seen: what stands apart there is apart in words, too. */
function seenText(element) {
	const nodes = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
	const range = new Range();
	let text = '';
	let last;
	while (text.length <= longest && nodes.nextNode()) {
		const node = nodes.currentNode;
		range.selectNodeContents(node);
		const rects = range.getClientRects();
		const [from] = rects;
		if (!from || getComputedStyle(node.parentElement).visibility !== 'visible') continue;
		const isApart =
			last && (from.left - last.right > 1 || from.top >= last.bottom || from.right <= last.left);
		text = (text + (isApart ? ' ' : '') + node.data).replace(/\s+/g, ' ').trimStart();
		last = rects[rects.length - 1];
	}
	return text.trim();
}

/** What an element is, for those who do not see it. */
function inWords(element) {
	const name = element.localName;
	const kind = kinds[name] ?? (/^h[1-6]$/.test(name) ? 'Heading' : 'Part');
	const text = seenText(element) || (element.getAttribute('alt') ?? '').trim();
	const marked = (element.getAttribute(markAttribute) ?? '').includes('entry') ? ', an entry' : '';
	const short = text.length > longest ? `${text.slice(0, longest)}…` : text;
	return `${kind}${marked}${short ? `: ${short}` : ', without text'}`;
}
