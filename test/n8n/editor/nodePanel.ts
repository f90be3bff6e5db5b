import type { Page } from 'playwright-core';

/** Opens the panel in which nodes are searched; in an empty workflow it shows triggers first. */
export async function openNodePanel(page: Page): Promise<void> {
	const buttons = page.getByTestId('canvas-plus-button');
	await buttons.or(page.getByTestId('node-creator-plus-button')).first().click();
	await page.getByTestId('node-creator-search-bar').waitFor();
}

/** Types into the panel's search and waits for the node among its results. */
export async function searchNode(page: Page, query: string, node: string): Promise<void> {
	// What an earlier search has found must not count.
	await page.getByTestId('node-creator-search-bar').fill('');
	await entry(page, node).waitFor({ state: 'detached' });
	await page.getByTestId('node-creator-search-bar').fill(query);
	await entry(page, node).waitFor();
}

/** Opens the list of what a node of the search results can do. */
export async function openActions(page: Page, node: string): Promise<void> {
	await entry(page, node).click();
	// The results slide out while the actions slide in.
	await entry(page, node).waitFor({ state: 'detached' });
}

/** Adds the node to the workflow, set to the action, and opens it. */
export async function chooseAction(page: Page, action: string): Promise<void> {
	await entry(page, action).click();
	await page.getByTestId('node-parameters').waitFor();
}

/** The names of what the panel shows: nodes, or the actions of one. */
export async function entries(page: Page): Promise<string[]> {
	return await page.getByTestId('node-creator-item-name').allInnerTexts();
}

/** What the panel says below the name of a node. */
export async function descriptionOf(page: Page, name: string): Promise<string> {
	const item = page.getByTestId('item-iterator-item').filter({ has: entry(page, name) });
	return await item.getByTestId('node-creator-item-description').first().innerText();
}

function entry(page: Page, name: string) {
	return page.getByTestId('node-creator-item-name').getByText(name, { exact: true });
}
