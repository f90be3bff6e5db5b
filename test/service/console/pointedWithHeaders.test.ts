import { pointByRequests } from '../../support/service/pointByRequests';
import { startService } from '../../support/inProcess/startService';
import { startSite, type Site } from '../../support/service/startSite';
import { extract, step, task, uuidOf } from '../../support/service/taskFiles';

test('what a task sends to its site, as to log in, goes to no other that its page names', async () => {
	const picture = {
		headers: { 'content-type': 'image/svg+xml' },
		body: '<svg xmlns="http://www.w3.org/2000/svg"/>',
	};
	const style = { headers: { 'content-type': 'text/css' }, body: 'p { color: red }' };
	const other = await startSite(({ url }) => (url.pathname === '/style.css' ? style : picture));
	const site: Site = await startSite(({ url }) => {
		if (url.pathname === '/style.css') return style;
		if (url.pathname === '/picture.svg') return picture;
		const of = (from: string) =>
			`<link rel="stylesheet" href="${from}/style.css"><img src="${from}/picture.svg">`;
		return `<title>Pens</title>${of('')}${of(other.baseUrl)}<p>One</p>`;
	});
	const headers = { authorization: 'Bearer secret', cookie: 'a=secret', 'x-key': 'secret' };
	const pens = task(
		'pens',
		[step('navigate', { url: `${site.baseUrl}/` }), extract({ Name: 'p' })],
		{ headers },
	);
	const service = await startService({ tasks: { pens } });
	const { frame, read } = await pointByRequests(service, `/console/tasks/${uuidOf('pens')}/point`);
	const asked = [...(await frame()).matchAll(/src="[^"]*(\/console\/[^"]*picture\?url=[^"]+)"/g)];
	expect(asked).toHaveLength(2);
	for (const [, path = ''] of asked) await read(path.replaceAll('&amp;', '&'));
	const secrets = (of: Site) =>
		of.requests.map(({ url, headers: sent }) => [
			url.pathname,
			Object.keys(headers).filter((name) => String(sent[name]).includes('secret')).length,
		]);
	expect(secrets(site)).toEqual(
		expect.arrayContaining([
			['/', 3],
			['/style.css', 3],
			['/picture.svg', 3],
		]),
	);
	expect(secrets(other).toSorted()).toEqual([
		['/picture.svg', 0],
		['/style.css', 0],
	]);
	await service.stop();
	await site.stop();
	await other.stop();
});
