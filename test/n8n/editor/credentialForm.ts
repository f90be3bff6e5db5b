import type { Locator, Page } from 'playwright-core';
import type { ServiceAccess } from '../../support/n8n/n8n';

/** Opens the form of a new credential from the node that is open. */
export async function openNewCredential(page: Page): Promise<void> {
	await page.getByTestId('node-credentials-select').click();
	await page.getByTestId('node-credentials-select-item-new').filter({ visible: true }).click();
	await form(page).waitFor();
}

/** The same where none is stored yet: then there is a button in the place of the list. */
export async function openFirstCredential(page: Page): Promise<void> {
	await page.getByRole('button', { name: 'Connect to Cloud Scraping' }).click();
	await form(page).waitFor();
}

/** Chooses a stored credential for the node that is open. */
export async function chooseCredential(page: Page, name: string): Promise<void> {
	await page.getByTestId('node-credentials-select').click();
	await page.getByRole('option', { name }).filter({ visible: true }).click();
}

/** Fills the form and saves it; n8n then tests the credential. */
export async function saveCredential(
	page: Page,
	{ baseUrl, apiKey }: ServiceAccess,
): Promise<void> {
	await enter(page, 'baseUrl', baseUrl);
	await enter(page, 'apiKey', apiKey);
	await form(page).getByTestId('credential-save-button').getByRole('button').click();
}

/** Waits until the test has passed: then n8n closes the form of a new credential. */
export async function credentialAccepted(page: Page): Promise<void> {
	await form(page).waitFor({ state: 'detached' });
}

/** Opens the form of the credential that the open node has. */
export async function openCredential(page: Page): Promise<void> {
	await page.getByTestId('credential-edit-button').click();
	await form(page).getByTestId('credentials-config-container-test-success').waitFor();
}

/** Waits until the test has failed, and returns what n8n says about it, with the cause. */
export async function credentialRefused(page: Page): Promise<string> {
	// n8n shows the cause on demand only.
	await form(page).getByText('More details').click();
	return await form(page).getByTestId('node-credentials-config-container').innerText();
}

export async function closeCredential(page: Page): Promise<void> {
	await form(page).getByRole('button', { name: 'Close this dialog' }).click();
	await form(page).waitFor({ state: 'detached' });
}

/** Leaves the field after typing: n8n takes over a value then at once, and with a delay before. */
async function enter(page: Page, name: string, text: string): Promise<void> {
	const field = form(page).getByTestId(`parameter-input-${name}`).locator('input');
	await field.fill(text);
	await field.press('Tab');
}

function form(page: Page): Locator {
	return page.getByTestId('editCredential-modal');
}
