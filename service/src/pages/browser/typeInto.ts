/// <reference lib="dom" />
import type { ElementHandle } from 'playwright-core';

/** What was typed, and what stood there before. */
export interface Typed {
	field: ElementHandle;
	isSelect: boolean;
	before: string;
}

/** Types a text into a field in the place of what it holds, or chooses the option of that name. */
export async function typeInto(
	field: ElementHandle<Element>,
	text: string,
	timeout: number,
): Promise<Typed> {
	const isSelect = await field.evaluate((element) => element.localName === 'select');
	const before = await field.evaluate((element) =>
		'value' in element && typeof element.value === 'string' ? element.value : '',
	);
	if (isSelect) await field.selectOption(text, { timeout });
	else await field.fill(text, { timeout });
	return { field, isSelect, before };
}

/** Scripts may have taken the field away: then there is nothing to undo. */
export async function undo({ field, isSelect, before }: Typed, timeout: number): Promise<void> {
	const undone = isSelect
		? field.selectOption(before, { timeout, force: true })
		: field.fill(before, { timeout, force: true });
	await undone.catch(() => undefined);
}
