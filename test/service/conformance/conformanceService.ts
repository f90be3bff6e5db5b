import {
	startService,
	type RunningService,
	type ServiceOptions,
} from '../../support/inProcess/startService';
import { startSite, type Site } from '../../support/service/startSite';
import { extract, loop, step, task } from '../../support/service/taskFiles';

const rowOf = (name: string) => extract({ [name]: {} }, 'p');

export const tasks = {
	rows: task('rows', [
		step('navigate', { url: '{base}/rows' }),
		extract({ Text: 'b', Long: 'i' }, 'p'),
	]),
	idle: task('idle', [step('navigate', { url: '{base}/rows' }), extract({ Text: 'b' })]),
	never: task('never', [step('navigate', { url: '{base}/never' }), extract({ Text: 'b' })]),
	steps: task('steps', [
		step('navigate', { url: '{base}/rows' }, 'navigate'),
		step('inputText', { selector: 'input', text: 'configured' }, 'input'),
		step('click', { selector: 'button' }, 'click'),
		extract({ Query: 'h1' }),
		loop({ loopType: 'count', times: 1 }, [rowOf('count')], 'count'),
		loop(
			{ loopType: 'page', selector: 'a.next', timesMode: 'custom', times: 1 },
			[rowOf('page')],
			'page',
		),
		loop({ loopType: 'page', selector: 'a.next', timesMode: 'all' }, [rowOf('all')], 'all pages'),
		loop({ loopType: 'list', listType: 'elements', selector: 'u' }, [rowOf('e')], 'elements'),
	]),
	urls: task('urls', [
		loop(
			{ loopType: 'list', listType: 'urlList', urls: ['{base}/echo?q=configured'] },
			[step('navigate', { useLoopItem: true }, 'open url'), extract({ Query: 'h1' })],
			'urls',
		),
	]),
	texts: task('texts', [
		step('navigate', { url: '{base}/rows' }, 'open form'),
		loop(
			{ loopType: 'list', listType: 'textList', texts: ['configured'] },
			[
				step('inputText', { selector: 'input', useLoopItem: true }, 'input text'),
				step('click', { selector: 'button' }, 'send'),
				extract({ Query: 'h1' }),
			],
			'texts',
		),
	]),
};

/** A service with `tasks`, and the site that they scrape. */
export async function startConformanceService(
	options: ServiceOptions = {},
): Promise<{ site: Site; service: RunningService; stop(): Promise<void> }> {
	const site = await startSite(async ({ url }) => {
		if (url.pathname === '/never') await new Promise(() => {});
		if (url.pathname === '/echo') {
			const page = Number(url.searchParams.get('page') ?? 1);
			const next = page < 5 ? `<a class="next" href="/echo?page=${page + 1}">next</a>` : '';
			return `<h1>${url.searchParams.get('q') ?? ''}</h1><p>counted</p>${next}`;
		}
		// 25 rows, the last five of them equal to the first five.
		const rows = Array.from({ length: 25 }, (_, index) => `<p><b>${index % 20}</b><i></i></p>`);
		rows[7] = `<p><b>7</b><i>${'é'.repeat(99)}😀😀</i></p>`;
		return `<form action="/echo"><input name="q"><button>Go</button></form>${rows.join('')}`;
	});
	const files: Record<string, string> = {};
	for (const [name, content] of Object.entries(tasks)) {
		files[name] = JSON.stringify(content).replaceAll('{base}', site.baseUrl);
	}
	// Identifiers may be larger than a number of JavaScript holds: here all of them are.
	const env = { SERVICE_LARGE_IDS: 'true', ...options.env };
	const service = await startService({ tasks: files, ...options, env });
	return {
		site,
		service,
		async stop() {
			await service.stop();
			await site.stop();
		},
	};
}
