import type { Locator, Page } from 'playwright-core';
import { comesWithinMs } from './browser';
import { canvasNode } from './editor';

/** Opens a node of the canvas: its parameters, with what comes in and goes out beside them. */
export async function openNode(page: Page, name: string): Promise<void> {
	await canvasNode(page, name).dblclick();
	await page.getByTestId('node-parameters').waitFor();
}

export async function closeNode(page: Page): Promise<void> {
	await page.getByTestId('ndv-close-button').click();
	await page.getByTestId('ndv').waitFor({ state: 'detached' });
}

/** The display names of all parameters that can be seen, from top to bottom. */
export async function parameterNames(page: Page): Promise<string[]> {
	const labels = page.getByTestId('node-parameters').locator('label').filter({ visible: true });
	const texts = await labels.allInnerTexts();
	// Behind the name are the words of its buttons.
	return texts.map((text) => text.split('\n')[0].trim());
}

/** The field of a parameter, by its internal name. */
export function parameter(page: Page, name: string): Locator {
	return page.getByTestId('node-parameters').getByTestId(`parameter-input-${name}`);
}

/** Types and leaves the field: its tip about expressions would lie over what is below. */
export async function typeInto(page: Page, name: string, text: string): Promise<void> {
	const field = parameter(page, name).locator('input, textarea').last();
	await field.fill(text);
	await field.blur();
}

/** Switches a yes or no over. */
export async function switchOver(page: Page, name: string): Promise<void> {
	await parameter(page, name).locator('.el-switch').click();
}

/** Opens a dropdown and waits for what it offers. */
export async function openOptions(page: Page, name: string): Promise<void> {
	await parameter(page, name).click();
	await page.getByRole('option').filter({ visible: true }).first().waitFor();
}

/** Chooses from a dropdown what has this display name. */
export async function choose(page: Page, name: string, option: string): Promise<void> {
	await openOptions(page, name);
	await offered(page, option).click();
	await offered(page, option).waitFor({ state: 'hidden' });
}

const entryWithinMs = 5_000;

/**
 * Adds an entry to a list of the node's parameters, such as "Add Step Value". On a busy machine the
 * editor still settles when a node has just been opened, and may drop a choice: then once more.
 */
export async function addEntry(page: Page, button: string, kind: string): Promise<void> {
	const parameters = page.getByTestId('node-parameters');
	const entry = parameters.getByText(kind, { exact: true });
	for (let tries = 1; tries <= 3 && !(await entry.isVisible()); tries++) {
		await parameters.getByPlaceholder(button).click();
		await offered(page, kind).click();
		await entry.waitFor({ timeout: entryWithinMs }).catch(() => undefined);
	}
	await entry.waitFor();
}

/** An option of the dropdown that is open; some have a description below their name. */
function offered(page: Page, name: string): Locator {
	const options = page.getByRole('option').filter({ visible: true });
	return options.filter({ has: page.getByText(name, { exact: true }) });
}

/** Opens the dropdown of the batches and returns what it offers. */
export async function openBatches(page: Page): Promise<string[]> {
	await page.getByTestId('rlc-input-container').click();
	await page.getByTestId('rlc-item').first().waitFor();
	return await page.getByTestId('rlc-item').allInnerTexts();
}

export async function pickBatch(page: Page, label: string): Promise<void> {
	await page.getByTestId('rlc-item').getByText(label, { exact: true }).click();
}

/** Runs the open node and waits for its output. */
export async function executeNode(page: Page): Promise<void> {
	await page.getByTestId('node-execute-button').click();
	const count = page.getByTestId('output-panel').getByTestId('run-data-item-count');
	await count.waitFor({ timeout: comesWithinMs });
}

/** The table of the output panel: its column names and the cells of its first page. */
export async function outputTable(page: Page): Promise<{ columns: string[]; rows: string[][] }> {
	const table = page.getByTestId('output-panel').locator('table');
	await table.locator('tbody td').first().waitFor();
	const columns = (await table.locator('thead th').allInnerTexts()).map((text) => text.trim());
	const lines = await table.locator('tbody tr').all();
	const rows = await Promise.all(lines.map((line) => line.locator('td').allInnerTexts()));
	return { columns, rows };
}
