/// <reference lib="dom" />

type IsSeen = (element: Element) => boolean;

/** Panels, as of tabs, of which a step shows one while the others of its kind stay hidden. */
export interface OtherPanels {
	/** Whether these may be panels of one kind, of which one may be open. */
	areAlike: (one: Element, other: Element) => boolean;
	/** A step follows, by which these elements may be shown, or others like them. */
	note: (elements: Element[], isSeen: IsSeen) => void;
	/**
	 * Those that stand in another panel than the one that the step has shown: one of the same kind beside it, which is
	 * hidden; or elsewhere, as in each entry, where others of them stand in the one that is shown. Where they all stand in
	 * one panel, that is meant.
	 */
	among: (elements: Element[], isSeen: IsSeen) => Set<Element>;
	/**
	 * Those in the hidden panels of a page that has as many of a kind as a loop has `entries`, each of which shows its own
	 * when it is clicked, as the headers of an accordion do. What a panel hides of its own is none of these, nor are panels to
	 * which others lead, as the tabs of a page whose colours are clicked.
	 */
	ofEntries: (elements: Element[], isSeen: IsSeen, entries: () => Element[]) => Set<Element>;
}

/** Runs in a document, so it can use nothing that is outside of it. */
export function keepOtherPanels(own: <Target extends Node>(node: Target) => Target): OtherPanels {
	/** Before the last step. */
	const [wereHidden, hiddenPanels] = [new WeakSet<Element>(), new WeakSet<Element>()];
	const parentOf = (element: Element) => own(element).parentElement ?? undefined;
	const canBeSeen = (element: Element) =>
		own(element).checkVisibility({ visibilityProperty: true, opacityProperty: true });
	const hasRoom = (element: Element) => {
		const { width, height } = own(element).getBoundingClientRect();
		return width > 0 && height > 0;
	};
	/** Whether it stands where it does whatever is done with what is around it. */
	const isLoose = (element: Element, outer: Element) => {
		const { position } = getComputedStyle(element);
		const isPlacedBy = element instanceof HTMLElement && own(element).offsetParent === outer;
		return position === 'fixed' || (position === 'absolute' && !isPlacedBy);
	};
	/** What is around it does not hide it: that has no place either where all in it is hidden, or stands elsewhere. */
	const isHiddenItself = (element: Element, outer: Element) =>
		canBeSeen(outer) && (!canBeSeen(element) || !hasRoom(element) || isLoose(element, outer));
	/** The outermost thing around what is not seen that hides it, or that itself. */
	const panelOf = (element: Element, isSeen: IsSeen) => {
		let panel = element;
		for (
			let outer = parentOf(panel);
			outer && outer !== document.body && !isSeen(outer) && !isHiddenItself(panel, outer);
			outer = parentOf(panel)
		) {
			panel = outer;
		}
		return panel;
	};
	/** What is around the panels of those that are not seen, and these, with the elements in each. */
	const panelsOf = (elements: Element[], isSeen: IsSeen) => {
		const panels = new Map<Element, Map<Element, Element[]>>();
		for (const each of elements) {
			if (isSeen(each)) continue;
			const panel = panelOf(each, isSeen);
			const around = parentOf(panel);
			if (!around) continue;
			const beside = panels.get(around) ?? new Map<Element, Element[]>();
			panels.set(around, beside);
			const inside = beside.get(panel) ?? [];
			beside.set(panel, inside);
			inside.push(each);
		}
		return [...panels];
	};
	/** What is around an element, from the inside out. */
	const outside = (element: Element) => {
		const found: Element[] = [];
		for (let outer = parentOf(element); outer; outer = parentOf(outer)) found.push(outer);
		return found;
	};
	/** Of that, what hid it before the last step. */
	const hiddenAround = (element: Element) =>
		outside(element).filter((outer) => hiddenPanels.has(outer));
	/** Those in panels that are hidden still, where others are in one that has come. */
	const inHiddenPanels = (elements: Element[], isSeen: IsSeen) => {
		const panels = elements.flatMap((each) => {
			const panel = hiddenAround(each).at(-1);
			return panel ? [{ each, panel, hasCome: isSeen(panel) }] : [];
		});
		const come = new Set(
			panels.filter(({ hasCome }) => hasCome).map(({ panel }) => panel.localName),
		);
		return panels
			.filter(({ panel, hasCome }) => !hasCome && come.has(panel.localName))
			.map(({ each }) => each);
	};
	/** All that these elements are in, and they themselves. */
	const around = (elements: Element[]) => {
		const all = new Set<Element>();
		for (const each of elements) {
			let outer: Element | undefined = each;
			for (; outer && !all.has(outer); outer = parentOf(outer)) all.add(outer);
		}
		return all;
	};
	/** Whichever of them is open may have a class for that, and no other. */
	const areAlike = (panel: Element, other: Element) => {
		const [classes, others] = [own(panel).classList, own(other).classList];
		const isClass = classes.length > 0 && others.length > 0;
		const share = [...classes].some((name) => others.contains(name));
		return panel.localName === other.localName && (!isClass || share);
	};
	/** Those in an element that stand where this way leads, by what each on it is like; found once for all of a kind. */
	const keepAlikeIn = () => {
		const known = new Map<Element, Map<string, Element[]>>();
		const kindOf = (element: Element) =>
			JSON.stringify([element.localName, own(element).getAttribute('class')]);
		return (outer: Element, way: Element[]) => {
			const kind = way.map(kindOf).join();
			const inside = known.get(outer) ?? new Map<string, Element[]>();
			known.set(outer, inside);
			const alike =
				inside.get(kind) ??
				way.reduce(
					(found, next) =>
						found.flatMap((each) => [...own(each).children]).filter((each) => areAlike(each, next)),
					[outer],
				);
			inside.set(kind, alike);
			return alike;
		};
	};
	/** Those of its kind, each at the same place in what is around it, as in the sections of an accordion. */
	const groupOf = (panel: Element, alikeIn: ReturnType<typeof keepAlikeIn>) => {
		const way = [panel];
		for (const outer of outside(panel)) {
			const [top = panel] = way;
			if (top === document.body) break;
			if (alikeIn(outer, [top]).length > 1) return alikeIn(outer, way);
			way.unshift(outer);
		}
		return [panel];
	};
	/** Whether something else than these entries is said to show one of these panels. */
	const leadsElsewhere = (group: Element[], entries: Element[]) => {
		const names = new Set(group.flatMap(({ id }) => (typeof id === 'string' && id ? id : [])));
		if (names.size === 0) return false;
		const ways = ['aria-controls', 'href', 'data-bs-target', 'data-target'];
		return [...document.querySelectorAll(ways.map((way) => `[${way}]`).join())].some((each) => {
			const leadsTo = (way: string) =>
				names.has((own(each).getAttribute(way) ?? '').replace('#', ''));
			const isEntry = (entry: Element) => own(entry).contains(each) || own(each).contains(entry);
			return (
				ways.some(leadsTo) &&
				!entries.some(isEntry) &&
				!group.some((panel) => own(panel).contains(each))
			);
		});
	};
	return {
		areAlike,
		ofEntries(elements, isSeen, entriesNow) {
			const found = new Set<Element>();
			const groups = panelsOf(elements, isSeen);
			if (groups.length === 0) return found;
			const [entries, alikeIn] = [entriesNow(), keepAlikeIn()];
			const panels = new Set<Element>();
			// What is around another panel comes first.
			const sorted = groups
				.map(([outer, hidden]) => ({ hidden, depth: outside(outer).length }))
				.sort((one, other) => one.depth - other.depth);
			for (const { hidden } of sorted) {
				for (const [panel, inside] of hidden) {
					if (outside(panel).some((outer) => panels.has(outer))) continue;
					if (!panels.has(panel)) {
						const group = panel === inside[0] ? [] : groupOf(panel, alikeIn);
						if (group.length !== entries.length) continue;
						// One that no click has shown may be the entry's own, made by that.
						const isOneOpen = group.some((each) => !hidden.has(each) && canBeSeen(each));
						if (!isOneOpen || leadsElsewhere(group, entries)) continue;
						for (const each of group) panels.add(each);
					}
					for (const each of inside) found.add(each);
				}
			}
			return found;
		},
		note(elements, isSeen) {
			for (const each of elements) {
				for (const panel of hiddenAround(each)) if (isSeen(panel)) hiddenPanels.delete(panel);
				const panel = isSeen(each) ? each : panelOf(each, isSeen);
				if (panel !== each) hiddenPanels.add(panel);
			}
			for (const [outer, panels] of panelsOf(elements, isSeen)) {
				const kinds = new Set([...panels.keys()].map(({ localName }) => localName));
				for (const each of own(outer).children) {
					if (!kinds.has(each.localName)) continue;
					if (isSeen(each)) wereHidden.delete(each);
					else wereHidden.add(each);
				}
			}
		},
		among(elements, isSeen) {
			const holders = around(elements);
			const others = panelsOf(elements, isSeen).flatMap(([outer, panels]) => {
				const children = [...own(outer).children];
				const come = children.filter((each) => wereHidden.has(each) && isSeen(each));
				const kinds = new Set(come.map(({ localName }) => localName));
				const holding = children.filter((each) => holders.has(each));
				return [...panels].flatMap(([panel, inside]) => {
					const isLike = (each: Element) => each !== panel && each.localName === panel.localName;
					return kinds.has(panel.localName) && holding.some(isLike) ? inside : [];
				});
			});
			return new Set([...others, ...inHiddenPanels(elements, isSeen)]);
		},
	};
}
