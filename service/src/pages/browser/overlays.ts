/// <reference lib="dom" />
/// <reference lib="dom.iterable" />

/** A point of what is seen of a page. */
interface Point {
	x: number;
	y: number;
}

/** What comes over a page by itself, as a question about a newsletter does, whether it says that it is a dialog or not. */
export interface Overlays {
	/** A press on an element that was handed would come down here on something else. */
	note: (handed: number, element: Element, point: Point) => void;
	/** Whether that is fixed there, and has come since the page has. */
	isOver: (handed: number) => boolean;
	/** Where a press closes it: on what says so, and neither leads elsewhere nor sends a form. */
	exit: (handed: number) => Point | undefined;
}

/** Runs in a document, so it can use nothing that is outside of it. */
export function keepOverlays(own: <Target extends Node>(node: Target) => Target): Overlays {
	const controls = 'a, button, input, [role=button]';
	const crosses = /[×✕✖✗✘⨯⨉╳❌❎]/gu;
	const closing =
		/^(x|(close|dismiss)( (this|the|dialog|pop-?up|modal|window|overlay|banner|message|newsletter))*|not now|maybe later|no,? thank(s|\s?you)(?!\p{L}).*|((fenster|dialog|popup) )?schlie(ß|ss)en|nein,? danke|nicht jetzt|fermer|non,? merci|plus tard|cerrar|no,? gracias|ahora no|chiudi|no,? grazie|non ora|fechar|não,? obrigad[oa]|agora não|sluiten|nee,? (bedankt|dank je)|niet nu|zamknij|nie,? dziękuję|stäng|nej,? tack?|lukk?|nei,? takk|zavřít|ne,? děkuji|закрыть|нет,? спасибо|не сейчас|关闭|閉じる|닫기)$/iu;
	/** Of what has no words: names that a page's author gives, such as btn-close or closeButton. */
	const closer =
		/(^|[-_])(close|dismiss)([-_]*(btn|button|icon|link|x|modal|popup|overlay|banner|dialog))?$/i;

	/** Elements that were fixed when the page came. */
	const known = new WeakSet<Element>();
	let noted: { handed: number; element: Element; point: Point } | undefined;

	/** The innermost, also of what elements of a page's own (custom elements) are made of. */
	const at = ({ x, y }: Point) => {
		const seen = new Set<Element>();
		let hit = document.elementFromPoint(x, y);
		while (hit && !seen.has(hit)) {
			seen.add(hit);
			const root: ShadowRoot | null = own(hit).shadowRoot;
			hit = root?.elementFromPoint(x, y) ?? hit;
		}
		return hit;
	};
	const parentOf = (element: Element) => {
		const root = own(element).getRootNode();
		return own(element).parentElement ?? (root instanceof ShadowRoot ? root.host : null);
	};
	const isFixed = (element: Element) => getComputedStyle(element).position === 'fixed';
	/** From the innermost. */
	const around = (element: Element | null, outside?: Element): Element[] => {
		if (!element || (outside && own(element).contains(outside))) return [];
		return [element, ...around(parentOf(element), outside)];
	};
	addEventListener('load', () => {
		const parts = [0.02, 0.25, 0.5, 0.75, 0.98];
		for (const x of parts)
			for (const y of parts) {
				const hit = at({ x: x * innerWidth, y: y * innerHeight });
				for (const each of around(hit).filter(isFixed)) known.add(each);
			}
	});

	/** The whole of what covers an element. */
	const coverOf = (handed: number) => {
		if (noted?.handed !== handed) return undefined;
		const cover = around(at(noted.point), noted.element).filter(isFixed).at(-1);
		return cover && !known.has(cover) ? cover : undefined;
	};
	const saysClose = (element: Element) => {
		const attributes = ['aria-label', 'title', 'value'].map((name) =>
			own(element).getAttribute(name),
		);
		const labels = [...attributes, own(element).textContent]
			.map((label) => label?.replace(/\s+/g, ' ').trim() ?? '')
			.filter((label) => label !== '');
		const words = labels.map((label) => label.replace(crosses, '').trim());
		if (labels.length > 0) return words.some((label) => label === '' || closing.test(label));
		return [...own(element).classList].some((name) =>
			closer.test(name.replace(/(?<=[a-z])(?=[A-Z])/g, '-')),
		);
	};
	const isHarmless = (named: Element) => {
		// A press on a label is one on what it names.
		const label = own(named).closest('label');
		const control = label ? own(label).control : named;
		if (!control) return true;
		const link = own(control).closest('a[href]');
		const href = (link && own(link).getAttribute('href')) ?? '#';
		if (!/^(#[\w-]*|javascript:.*)$/i.test(href.trim())) return false;
		if (control instanceof HTMLInputElement) return own(control).type === 'button';
		if (!(control instanceof HTMLButtonElement)) return true;
		const { form, type } = own(control);
		return !form || type === 'button' || own(form).method === 'dialog';
	};
	/** Where a press reaches it. */
	const reached = (control: Element): Point | undefined => {
		const { left, top, width, height } = own(control).getBoundingClientRect();
		const point = { x: left + width / 2, y: top + height / 2 };
		const hit = at(point);
		return around(hit).includes(control) ? point : undefined;
	};
	return {
		note(handed, element, point) {
			noted = { handed, element, point };
		},
		isOver: (handed) => coverOf(handed) !== undefined,
		exit(handed) {
			const cover = coverOf(handed);
			if (!cover) return undefined;
			// A backdrop may stand beside what it is that of.
			const beside = [...(own(cover).parentElement?.children ?? [])].filter(
				(each) =>
					each !== cover &&
					around(each, noted?.element).length > 0 &&
					isFixed(each) &&
					!known.has(each),
			);
			for (const overlay of [cover, ...beside]) {
				// What is inside of others comes before them.
				for (const element of [...own(overlay).querySelectorAll('*')].toReversed()) {
					// What has others in it says what these say.
					if (own(element).querySelector(controls) || !saysClose(element)) continue;
					const control = own(element).closest(controls) ?? element;
					const point = isHarmless(control) && reached(control);
					if (point) return point;
				}
			}
			return undefined;
		},
	};
}
