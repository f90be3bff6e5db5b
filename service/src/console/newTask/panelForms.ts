import { html, type Html } from '../../text/html.ts';
import type { Aim, Pointing } from './pointings.ts';

/** Where it is said what a person has done. */
export function actAddress({ id }: Pointing): string {
	return `/console/new/${id}/act`;
}

/** A form that takes effect with each change. */
export function changeForm(pointing: Pointing, action: string, content: Html): Html {
	return html`<form
		method="post"
		action="${actAddress(pointing)}"
		hx-post="${actAddress(pointing)}"
		hx-target="#panel"
		hx-swap="outerMorph"
		hx-trigger="change, submit"
		data-comes-back
	>
		<input type="hidden" name="action" value="${action}" />
		${content}
	</form>`;
}

/** What few people ask for. */
export function selectorOf(
	{ showsSelectors }: Pointing,
	selector: string | undefined,
): Html | false {
	return showsSelectors && html`<code>${selector ?? 'the entry'}</code>`;
}

/** Says what is pointed at next; pressed while that is so. */
export function aimButton(pointing: Pointing, aim: Aim, text: string): Html {
	const isOn = pointing.aim === aim && pointing.shown === 'list';
	return actionButton(pointing, { action: 'aim', aim }, text, { isOn });
}

/** Takes back what was pointed at. */
export function forgetButton(pointing: Pointing, what: string, text: string): Html {
	return actionButton(pointing, { action: 'forget', what }, text, { label: `${text}: ${what}` });
}

interface ButtonState {
	label?: string;
	/** Keeps the focus on the button wherever it comes to stand. */
	id?: string;
	isOn?: boolean;
	isOff?: boolean;
	/** The selector of what is shown while it is done. */
	indicator?: string;
}

/** Does something to a draft; `label`: its name for those who do not see where it stands. */
export function actionButton(
	pointing: Pointing,
	values: Record<string, string>,
	text: string,
	{ label = text, id, isOn, isOff, indicator }: ButtonState = {},
): Html {
	// Without htmx, as in the moment before it has begun, the button sends an empty form.
	const address = `${actAddress(pointing)}?${new URLSearchParams(values).toString()}`;
	return html`<button
		form="act"
		${id !== undefined && html`id="${id}"`}
		formaction="${address}"
		aria-label="${label}"
		${isOn !== undefined && html`aria-pressed="${String(isOn)}"`}
		${isOff && html`disabled`}
		hx-post="${address}"
		hx-target="#panel"
		hx-swap="outerMorph"
		${indicator !== undefined && html`hx-indicator="${indicator}"`}
	>
		${text}
	</button>`;
}
