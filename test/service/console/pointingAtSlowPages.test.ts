import { testAtLength } from '../../support/length';
import { describeWithBrowser } from '../../support/service/browser';
import { useChromium } from '../../support/inProcess/chromium';
import { consoleClient, visitConsole } from '../../support/service/console';
import { openToPoint } from '../../support/service/pointing';
import { useSiteAndService } from '../../support/inProcess/siteAndService';

// Pages that take long, or are too large, to be pointed at.

const list = '<ul><li class="pen"><b>One</b></li><li class="pen"><b>Two</b></li></ul>';

/** Lets a slow page come. */
let release = Promise.withResolvers<undefined>();

const { site, service } = useSiteAndService(async ({ url, closed }) => {
	if (url.pathname === '/hang.png') await closed;
	if (url.pathname === '/slow') {
		await release.promise;
		return `<title>Pens</title><ul></ul><script>document.querySelector('ul').innerHTML = '${list}'</script>`;
	}
	if (url.pathname === '/large')
		return '<i>'.repeat(500) + '</i>'.repeat(500) + '<br>'.repeat(500_001);
	const hanging = Array.from(
		{ length: url.pathname === '/pictures' ? 40 : 1 },
		(_, number) => `<img src="/hang.png?${number}">`,
	);
	return `<title>Pens</title>${hanging.join('')}${list}`;
});

test('a page of too many elements is told in words, and its address stays', async () => {
	const visit = await consoleClient(service);
	const url = `${site.baseUrl}/large`;
	const answer = await visit('/console/new', {
		method: 'POST',
		body: new URLSearchParams({ url, page: 'http' }),
	});
	expect(answer.status).toBe(400);
	const said = await answer.text();
	expect(said).toContain('The page has more than 500,000 elements, too many to be read. Look for');
	expect(said).toContain(`value="${url}"`);
});

describeWithBrowser('in a browser', () => {
	const browser = useChromium();

	test('a picture that hangs holds up nothing', async () => {
		const { page } = await visitConsole(browser(), service);
		// The service gives it up after three seconds.
		await page.route(/hang\.png/, () => undefined);
		const { pointAtList } = await openToPoint(page, site.baseUrl);
		await pointAtList('One', 'Two');
		await page.getByText('2 entries').first().waitFor();
		// The picture is still waited for by the browser.
		expect(await page.frames()[1]?.evaluate<string>('document.readyState')).toBe('interactive');
	});

	test('pictures that hang hold up nothing, however many', async () => {
		const { page } = await visitConsole(browser(), service);
		const { pointAtList } = await openToPoint(page, `${site.baseUrl}/pictures`);
		await pointAtList('One', 'Two');
		await page.getByText('2 entries').first().waitFor();
	});

	test('that a page is being opened is said at once, as plain HTML and in a browser', async () => {
		const { page } = await visitConsole(browser(), service);
		// While the next page is asked for, nothing can be asked of this one: it tells by itself.
		let opening = Promise.withResolvers<unknown>();
		await page.exposeFunction('tell', () => opening.resolve(undefined));
		await page.addInitScript({
			content: `setInterval(() => {
				const isSaid = (said) => said.checkVisibility() && said.textContent.includes('Opening …');
				if ([...document.querySelectorAll('[role=status]')].some(isSaid)) tell();
			}, 20)`,
		});
		await page.goto('/console/new');
		await page.getByLabel('Address of the page').fill(`${site.baseUrl}/slow`);
		await page.getByRole('button', { name: 'Open' }).click({ noWaitAfter: true });
		await opening.promise;
		release.resolve(undefined);
		const again = page.getByRole('button', { name: 'Open this page in a browser' });
		await again.waitFor();
		release = Promise.withResolvers();
		opening = Promise.withResolvers();
		await again.click({ noWaitAfter: true });
		await opening.promise;
		release.resolve(undefined);
		// A browser begins and opens it.
		await page.getByText('Opening …').waitFor({ state: 'hidden', timeout: 60_000 });
	});

	testAtLength(
		'what is waited for is said: the page, and what takes long to be found',
		async () => {
			const { page } = await visitConsole(browser(), service);
			const released = Promise.withResolvers<undefined>();
			await page.route('**/frame/list', async (route) => {
				await released.promise;
				await route.continue();
			});
			await page.goto('/console/new');
			await page.getByLabel('Address of the page').fill(site.baseUrl);
			await page.getByRole('button', { name: 'Open' }).click({ noWaitAfter: true });
			const said = page.locator('#pointed');
			await said.getByText('Waiting for the page …').waitFor();
			released.resolve(undefined);
			await page.locator('#pad[aria-busy="false"]').waitFor();
			expect(await said.textContent()).not.toContain('Waiting');

			const answered = Promise.withResolvers<undefined>();
			await page.route('**/act*', async (route) => {
				await answered.promise;
				await route.continue();
			});
			await page.frameLocator('#frame').getByText('One').click();
			await said.getByText('Working on it …').waitFor();
			expect(await page.locator('#pad').getAttribute('aria-busy')).toBe('true');
			answered.resolve(undefined);
			await said.getByText('the same thing in another entry').waitFor();
		},
	);
});
