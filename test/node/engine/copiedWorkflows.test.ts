import type { INodeParameters, INodeTypeDescription } from 'n8n-workflow';
import { NodeHelpers } from 'n8n-workflow';

import { CloudScraping } from '../../../nodes/CloudScraping/CloudScraping.node';
import { CloudScrapingTrigger } from '../../../nodes/CloudScraping/CloudScrapingTrigger.node';
import { runNode } from '../../support/engine/runNode';
import { copiedNames, copiedWorkflows } from '../../support/service/copiedWorkflows';
import type { RunningService } from '../../support/service/startService';
import { startService } from '../../support/service/startService';
import type { Site } from '../../support/service/startSite';
import { startSite } from '../../support/service/startSite';
import { extract, loop, step, task, uuidOf } from '../../support/service/taskFiles';
import { credentialOf } from './localShop';

const descriptions = new Map<string, INodeTypeDescription>(
	[new CloudScraping(), new CloudScrapingTrigger()].map(({ description }) => [
		`n8n-nodes-cloud-scraping.${description.name}`,
		description,
	]),
);

/** What n8n and the node could take for something else: expressions, JSON, line breaks, white space. */
const texts = [
	'={{ 1 + 1 }}',
	'=1}}',
	'[1]',
	' a  b ',
	'two\nlines',
	'{{ 2 }}',
	'"\\u0041"',
	'<b>&',
];

describe('what the console copies for n8n', () => {
	let site: Site;
	let service: RunningService;
	/** The same tasks with other values. */
	let other: RunningService;

	beforeAll(async () => {
		site = await startSite(({ url }) => {
			const shown = [...url.searchParams.values()].join(' ');
			const text = `${url.pathname} ${shown}`.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
			return `<form><textarea name="q"></textarea></form><pre>${text}</pre>`;
		});
		const everyKind = (path: string, given: string[], times: number) =>
			task('every kind', [
				step('navigate', { url: `${site.baseUrl}${path}` }, 'open'),
				step('inputText', { selector: 'textarea', text: given[0], submit: true }, 'type'),
				extract({ Text: 'pre' }),
				loop({ loopType: 'list', listType: 'textList', texts: given }, typed, 'texts'),
				loop(
					{
						loopType: 'list',
						listType: 'urlList',
						urls: [`${site.baseUrl}${path}/1`, '{site}/shop/'],
					},
					opened,
					'urls',
				),
				loop({ loopType: 'count', times }, [extract({ Again: 'body' })], 'times'),
			]);
		const typed = [
			step('inputText', { selector: 'textarea', useLoopItem: true, submit: true }, 'own'),
			extract({ Word: { selector: 'pre', trim: false } }),
		];
		const opened = [step('navigate', { useLoopItem: true }, 'each'), extract({ Page: 'pre, h1' })];
		const secret = task('secret', [
			step('navigate', { url: 'http://me:secret@host/' }),
			extract({ Text: 'pre' }),
		]);
		const long = task('long', [
			loop({ loopType: 'list', listType: 'textList', texts: ['x'.repeat(30_000)] }, typed),
		]);
		[service, other] = await Promise.all([
			startService({ tasks: { mine: everyKind('/with space', texts, 3), secret, long } }),
			startService({ tasks: { mine: everyKind('/other', ['other'], 1) } }),
		]);
	});

	afterAll(async () => {
		for (const part of [site, service, other]) await part.stop();
	});

	test.each(['every kind', 'secret', 'long'])(
		'holds what the nodes know, and nothing that they lack: the task "%s"',
		async (name) => {
			const workflows = await copiedWorkflows(service, uuidOf(name));
			expect([...workflows.keys()]).toEqual(copiedNames);
			const nodes = [...workflows.values()].flatMap(({ nodes }) => nodes);
			const ours = nodes.filter(({ type }) => type.startsWith('n8n-nodes-cloud-scraping.'));
			expect(ours).toHaveLength(4);
			expect(nodes.every((node) => !('credentials' in node))).toBe(true);
			for (const { name, type, typeVersion, ...node } of ours) {
				const description = descriptions.get(type);
				if (!description) throw new Error(`There is no node ${type}`);
				expect(description.version).toBe(typeVersion);
				// When a trigger polls is n8n's own parameter.
				const { pollTimes, ...parameters } = node.parameters as INodeParameters;
				expect(pollTimes !== undefined).toBe(description.polling === true);
				const whole = {
					id: name,
					name,
					type,
					typeVersion,
					parameters,
					position: [0, 0] as [number, number],
				};
				const { properties } = description;
				// n8n drops what it does not know.
				const known = NodeHelpers.getNodeParameters(
					properties,
					parameters,
					true,
					false,
					whole,
					description,
				);
				expect(known).toMatchObject(parameters);
				expect(NodeHelpers.getNodeParametersIssues(properties, whole, description)).toBeNull();
			}
		},
	);

	test('gives the values of each kind as the task has them, whatever they look like', async () => {
		const [run] = (await copiedWorkflows(service, uuidOf('every kind'))).values();
		const parameters = run?.nodes[1]?.parameters as INodeParameters;
		const rowsOf = async (on: RunningService, given: INodeParameters) =>
			(await runNode({ parameters: given, credential: credentialOf(on) })).rows;
		const { taskId, operation, returnAll } = parameters;
		const own = await rowsOf(service, { taskId, operation, returnAll });
		expect(own).toHaveLength(1 + texts.length + 2 + 3);
		expect(await rowsOf(other, { taskId, operation, returnAll })).not.toEqual(own);
		expect(await rowsOf(other, parameters)).toEqual(own);
	});

	test('leaves a password and a list that nobody could read with the task', async () => {
		for (const name of ['secret', 'long']) {
			const workflows = await copiedWorkflows(service, uuidOf(name));
			expect(JSON.stringify([...workflows.values()])).not.toMatch(/secret@|xxx|actionParams/);
		}
	});
});
