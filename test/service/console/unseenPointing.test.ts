import { describeWithBrowser } from '../../support/service/browser';
import { useChromium } from '../../support/inProcess/chromium';
import { visitConsole } from '../../support/service/console';
import { openToPoint } from '../../support/service/pointing';
import { startService } from '../../support/inProcess/startService';
import {
	startSite,
	type Site,
	type SiteAnswer,
	type SiteRequest,
} from '../../support/service/startSite';

/** Styles by which a page would tell its site where the mouse is, and what was pointed at. */
const spying = (name: string) => `
	#${name}:hover { background-image: url(/told/hover) }
	#${name}:hover::after { content: image-set("/told/set" 1x) }
	#${name}[data-pointing-mark] { background: u\\72l("/told/mark"); --a: url(/told/property) }
	#${name}:hover { cursor: url(/told/cursor), auto; list-style: url('/told/list') }
	#${name} img { display: none } #${name}:hover img { display: block }
	#${name} td { display: none } #${name}:hover td { display: block }
	@font-face { font-family: told; src: url(/told/font) } #${name}:hover { font-family: told }`;

const page = `<!doctype html><title>Spy</title><link rel="stylesheet" href="/linked.css">
	<style>@import url(/told/import); ${spying('inline')}</style>
	<div id="inline" style="color: rgb(1, 2, 3)">Inline <img loading="lazy" src="/told/lazy"><table><td background="/told/cell">x</table></div>
	<div id="linked">Linked</div><p style="background: url(/told/style)">Plain</p>`;

describeWithBrowser('pointing at a page', () => {
	const browser = useChromium();

	test('tells its site nothing of what is pointed at, and shows it in its own styles', async () => {
		const site = await startSite(({ url }) => {
			if (url.pathname === '/') return page;
			if (url.pathname !== '/linked.css') return { status: 404 };
			const body = `@import "/told/linked-import"; #linked { color: rgb(4, 5, 6) } ${spying('linked')}`;
			return { headers: { 'content-type': 'text/css' }, body };
		});
		const service = await startService({ tasks: {} });
		const visitor = await visitConsole(browser(), service);
		const { frame } = await openToPoint(visitor.page, site.baseUrl);
		const colour = (id: string) =>
			visitor.page
				.frames()[1]
				?.evaluate<string>(`getComputedStyle(document.querySelector('${id}')).color`);
		expect(await colour('#inline')).toBe('rgb(1, 2, 3)');
		expect(await colour('#linked')).toBe('rgb(4, 5, 6)');
		const told = () =>
			site.requests.map(({ url }) => url.pathname).filter((path) => path.startsWith('/told'));
		// All pictures are loaded at once, whether they are seen or not.
		await expect.poll(told).toEqual(['/told/lazy']);
		for (const id of ['#inline', '#linked']) {
			const position = { x: 5, y: 5 };
			await frame.locator(id).hover({ position });
			await frame.locator(`${id}[data-pointing-mark~="at"]`).waitFor();
			await frame.locator(id).click({ position });
		}
		expect(told()).toEqual(['/told/lazy']);
		expect(site.requests.filter(({ url }) => url.pathname === '/linked.css')).toHaveLength(1);
		await service.stop();
		await site.stop();
	});

	test('shows its pictures without a request of the person for them', async () => {
		const picture = '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30"/>';
		const answer =
			(other: () => string) =>
			(request: SiteRequest): SiteAnswer => {
				const { pathname } = request.url;
				if (pathname === '/') {
					const own = `<img id="own" src="${site.baseUrl}/console/own.svg" srcset="/set.svg 1x">`;
					// It counts from there, and would say where it is shown.
					const foreign = '<img id="other" src="redirected.svg" referrerpolicy="unsafe-url">';
					return `<base href="${other()}/"><title>Spy</title>${own}${foreign}`;
				}
				if (pathname === '/redirected.svg') {
					return { status: 302, headers: { location: `${site.baseUrl}/by-redirect.svg` } };
				}
				return { headers: { 'content-type': 'image/svg+xml' }, body: picture };
			};
		const site: Site = await startSite(
			answer(() => elsewhere.baseUrl.replace('127.0.0.1', 'localhost')),
		);
		const elsewhere = await startSite(answer(() => ''));
		const service = await startService({ env: { SERVICE_ADDRESS: 'http://console.example' } });
		const visitor = await visitConsole(browser(), service);
		const asked: string[] = [];
		visitor.page.on('request', (request) => asked.push(new URL(request.url()).host));
		const { frame } = await openToPoint(visitor.page, site.baseUrl);
		for (const id of ['#own', '#other']) {
			await expect.poll(() => frame.locator(id).evaluate((own) => own.clientWidth)).toBe(40);
		}
		expect([...new Set(asked)]).toEqual([new URL(service.baseUrl).host]);
		const paths = [...site.requests, ...elsewhere.requests].map(({ url }) => url.pathname);
		expect(paths).toEqual(
			expect.arrayContaining(['/console/own.svg', '/redirected.svg', '/by-redirect.svg']),
		);
		for (const told of ['cookie', 'referer']) {
			const all = [...site.requests, ...elsewhere.requests];
			expect(all.filter(({ headers }) => headers[told] !== undefined)).toEqual([]);
		}
		await service.stop();
		await site.stop();
		await elsewhere.stop();
	});
});
