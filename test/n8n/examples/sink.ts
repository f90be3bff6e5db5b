import { objectAt, textAt } from '../../../playground/json.ts';
import type { JsonObject } from '../../../playground/json.ts';
import { withNodes } from '../../support/n8n/template';

/**
 * Google Sheets, Slack and mail servers are out of a test's reach. Exactly their nodes are replaced
 * by HTTP Request nodes to `sink`, with the expressions that they are shipped with; of an HTTP Request
 * node only the address changes.
 */
export function withSink(template: JsonObject, sink: string): JsonObject {
	return withNodes(template, (node) => {
		const parameters = objectAt(node, 'parameters');
		const replacement = replacements[textAt(node, 'type')];
		if (!replacement) return node;
		return {
			...node,
			type: 'n8n-nodes-base.httpRequest',
			typeVersion: 4.2,
			parameters: replacement(parameters, sink),
		};
	});
}

type Replacement = (parameters: JsonObject, sink: string) => JsonObject;

const replacements: Record<string, Replacement | undefined> = {
	'n8n-nodes-base.googleSheets': ({ operation }, sink) =>
		operation === 'read'
			? { url: `${sink}/sheet`, options: {} }
			: {
					method: 'POST',
					url: `${sink}/sheet`,
					sendBody: true,
					specifyBody: 'json',
					jsonBody: '={{ JSON.stringify($json) }}',
					options: {},
				},
	'n8n-nodes-base.slack': ({ text }, sink) => ({
		method: 'POST',
		url: `${sink}/slack`,
		sendBody: true,
		bodyParameters: { parameters: [{ name: 'text', value: text }] },
		options: {},
	}),
	'n8n-nodes-base.emailSend': ({ subject, text, options }, sink) => ({
		method: 'POST',
		url: `${sink}/mail`,
		sendQuery: true,
		queryParameters: {
			parameters: [
				{ name: 'subject', value: subject },
				{ name: 'text', value: text },
			],
		},
		...('attachments' in objectAt(options) && {
			sendBody: true,
			contentType: 'binaryData',
			inputDataFieldName: textAt(options, 'attachments'),
		}),
		options: {},
	}),
	'n8n-nodes-base.httpRequest': (parameters, sink) => ({ ...parameters, url: `${sink}/webhook` }),
};
