import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tellParent } from '../ground/child.ts';
import { documentationFiles } from './pages.ts';

/** Serves so many pages from memory: `/7.html` is the eighth; a query makes another address of it. */
const [count] = process.argv.slice(2);
const pages = documentationFiles(Number(count)).map((file) => readFileSync(file));

const server = createServer((request, response) => {
	const page = pages[Number(/^\/(\d+)\.html/.exec(request.url ?? '')?.[1])];
	response.writeHead(page ? 200 : 404, {
		'content-type': 'text/html',
		'content-length': page?.length ?? 0,
	});
	response.end(page);
});

await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
process.on('disconnect', () => process.exit(0));
const bytes = pages.reduce((sum, page) => sum + page.length, 0);
tellParent({ port: (server.address() as AddressInfo).port, bytes });
