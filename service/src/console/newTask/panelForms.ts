import { html, type Html } from '../../text/html.ts';
import type { PickerSession } from '../../picker/session.ts';
import type { Aim } from '../../picker/state.ts';

/** Where a session is looked at. */
export function sessionPath({ id }: Pick<PickerSession, 'id'>): string {
	return `/console/new/${id}`;
}

/** Where it is said what a person has done. */
export function actAddress(session: PickerSession): string {
	return `${sessionPath(session)}/act`;
}

/** A form that takes effect with each change, unless another `trigger` is named. */
export function changeForm(
	session: PickerSession,
	action: string,
	content: Html,
	trigger = 'change, submit',
): Html {
	return html`<form
		method="post"
		action="${actAddress(session)}"
		hx-post="${actAddress(session)}"
		hx-target="#panel"
		hx-swap="outerMorph"
		hx-include="#draft"
		hx-trigger="${trigger}"
		data-comes-back
	>
		<input type="hidden" name="action" value="${action}" />
		${content}
	</form>`;
}

/** What few people ask for. */
export function selectorOf(
	{ showsSelectors }: PickerSession,
	selector: string | undefined,
): Html | false {
	return showsSelectors && html`<code>${selector ?? 'the entry'}</code>`;
}

/** Says what is pointed at next; pressed while that is so. */
export function aimButton(session: PickerSession, aim: Aim, text: string): Html {
	const isOn = session.aim === aim && session.shown === 'list';
	return actionButton(session, { action: 'aim', aim }, text, { isOn });
}

/** Takes back what was pointed at. */
export function forgetButton(session: PickerSession, what: string, text: string): Html {
	return actionButton(session, { action: 'forget', what }, text, { label: `${text}: ${what}` });
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
	session: PickerSession,
	values: Record<string, string>,
	text: string,
	{ label = text, id, isOn, isOff, indicator }: ButtonState = {},
): Html {
	// Without htmx, as in the moment before it has begun, the button sends an empty form.
	const address = `${actAddress(session)}?${new URLSearchParams(values).toString()}`;
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
		hx-include="#draft"
		${indicator !== undefined && html`hx-indicator="${indicator}"`}
	>
		${text}
	</button>`;
}
