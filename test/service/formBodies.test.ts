import { concurrentTestWithBrowser } from '../support/service/browser';
import { cloudClient } from '../support/service/cloudClient';
import { useSiteAndService } from '../support/inProcess/siteAndService';
import { loop, step, task, uuidOf } from '../support/service/taskFiles';

// How forms are sent with POST, as by Chromium.

const fields = `<input name="q" value="a b&ü№+%"><input name='"say"' value="%41">
	<textarea name="lines">\n\none\ntwo</textarea><input type="file" name="file"><input type="hidden" name="_charset_">`;

const enctypes = ['', 'multipart/form-data', 'Multipart/Form-Data', 'text/plain', 'nonsense'];
const encodings = ['utf-8', 'windows-1252', 'koi8-r', 'shift_jis'];

const forms = [
	...enctypes.flatMap((enctype) =>
		encodings.map((encoding) => ({
			encoding,
			html: `<form method="post" enctype="${enctype}">${fields}<button class="go">Go</button></form>`,
		})),
	),
	{
		encoding: 'utf-8',
		html: `<form method="post">${fields}<button formenctype="text/plain" class="go">Go</button></form>`,
	},
];

const kinds = ['http', 'browser'] as const;

const { site, service } = useSiteAndService(
	({ url, method }) => {
		const { encoding, html } = forms[Number(url.pathname.split('/')[2])] ?? {};
		const body = `<!doctype html><meta charset="${encoding}">${method === 'POST' ? '<p>Sent</p>' : html}`;
		const bytes = Buffer.from(
			encoding === 'utf-8'
				? body
				: body.replace(/[ü№]/g, (letter) => `&#${letter.codePointAt(0)};`),
		);
		return { headers: { 'content-type': 'text/html' }, body: bytes };
	},
	() => {
		const tasks = kinds.map((page) => {
			const urls = forms.map((_, number) => `${site.baseUrl}/${page}/${number}`);
			const steps = [step('navigate', { useLoopItem: true }), step('click', { selector: '.go' })];
			return task(page, [loop({ loopType: 'list', listType: 'urlList', urls }, steps)], { page });
		});
		return { tasks: Object.fromEntries(tasks.map((each) => [each.taskID, each])) };
	},
);

/** What was sent of each form, whatever stands between its parts. */
function sentOf(kind: string) {
	return forms.map(({ encoding, html }, number) => {
		const sent = site.requests.filter(
			({ method, url }) => method === 'POST' && url.pathname === `/${kind}/${number}`,
		);
		const said = sent.map(({ headers, body }) => {
			const type = headers['content-type'] ?? '';
			const [, boundary = '-'] = /boundary=(.*)/.exec(type) ?? [];
			return [type, body].map((text) => text.replaceAll(boundary, 'BOUNDARY'));
		});
		return { encoding, html, said };
	});
}

concurrentTestWithBrowser('forms are sent with POST as by Chromium', async () => {
	await Promise.all(kinds.map((kind) => cloudClient(service).run(uuidOf(kind))));
	const [http, browser] = kinds.map(sentOf);
	expect(http).toEqual(browser);
	expect(http?.map(({ said }) => said.length)).toEqual(forms.map(() => 1));
});
