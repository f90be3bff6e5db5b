import { pino } from 'pino';
import { Browser } from '../../service/src/pages/browser/browser.ts';
import { boundMemory, memoryLimits } from '../../service/src/pages/browser/memoryBound.ts';
import { testWithBrowser } from '../support/service/browser';

/** Each of its elements takes four megabytes of the process that draws, which outlives the page. */
const blurred = `<style>
	div { position: fixed; inset: 0; filter: blur(900px); backdrop-filter: blur(500px); animation: turn 1s infinite; }
	@keyframes turn { to { transform: scale(20) rotate(90deg); } }
</style>${'<div>a</div>'.repeat(150)}`;

/** Its channels tell each other more and more, through the main process of the browser. */
const echoing = `<script>
	const channels = Array.from({ length: 60 }, () => new BroadcastChannel('echo'));
	for (const each of channels) each.onmessage = ({ data }) => each.postMessage(data);
	setTimeout(() => channels[0].postMessage('a'.repeat(30_000)));
</script>`;

/** Its script keeps a megabyte after the other. */
const hoarding = `<script>
	const kept = [];
	setInterval(() => kept.push(new Uint8Array(5e6).fill(1)));
</script>`;

/** Opens a page in a browser whose processes may take so much; resolves to the type of the first that was ended. */
async function endedBy(html: string, limits: Partial<typeof memoryLimits>) {
	const ended = Promise.withResolvers<unknown>();
	const write = (line: string) => ended.resolve((JSON.parse(line) as { type: unknown }).type);
	const browser = new Browser(process.env.BROWSER_FOR_TESTS ?? '', pino({ level: 'silent' }));
	onTestFinished(() => browser.close());
	const [tab, other] = [await browser.newTab({}), await browser.newTab({})];
	const chromium = tab.context().browser();
	if (!chromium) throw new Error('There is no browser.');
	void boundMemory(chromium, pino({ level: 'warn' }, { write }), { ...memoryLimits, ...limits });
	// Messages go from a page of one origin to others of it.
	await tab.route('**', (route) => route.fulfill({ contentType: 'text/html', body: html }));
	await tab.goto('http://127.0.0.1:9/', { waitUntil: 'commit' });
	return { type: await ended.promise, tab, other, chromium };
}

testWithBrowser('what pages draw takes so much memory, and they go on', async () => {
	const { type, tab, other, chromium } = await endedBy(blurred, { GPU: 300 });
	expect(type).toBe('GPU');
	await tab.context().close();
	expect(await other.evaluate(() => new Promise(requestAnimationFrame))).toEqual(
		expect.any(Number),
	);
	expect(chromium.isConnected()).toBe(true);
});

testWithBrowser('so does what they tell each other, but that ends their browser', async () => {
	const { type, chromium } = await endedBy(echoing, { browser: 400 });
	expect(type).toBe('browser');
	if (chromium.isConnected())
		await new Promise((resolve) => chromium.once('disconnected', resolve));
});

testWithBrowser('so does a page, which has crashed by that, and no other has', async () => {
	const { type, tab, other } = await endedBy(hoarding, { renderer: 400 });
	expect(type).toBe('renderer');
	await expect(tab.evaluate('1')).rejects.toThrow('crashed');
	expect(await other.evaluate('1')).toBe(1);
});
