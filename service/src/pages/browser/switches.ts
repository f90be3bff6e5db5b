/// <reference lib="dom" />
import { z } from 'zod';
import type { DocumentState } from './documentState.ts';
import type { HandedElement } from './handedElement.ts';
import type { Switched } from '../page.ts';

// What a click switches on, the next one switches off: boxes, what says so of itself (aria-pressed and the
// like), and what opens (details, popovers).

const switchShape = z.object({
	/** As it is now: on is "true". */
	state: z.string(),
	/** By which what a click switches it back with is known: of radio buttons, the one that was on. */
	back: z.number(),
	/** Whether it shows something that is closed else. */
	opens: z.boolean(),
});

type Switch = z.output<typeof switchShape>;

/** A switch, as it was before something is done with it. */
export class WatchedSwitch {
	readonly #element: HandedElement;
	readonly #before: Switch;

	private constructor(element: HandedElement, before: Switch) {
		this.#element = element;
		this.#before = before;
	}

	/** Of what an element switches; undefined if nothing, or if its page is gone. */
	static async of(element: HandedElement): Promise<WatchedSwitch | undefined> {
		const before = await switchOf(element);
		return before && new WatchedSwitch(element, before);
	}

	/** Whether it was on. */
	get wasOn(): boolean {
		return this.#before.state !== 'false';
	}

	/** Whether it chooses something, and does not only show it. */
	get isChoice(): boolean {
		return !this.#before.opens;
	}

	/** Whether it has been switched on or off since then. */
	async switched(): Promise<Switched> {
		const state = (await switchOf(this.#element))?.state;
		return state === undefined || state === this.#before.state ? undefined : state !== 'false';
	}

	/** Brings it back to what it was. */
	async undo(): Promise<void> {
		if ((await this.switched()) === undefined) return;
		await this.#element.ask(pressAgain, { back: this.#before.back });
	}
}

async function switchOf(element: HandedElement): Promise<Switch | undefined> {
	const found = await element.ask(findSwitch, {}).catch(() => null);
	return switchShape.nullable().parse(found) ?? undefined;
}

/**
 * Runs in the page, so it can use nothing that is outside of it. What switches back is looked for when it is to do so: the
 * page may have made it anew meanwhile, as a filter whose boxes come with each answer.
 */
function findSwitch({ own, taken, hand }: DocumentState, { handed }: { handed: number }): unknown {
	const element = taken(handed);
	const boxNow = () => own(taken(handed)).closest('label')?.control ?? taken(handed);
	const box = boxNow();
	if (box instanceof HTMLInputElement && /^(checkbox|radio)$/.test(box.type)) {
		const radios = (near: Element) =>
			near instanceof HTMLInputElement && near.type === 'radio'
				? [...own(near.form ?? document).querySelectorAll('input')].filter(
						({ type, name }) => type === 'radio' && name === near.name,
					)
				: [];
		const other = radios(box).find(({ checked }) => checked);
		const back = hand(() => {
			const now = boxNow();
			return (other && radios(now).find(({ value }) => value === other.value)) ?? now;
		});
		return { state: String(box.checked), back, opens: false };
	}
	const back = hand(() => taken(handed));
	const details = own(element).closest('summary')?.parentElement;
	if (details instanceof HTMLDetailsElement)
		return { state: String(details.open), back, opens: true };
	const popover = own(element).closest('button')?.popoverTargetElement;
	if (popover) {
		return { state: String(own(popover).matches(':popover-open')), back, opens: true };
	}
	const names = ['aria-checked', 'aria-pressed', 'aria-expanded'];
	// A list of choices is clicked where it is drawn; what says that it is open stands in that.
	const [combobox, ...others] = own(element).querySelectorAll('[role="combobox"], a[href]');
	const around = own(element).closest(names.map((name) => `[${name}]`).join());
	const said = around ?? (others.length === 0 ? combobox : undefined);
	const name = names.find((each) => said && own(said).hasAttribute(each));
	if (!said || !name) return null;
	return { state: own(said).getAttribute(name), back, opens: name === 'aria-expanded' };
}

/** By script, because many are hidden behind what is drawn for them. */
function pressAgain({ taken }: DocumentState, { back }: { back: number }): void {
	const element = taken(back);
	// No radio button was on.
	if (element instanceof HTMLInputElement && element.type === 'radio' && element.checked) {
		element.checked = false;
	} else if (element instanceof HTMLElement) element.click();
}
