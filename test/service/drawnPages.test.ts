import { readFileSync } from 'node:fs';
import { sharedBrowser } from '../support/inProcess/sharedBrowser';
import { testWithBrowser } from '../support/service/browser';

/** Each of these would take four megabytes of the process that draws, which outlives the page. */
const blurred = `<style>
	div { position: fixed; inset: 0; filter: blur(900px); backdrop-filter: blur(500px); animation: turn 1s infinite; }
	@keyframes turn { to { transform: scale(20) rotate(90deg); } }
</style>${'<div>a</div>'.repeat(300)}`;

testWithBrowser(
	'what a page would have drawn takes no memory, and its scripts get their frames',
	async () => {
		const tab = await sharedBrowser()?.newTab({});
		const chromium = tab?.context().browser();
		if (!tab || !chromium) throw new Error('There is no browser.');
		onTestFinished(() => tab.context().close());
		await tab.setContent(blurred);
		const frames = await tab.evaluate(
			() =>
				new Promise<number>((resolve) => {
					let count = 0;
					const next = () => ((count += 1) === 10 ? resolve(count) : requestAnimationFrame(next));
					next();
				}),
		);
		expect(frames).toBe(10);
		const session = await chromium.newBrowserCDPSession();
		const { processInfo } = await session.send('SystemInfo.getProcessInfo');
		const drawing = processInfo.filter(({ type }) => type === 'GPU');
		expect(drawing).toHaveLength(1);
		for (const { id } of drawing) expect(megabytesOf(id)).toBeLessThan(300);
	},
);

testWithBrowser('a page is told of a mouse, as people have', async () => {
	const tab = await sharedBrowser()?.newTab({});
	onTestFinished(() => tab?.context().close());
	const media = ['(hover: hover)', '(pointer: fine)'];
	const has = await tab?.evaluate((all) => all.map((each) => matchMedia(each).matches), media);
	expect(has).toEqual([true, true]);
});

/** Of memory, as Linux tells it. */
function megabytesOf(processId: number): number {
	const status = readFileSync(`/proc/${processId}/status`, 'utf8');
	return Number(/VmRSS:\s*(\d+)/.exec(status)?.[1]) / 1024;
}
