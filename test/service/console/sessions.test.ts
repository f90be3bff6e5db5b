import { consoleClient } from '../../support/service/console';
import { startService } from '../../support/inProcess/startService';

describe('sessions on the Keys page', () => {
	/** Where the forms are sent to that end sessions, the newest first. */
	const ends = (page: string) =>
		[...page.matchAll(/action="(\/console\/sessions\/\d+\/end)"/g)].map(([, path = '']) => path);

	test('are listed with what let them in and their browsers, and ended one by one', async () => {
		const own = await startService();
		const visit = await consoleClient(own);
		const link = own.consoleLink;
		const other = await fetch(link, {
			redirect: 'manual',
			headers: { 'user-agent': 'Other <Browser>' },
		});
		const page = await (await visit('/console/keys')).text();
		expect(page).toContain('Other &lt;Browser&gt;');
		expect(page).toMatch(/the link printed at start[^]*an API key/);
		expect(page.split('(this one)')).toHaveLength(2);
		const [newest = '', ...before] = ends(page);
		expect(before).toHaveLength(1);
		expect((await visit(newest, { method: 'POST' })).status).toBe(303);
		const asOther = await fetch(`${own.baseUrl}/console/`, {
			redirect: 'manual',
			headers: { cookie: other.headers.getSetCookie()[0]?.split(';')[0] ?? '' },
		});
		expect(asOther.status).toBe(401);
		expect(ends(await (await visit('/console/keys')).text())).toEqual(before);
		await own.stop();
	});

	test('are all ended at once, the own one too', async () => {
		const own = await startService();
		const [visit, other] = [await consoleClient(own), await consoleClient(own)];
		const answer = await visit('/console/sessions/end', { method: 'POST' });
		expect(answer.headers.get('location')).toBe('/console/sign-in');
		for (const each of [visit, other]) expect((await each('/console/')).status).toBe(303);
		await own.stop();
	});
});
