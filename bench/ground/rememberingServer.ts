import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tellParent } from './child.ts';

/** Asks the service for each address once, and gives the same answer to everyone who asks again. */
const [service] = process.argv.slice(2);
const answers = new Map<string, Buffer>();

const server = createServer((request, response) => {
	const { url = '/', headers } = request;
	void answerFor(url, headers.authorization ?? '', String(headers['x-cp-request-id'])).then(
		(body) => {
			response.writeHead(200, {
				'content-type': 'application/json; charset=utf-8',
				'content-length': body.length,
			});
			response.end(body);
		},
		() => response.destroy(),
	);
});

async function answerFor(url: string, authorization: string, requestId: string): Promise<Buffer> {
	const known = answers.get(url);
	if (known) return known;
	const response = await fetch(service + url, {
		headers: { authorization, 'x-cp-request-id': requestId },
	});
	const body = Buffer.from(await response.arrayBuffer());
	if (response.ok) answers.set(url, body);
	return body;
}

await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
process.on('disconnect', () => process.exit(0));
tellParent((server.address() as AddressInfo).port);
