import { readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { describeWithBrowser } from '../../support/service/browser';
import { useChromium } from '../../support/inProcess/chromium';
import { cloudClient } from '../../support/service/cloudClient';
import { consoleClient, visitConsole } from '../../support/service/console';
import { startService, type RunningService } from '../../support/inProcess/startService';
import { expectUsable, views } from '../../support/service/usable';

const listID = '11111111-1111-4111-8111-111111111111';
let service: RunningService;

beforeAll(async () => {
	service = await startService({
		env: { SERVICE_API_KEYS: 'test-key,another-key-of-the-settings' },
	});
});
afterAll(() => service?.stop());

type Visit = Awaited<ReturnType<typeof consoleClient>>;

/** Makes a key in the console, and resolves to the page that shows it once, and the key. */
async function makeKey(visit: Visit, name: string) {
	const answer = await visit('/console/keys', {
		method: 'POST',
		body: new URLSearchParams({ name }),
	});
	const shown = answer.headers.get('location');
	const page = await (shown === null ? answer : await visit(shown)).text();
	const [, key = ''] = /data-copy="([\w-]{32})" aria-label="Copy the new key"/.exec(page) ?? [];
	return { status: answer.status, page, key };
}

const accepts = async (apiKey: string, { baseUrl } = service) => {
	const { code } = await cloudClient({ baseUrl, apiKey }).call('/cloud/batches', {
		query: { taskID: listID, page: 1, size: 1, orderBy: 0 },
	});
	return code === 0;
};

/** Where the form that revokes the newest key is sent to. */
async function pathToRevoke(visit: Visit): Promise<string> {
	const page = await (await visit('/console/keys')).text();
	return /action="(\/console\/keys\/\d+\/revoke)"/.exec(page)?.[1] ?? '';
}

/** Revokes the newest key. */
async function revokeNewest(visit: Visit): Promise<void> {
	expect((await visit(await pathToRevoke(visit), { method: 'POST' })).status).toBe(303);
}

test('a key that is made counts at once, over a restart, and no more once it is revoked', async () => {
	const own = await startService();
	const visit = await consoleClient(own);
	const { key } = await makeKey(visit, 'n8n');
	expect(await accepts(key, own)).toBe(true);
	await own.end();
	const again = await startService({ folder: own.folder });
	expect(await accepts(key, again)).toBe(true);
	expect(await accepts('test-key', again)).toBe(true);
	await revokeNewest(await consoleClient(again));
	expect(await accepts(key, again)).toBe(false);
	expect(await accepts('test-key', again)).toBe(true);
	await again.stop();
});

test('a made key is shown once and kept as a hash only', async () => {
	const own = await startService();
	const visit = await consoleClient(own);
	const { key, page } = await makeKey(visit, '<b>n8n</b>');
	expect(page).toContain('&lt;b&gt;n8n&lt;/b&gt;');
	const later = await (await visit('/console/keys')).text();
	expect(later).not.toContain(key);
	expect(later).toContain(key.slice(-4));
	const stored = ['', '-wal']
		.map((end) => readFileSync(`${own.folder}/service.db${end}`, 'latin1'))
		.join('');
	expect(stored).toContain('n8n</b>');
	expect(stored).not.toContain(key);
	expect(JSON.stringify(own.log)).not.toContain(key);
	await own.stop();
});

test('a revoked key leaves nothing behind, also when it was used just before', async () => {
	const own = await startService();
	const visit = await consoleClient(own);
	const { key } = await makeKey(visit, 'n8n');
	await accepts(key, own);
	const path = await pathToRevoke(visit);
	await accepts(key, own);
	await visit(path, { method: 'POST' });
	expect(await (await visit('/console/keys')).text()).not.toContain('n8n</th>');
	await own.end();
	const database = new DatabaseSync(`${own.folder}/service.db`);
	for (const table of ['api_keys', 'api_key_uses']) {
		expect(database.prepare(`SELECT * FROM ${table}`).all()).toEqual([]);
	}
	database.close();
});

test('tells long keys by their last characters, and nothing of short ones', async () => {
	const visit = await consoleClient(service);
	const page = await (await visit('/console/keys')).text();
	const [short, long] = [...page.matchAll(/<code>(••••[^<]*)<\/code>/g)].slice(0, 2);
	expect([short?.[1], long?.[1]]).toEqual(['••••', '••••ings']);
	expect(page.split('>Created at start<')).toHaveLength(3);
	// Why there is no button to revoke them.
	expect(page.split('It stands in <code>SERVICE_API_KEYS</code>')).toHaveLength(3);
});

test('who only presses the button makes a key for n8n, and then another one', async () => {
	const own = await startService();
	const visit = await consoleClient(own);
	const filledIn = async () =>
		/id="name"[^>]*value="([^"]*)"/.exec(await (await visit('/console/keys')).text())?.[1];
	expect(await filledIn()).toBe('n8n');
	await makeKey(visit, 'n8n');
	expect(await filledIn()).toBe('n8n 2');
	await own.stop();
});

test('says of each key what it was last used for', async () => {
	const visit = await consoleClient(service);
	const { key } = await makeKey(visit, 'used');
	const before = await (await visit('/console/keys')).text();
	expect(before).toMatch(/used<\/th>[^]*?never/);
	await accepts(key);
	const after = await (await visit('/console/keys')).text();
	expect(after).toMatch(/used<\/th>[^]*?today[^]*?GET \/cloud\/batches/);
});

test('whoever came in by a key is out when it is revoked', async () => {
	const visit = await consoleClient(service);
	const { key } = await makeKey(visit, 'short-lived');
	const other = await consoleClient({ ...service, apiKey: key });
	expect((await other('/console/')).status).toBe(200);
	await revokeNewest(visit);
	expect((await other('/console/')).status).toBe(303);
	expect((await visit('/console/')).status).toBe(200);
});

test('loading the page of a new key again makes no second one, and shows it no more', async () => {
	const visit = await consoleClient(service);
	const name = 'made once';
	const body = new URLSearchParams({ name });
	const shown = (await visit('/console/keys', { method: 'POST', body })).headers.get('location');
	expect(await (await visit(shown ?? '')).text()).toContain('Copy it now');
	const again = await (await visit(shown ?? '')).text();
	expect(again).not.toContain('Copy it now');
	expect(again.split(`<th scope="row">${name}`)).toHaveLength(2);
});

test.each(['', '   '])('refuses the name "%s"', async (name) => {
	const visit = await consoleClient(service);
	const { status, page } = await makeKey(visit, name);
	expect(status).toBe(400);
	expect(page).toContain('Give the key a name');
});

test.each(['0', '99', '-1', 'x', '1%20or%201=1'])(
	'revoking the key %s changes nothing',
	async (id) => {
		const visit = await consoleClient(service);
		const { key } = await makeKey(visit, 'stays');
		expect((await visit(`/console/keys/${id}/revoke`, { method: 'POST' })).status).toBe(303);
		expect(await accepts(key)).toBe(true);
	},
);

describeWithBrowser('in a browser', () => {
	const browser = useChromium();

	test.each(views(2))(
		'%s, %i pixels wide: no finding of axe, nothing too wide, no error',
		async (colorScheme, width) => {
			const { page, complaints } = await visitConsole(browser(), service, { colorScheme, width });
			await page.goto('/console/keys');
			await page
				.getByLabel('New key for')
				.fill('a key with quite a long name, as people write them');
			await page.getByRole('button', { name: 'Create a key' }).click();
			await page.getByText('Copy it now').waitFor();
			await expectUsable({ page, complaints });
		},
	);

	test('by keyboard: a key is made, copied, tried and revoked', async () => {
		const { page, complaints } = await visitConsole(browser(), service);
		await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
		await page.goto('/console/keys');
		await page.getByLabel('New key for').focus();
		await page.keyboard.press('ControlOrMeta+a');
		await page.keyboard.type('my key');
		await page.keyboard.press('Enter');
		await page.getByRole('button', { name: 'Copy the new key' }).focus();
		await page.keyboard.press('Enter');
		await page.getByText('Copied').first().waitFor();
		const key = await page.evaluate<string>('navigator.clipboard.readText()');
		expect(await accepts(key)).toBe(true);

		const revoke = page.getByRole('button', { name: 'Revoke the key my key' });
		page.once('dialog', (dialog) => void dialog.dismiss());
		await revoke.focus();
		await page.keyboard.press('Enter');
		expect(await accepts(key)).toBe(true);
		page.once('dialog', (dialog) => void dialog.accept());
		await page.keyboard.press('Enter');
		await revoke.waitFor({ state: 'detached' });
		expect(await accepts(key)).toBe(false);
		expect(complaints).toEqual([]);
	});
});
