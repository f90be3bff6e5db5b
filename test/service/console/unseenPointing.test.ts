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

	test('shows pictures of the host of the console without a request for them to it, or by way of another one', async () => {
		const picture = '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30"/>';
		const answer =
			(other: () => string) =>
			(request: SiteRequest): SiteAnswer => {
				const { pathname } = request.url;
				const src = `src="${site.baseUrl}/console/own.svg" srcset="/console/set.svg 1x"`;
				if (pathname === '/') {
					// A host may be a word that stands for all of them, or end what a header says of pictures.
					const { port } = new URL(site.baseUrl);
					const wild = `<img src="http://*:${port}/"><img src="http://a;img-src%20*;b/">`;
					const redirected = `<img referrerpolicy="unsafe-url" src="${other()}/console/redirected.svg">`;
					const named = '<img id="named" src="http://console.example:9/picture">';
					return `<title>Spy</title><img id="own" ${src}>${wild}${redirected}${named}`;
				}
				if (pathname === '/console/redirected.svg') {
					return { status: 302, headers: { location: `${site.baseUrl}/console/by-redirect.svg` } };
				}
				return { headers: { 'content-type': 'image/svg+xml' }, body: picture };
			};
		const site: Site = await startSite(
			answer(() => elsewhere.baseUrl.replace('127.0.0.1', 'localhost')),
		);
		const elsewhere = await startSite(answer(() => ''));
		const service = await startService({ env: { SERVICE_ADDRESS: 'http://console.example' } });
		const visitor = await visitConsole(browser(), service);
		const { frame } = await openToPoint(visitor.page, site.baseUrl);
		await expect.poll(() => frame.locator('#own').evaluate((own) => own.clientWidth)).toBe(40);
		const isDone = () =>
			frame
				.locator('img')
				.evaluateAll((all: HTMLImageElement[]) => all.every(({ complete }) => complete));
		await expect.poll(isDone).toBe(true);
		// By another name, browsers may know the console as well.
		expect(await frame.locator('#named').getAttribute('src')).toContain('/picture?url=');
		expect(elsewhere.requests.map(({ url }) => url.pathname)).toContain('/console/redirected.svg');
		const asked = [...site.requests, ...elsewhere.requests];
		expect(asked.map(({ url }) => url.pathname)).not.toContain('/console/by-redirect.svg');
		for (const told of ['cookie', 'referer']) {
			expect(asked.filter(({ headers }) => headers[told] !== undefined)).toEqual([]);
		}
		await service.stop();
		await site.stop();
		await elsewhere.stop();
	});
});
