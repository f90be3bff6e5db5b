/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import type { DocumentState } from './documentState.ts';
import type { OpenedTab } from './openedTab.ts';

/** Whether people see a field for a password on the open page. */
export async function asksPassword({ world }: OpenedTab): Promise<boolean> {
	return (await world.call(seesPasswordField, undefined)) === true;
}

/** Runs in the page, so it can use nothing that is outside of it. */
function seesPasswordField({ seenAt }: DocumentState): boolean {
	const fields = document.querySelectorAll('input[type="password" i]');
	return [...fields].some((field) => seenAt(field) !== undefined);
}
