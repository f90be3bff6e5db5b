import '../../support/engine/engineEnvironment';

import { LoadOptionsContext } from 'n8n-core';
import type { INodeListSearchResult } from 'n8n-workflow';

import { CloudScraping } from '../../../nodes/CloudScraping/CloudScraping.node';
import { engineWorkflow } from '../../support/engine/engineWorkflow';
import type { NodeSetup } from '../../support/engine/engineWorkflow';

/** Opens the batch dropdown of the node as n8n's editor does. */
export async function openBatchDropdown(
	setup: NodeSetup,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	const { workflow, cloudScraping, additionalData } = engineWorkflow(setup);
	const context = new LoadOptionsContext(
		workflow,
		cloudScraping,
		{ ...additionalData, currentNodeParameters: setup.parameters },
		'parameters.batchId',
	);
	return await new CloudScraping().methods.listSearch.searchBatches.call(
		context,
		filter,
		paginationToken,
	);
}
