import { PassThrough } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { testWithBrowser } from '../support/service/browser';
import { cloudClient } from '../support/service/cloudClient';
import { useSiteAndService } from '../support/inProcess/siteAndService';
import { extract, step, task, uuidOf } from '../support/service/taskFiles';

/** Shows what comes piece by piece, but holds each piece back until the one before was seen for 0.3 s, as React does. */
const holdBack = `<p>…</p><p>…</p><script>
	const held = [];
	let next = 0;
	const show = (text) => {
		held.push(text);
		const wait = Math.max(next - performance.now(), 0);
		next = performance.now() + wait + 300;
		setTimeout(() => (document.querySelectorAll('p')[held.indexOf(text)].textContent = text), wait);
	};
</script>`;

/** The second piece comes soon after the first. */
function pieces(): PassThrough {
	const body = new PassThrough();
	const say = async () => {
		body.write(holdBack);
		await sleep(600);
		body.write(`<script>show('one')</script>`);
		await sleep(10);
		body.end(`<script>show('two')</script>`);
	};
	void say();
	return body;
}

const { site, service } = useSiteAndService(
	() => ({ body: pieces() }),
	() => {
		const open = step('navigate', { url: `${site.baseUrl}/` });
		const pieces = task('pieces', [open, extract({ Text: {} }, 'p')], { page: 'browser' });
		return { tasks: { pieces } };
	},
);

testWithBrowser(
	'the last piece of a page that comes piece by piece is waited for where it is held back',
	async () => {
		const { rows } = await cloudClient(service).run(uuidOf('pieces'));
		expect(rows.map(({ Text }) => Text)).toEqual(['one', 'two']);
	},
);
