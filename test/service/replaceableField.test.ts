import { checkTask } from '../../service/src/tasks/checkTask.ts';
import { replaceableField } from '../../service/src/tasks/replaceableField.ts';
import { allSteps } from '../../service/src/tasks/task.ts';
import { cloudClient } from '../support/service/cloudClient';
import { startService } from '../support/inProcess/startService';
import { startSite } from '../support/service/startSite';
import { extract, loop, step, task, uuidOf } from '../support/service/taskFiles';

const inner = [extract({ Text: 'p' }, undefined)];
const list = (listType: string, rest: object) =>
	loop({ loopType: 'list', listType, ...rest }, inner);
const paging = (times: object) => loop({ loopType: 'page', selector: 'a', ...times }, inner);

/** What can be replaced in each step: kind and path, and the value that the task has. */
const replaceable: [string, object, [string, unknown]][] = [
	['a URL', step('navigate', { url: 'http://x/' }), ['url', 'http://x/']],
	['the URL of a round', step('navigate', { useLoopItem: true }), ['url', undefined]],
	['a text', step('inputText', { selector: 'i', text: '' }), ['text', '']],
	[
		'the text of a round',
		step('inputText', { selector: 'i', useLoopItem: true }),
		['text', undefined],
	],
	['a count', loop({ loopType: 'count', times: 3 }, inner), ['times', 3]],
	['a number of pages', paging({ timesMode: 'custom', times: 4 }), ['times', 4]],
	['URLs', list('urlList', { urls: ['http://x/'] }), ['urls', ['http://x/']]],
	['texts', list('textList', { texts: ['a', 'b'] }), ['texts', ['a', 'b']]],
];

/** Steps with nothing to replace, and why. */
const fixed: [string, object, string][] = [
	['a click', step('click', { selector: 'a' }), 'a step of type "click" has no replaceable field.'],
	['a wait', step('wait', { milliseconds: 1 }), 'a step of type "wait" has no replaceable field.'],
	['data', inner[0] ?? {}, 'a step of type "extractData" has no replaceable field.'],
	[
		'elements',
		list('elements', { selector: 'p' }),
		'a loop over elements has no replaceable field.',
	],
	[
		'all pages',
		paging({ timesMode: 'all' }),
		'the times of a page loop are replaceable only if custom.',
	],
];

/** What a step says about itself, in a list whose items it may use. */
function describeField(given: object) {
	const around = loop({ loopType: 'list', listType: 'urlList', urls: ['http://x/'] }, [given]);
	const [, inside] = allSteps(checkTask(task('one step', [around])).steps);
	if (!inside) throw new Error('The step is gone.');
	return replaceableField(inside);
}

test.each(replaceable)('%s can be replaced', (_what, given, [kind, value]) => {
	expect(describeField(given)).toMatchObject({ kind, path: `config.${kind}`, value });
});

test.each(fixed)('%s cannot be replaced, and it says why', (_what, given, reason) => {
	expect(describeField(given)).toBe(reason);
});

test('a text that a start replaces is still sent with its form', async () => {
	const site = await startSite(({ url }) =>
		url.pathname === '/found'
			? `<h1>${url.searchParams.get('q')}</h1>`
			: '<form action="/found"><input name="q"></form>',
	);
	const search = task('search', [
		step('navigate', { url: site.baseUrl }),
		step('inputText', { selector: 'input', text: 'own', submit: true }, 'typing'),
		extract({ Word: 'h1' }),
	]);
	const service = await startService({ tasks: { search } });
	const { rows } = await cloudClient(service).run(search.taskID, {
		actionParams: [{ id: uuidOf('typing'), value: 'other' }],
	});
	expect(rows).toEqual([{ Word: 'other' }]);
	await service.stop();
	await site.stop();
});
