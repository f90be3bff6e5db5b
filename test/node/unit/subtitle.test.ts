import { Workflow } from 'n8n-workflow';
import type { INodeParameters, INodeType, INodeTypes } from 'n8n-workflow';
import { CloudScraping } from '../../../nodes/CloudScraping/CloudScraping.node';
import { CloudScrapingTrigger } from '../../../nodes/CloudScraping/CloudScrapingTrigger.node';

describe('what stands below the node on the canvas', () => {
	const node = new CloudScraping();
	const { options = [] } =
		node.description.properties.find(({ name }) => name === 'operation') ?? {};
	const choices = options.flatMap((option) =>
		'value' in option ? [[option.name, option.value] as const] : [],
	);

	it.each(choices)('is the name of the operation: %s', (name, operation) => {
		expect(subtitleOf(node, { operation })).toBe(name);
	});

	it('is the event of the trigger', () => {
		const trigger = new CloudScrapingTrigger();
		expect(subtitleOf(trigger, { event: 'finished' })).toBe('Batch Finished');
	});
});

/** As n8n's editor finds it out: an expression over the parameters of the node. */
function subtitleOf(type: INodeType, parameters: INodeParameters): unknown {
	const nodeTypes: INodeTypes = {
		getByName: () => type,
		getByNameAndVersion: () => type,
		getKnownTypes: () => ({}),
	};
	const node = {
		id: 'node',
		name: 'Node',
		type: type.description.name,
		typeVersion: 1,
		position: [0, 0] as [number, number],
		parameters,
	};
	const workflow = new Workflow({ nodes: [node], connections: {}, active: false, nodeTypes });
	const { subtitle = '' } = type.description;
	return workflow.expression.getSimpleParameterValue(node, subtitle, 'internal', {});
}
