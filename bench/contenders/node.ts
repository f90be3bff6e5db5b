import { join } from 'node:path';
import { BenchCredentials } from '../engine/credentials.ts';
import { beginning, runSteps, startEngine, stopEngine } from '../engine/engine.ts';
import { loadCredential, loadNode } from '../engine/loadNode.ts';
import { compiledPackage } from '../ground/folders.ts';
import type { Contender } from './contender.ts';

/** This package's node, compiled, in n8n-core. */
export const begin = startEngine;
export const end = stopEngine;

const type = loadNode(
	join(compiledPackage, 'nodes', 'CloudScraping', 'CloudScraping.node.js'),
	'CloudScraping',
);

const credentialType = loadCredential(
	join(compiledPackage, 'credentials', 'CloudScrapingApi.credentials.js'),
	'CloudScrapingApi',
);

export const read: Contender = async (job) => {
	const { baseUrl, apiKey, taskID, batchID, pageSize, concurrency, output } = job;
	const parameters = {
		operation: 'getData',
		taskId: taskID,
		batch: 'id',
		batchId: { __rl: true, mode: 'id', value: batchID },
		returnAll: true,
		output: output === 'items' ? 'items' : 'file',
		...(output !== 'items' && { fileFormat: output }),
		options: { pageSize, concurrency },
	};
	const items = await runSteps(
		[
			beginning,
			{
				node: {
					name: 'Cloud Scraping',
					type: 'n8n-nodes-cloud-scraping.cloudScraping',
					typeVersion: 1,
					parameters,
					credentials: { cloudScrapingApi: { id: '1', name: 'Cloud Scraping' } },
				},
				type,
			},
		],
		new BenchCredentials({ cloudScrapingApi: { data: { baseUrl, apiKey }, type: credentialType } }),
	);
	if (output === 'items') return items.length;
	return items.reduce((sum, { json }) => sum + Number(json.rows), 0);
};
