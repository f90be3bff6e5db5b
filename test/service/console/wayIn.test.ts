import { describeWithBrowser } from '../../support/service/browser';
import { newContext, useChromium } from '../../support/inProcess/chromium';
import { visitConsole } from '../../support/service/console';
import { startService, type RunningService } from '../../support/inProcess/startService';
import { startSite } from '../../support/service/startSite';
import { axeFindings, expectUsable } from '../../support/service/usable';

let service: RunningService;
let site: Awaited<ReturnType<typeof startSite>>;

describeWithBrowser('the way into the console, in a browser', () => {
	const browser = useChromium();
	beforeAll(async () => {
		service = await startService();
		const way = service.consoleLink;
		const { baseUrl } = service;
		site = await startSite(() => ({
			body: `<!doctype html><title>n8n</title>
				<a href="${way}">The link of the start</a> <a href="${baseUrl}/console/keys">Keys</a>
				<iframe src="${baseUrl}/console/"></iframe>
				<form method="post" action="${baseUrl}/console/keys"><input name="name" value="evil"><button>Send</button></form>`,
		}));
	});
	afterAll(async () => {
		await site?.stop();
		await service?.stop();
	});

	/** The page of another site: `localhost` is another one than `127.0.0.1`. */
	const otherSite = () => site.baseUrl.replace('127.0.0.1', 'localhost');

	test('the link of the start works from a page of another site, and later links find who is in', async () => {
		const context = await newContext(browser());
		const page = await context.newPage();
		await page.goto(otherSite());
		await page.getByRole('link', { name: 'The link of the start' }).click();
		await page.getByRole('heading', { name: 'Tasks' }).waitFor();
		expect(new URL(page.url()).search).toBe('');
		await page.goto(otherSite());
		await page.getByRole('link', { name: 'Keys' }).click();
		await page.getByRole('heading', { name: 'Keys', exact: true }).waitFor();
		const [cookie] = await context.cookies();
		expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict' });
	});

	test('nobody who is not in gets past a link on another site', async () => {
		const page = await (await newContext(browser())).newPage();
		await page.goto(otherSite());
		await page.getByRole('link', { name: 'Keys' }).click();
		await page.getByRole('heading', { name: 'Sign in' }).waitFor();
	});

	test.each([
		['another site', () => otherSite()],
		['another port of the same host', () => site.baseUrl],
	])('a page of %s can neither frame the console nor send its forms', async (_name, address) => {
		const { page } = await visitConsole(browser(), service);
		await page.goto(address());
		const [, frame] = page.frames();
		await frame?.waitForURL('chrome-error://chromewebdata/');
		await page.getByRole('button', { name: 'Send' }).click();
		await page.getByText('change nothing here').waitFor();
		await page.goto(`${service.baseUrl}/console/keys`);
		expect(await page.getByText('evil').count()).toBe(0);
	});

	test.each([
		['light', 400],
		['dark', 1400],
	] as const)('%s, %i pixels wide: signing in by keyboard', async (colorScheme, width) => {
		const context = await newContext(browser(), { colorScheme, viewport: { width, height: 800 } });
		const page = await context.newPage();
		await page.goto(`${service.baseUrl}/console/keys`);
		await expectUsable({ page });
		await page.keyboard.type('wrong');
		await page.keyboard.press('Enter');
		await page.getByRole('alert').waitFor();
		expect(await axeFindings(page)).toEqual([]);
		await page.keyboard.type(service.apiKey);
		await page.keyboard.press('Enter');
		await page.getByRole('heading', { name: 'Keys', exact: true }).waitFor();
		await page.getByRole('button', { name: 'Sign out' }).press('Enter');
		await page.getByRole('heading', { name: 'Sign in' }).waitFor();
		await page.goto(`${service.baseUrl}/console/`);
		await page.getByRole('heading', { name: 'Sign in' }).waitFor();
	});
});
