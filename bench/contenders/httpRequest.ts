import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { BenchCredentials } from '../engine/credentials.ts';
import { beginning, codeType, runSteps, startEngine, stopEngine } from '../engine/engine.ts';
import { loadCredential, loadNode } from '../engine/loadNode.ts';
import { n8nNodesBase } from '../ground/folders.ts';
import type { Contender, ReadJob } from './contender.ts';

/**
 * What one builds without this package: n8n's HTTP Request node with its pagination, then a Code node.
 * The code runs here without n8n's task runner, which would cost time.
 */
export const begin = startEngine;
export const end = stopEngine;

const version = 4.4;

const httpRequest = loadNode(
	join(n8nNodesBase, 'dist', 'nodes', 'HttpRequest', 'HttpRequest.node.js'),
	'HttpRequest',
	version,
);

const bearerAuth = loadCredential(
	join(n8nNodesBase, 'dist', 'credentials', 'HttpBearerAuth.credentials.js'),
	'HttpBearerAuth',
);

export const read: Contender = async (job) => {
	const items = await runSteps(
		[
			beginning,
			{
				node: {
					name: 'HTTP Request',
					type: 'n8n-nodes-base.httpRequest',
					typeVersion: version,
					parameters: requestParameters(job),
					credentials: { httpBearerAuth: { id: '1', name: 'API key' } },
				},
				type: httpRequest,
			},
			{
				node: { name: 'Code', type: 'bench.code', typeVersion: 1, parameters: {} },
				type: codeType((pages) => rowsOf(pages, job.columns)),
			},
		],
		new BenchCredentials({ httpBearerAuth: { data: { token: job.apiKey }, type: bearerAuth } }),
	);
	return items.length;
};

function requestParameters({ baseUrl, batchID, pageSize }: ReadJob): INodeParameters {
	const body = '$response.body.data.pagination';
	return {
		method: 'GET',
		url: `${baseUrl}/cloud/data`,
		authentication: 'genericCredentialType',
		genericAuthType: 'httpBearerAuth',
		sendQuery: true,
		queryParameters: {
			parameters: [
				{ name: 'size', value: String(pageSize) },
				{ name: 'batchID', value: batchID },
				{ name: 'preview', value: 'false' },
			],
		},
		sendHeaders: true,
		headerParameters: { parameters: [{ name: 'x-cp-request-id', value: randomUUID() }] },
		options: {
			pagination: {
				pagination: {
					paginationMode: 'updateAParameterInEachRequest',
					parameters: {
						parameters: [{ type: 'qs', name: 'page', value: '={{ $pageCount + 1 }}' }],
					},
					paginationCompleteWhen: 'other',
					completeExpression: `={{ ${body}.page * ${body}.size >= ${body}.total }}`,
					limitPagesFetched: false,
					requestInterval: 0,
				},
			},
		},
	};
}

/** The code of the Code node: column names for field ids, as its author would write them down. */
function rowsOf(pages: INodeExecutionData[], columns: Record<string, string>) {
	const items: INodeExecutionData[] = [];
	for (const { json } of pages) {
		for (const text of textsOf(json)) {
			const row: unknown = JSON.parse(text);
			const renamed: IDataObject = {};
			for (const [id, value] of Object.entries(row ?? {})) renamed[columns[id]] = String(value);
			items.push({ json: renamed });
		}
	}
	return items;
}

function textsOf({ data }: IDataObject): string[] {
	const list: unknown =
		typeof data === 'object' && data !== null && 'list' in data ? data.list : [];
	return Array.isArray(list) ? list.map(String) : [];
}
