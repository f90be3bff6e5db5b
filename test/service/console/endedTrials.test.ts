import { consoleClient } from '../../support/service/console';
import { startService } from '../../support/inProcess/startService';
import { startSite } from '../../support/service/startSite';
import { extract, loop, step, task, uuidOf } from '../../support/service/taskFiles';

type Visit = Awaited<ReturnType<typeof consoleClient>>;

/** Has an address opened again and again. */
const endless = (url: string) =>
	task('endless', [
		loop({ loopType: 'count', times: 100_000 }, [step('navigate', { url })]),
		extract({ Text: {} }, 'p'),
	]);

test.each<[string, (visit: Visit) => Promise<unknown>]>([
	['is signed out', (visit) => visit('/console/sign-out', { method: 'POST' })],
	['has their session ended', (visit) => visit('/console/sessions/end', { method: 'POST' })],
])('a trial ends when who waits for it %s', async (_how, end) => {
	const site = await startSite(() => '<p>x</p>');
	const text = JSON.stringify(endless(site.baseUrl));
	const service = await startService({ tasks: { endless: text } });
	const visit = await consoleClient(service);
	const trial = visit('/console/files/try/endless.json', {
		method: 'POST',
		body: new URLSearchParams({ text }),
	});
	await vi.waitFor(() => expect(site.requests.length).toBeGreaterThan(3));
	await end(visit);
	const signedOut = performance.now();
	const answer = await trial;
	expect(answer.status).toBe(401);
	expect(performance.now() - signedOut).toBeLessThan(10_000);
	const asked = site.requests.length;
	await new Promise((resolve) => setTimeout(resolve, 300));
	expect(site.requests).toHaveLength(asked);
	await service.stop();
	await site.stop();
});

test('so do the first rows of a page that is pointed at', async () => {
	let isHeld = false;
	const site = await startSite(async ({ closed }) => {
		if (isHeld) await closed;
		return '<p>x</p>';
	});
	const read = [step('navigate', { url: site.baseUrl }), extract({ Text: {} }, 'p')];
	const service = await startService({ tasks: { pointed: task('pointed', read) } });
	const visit = await consoleClient(service);
	const begin = `/console/tasks/${uuidOf('pointed')}/point`;
	const begun = await visit(begin, { method: 'POST', body: new URLSearchParams() });
	isHeld = true;
	const asked = site.requests.length;
	const rows = visit(`${begun.headers.get('location')}/rows`, {
		method: 'POST',
		body: new URLSearchParams(),
	});
	await vi.waitFor(() => expect(site.requests.length).toBeGreaterThan(asked));
	await visit('/console/sign-out', { method: 'POST' });
	const signedOut = performance.now();
	expect((await rows).status).toBe(401);
	expect(performance.now() - signedOut).toBeLessThan(10_000);
	await service.stop();
	await site.stop();
});
