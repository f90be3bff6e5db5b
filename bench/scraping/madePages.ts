import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tellParent } from '../ground/child.ts';

// Pages whose rows scripts make, served from memory: of what the page itself holds, of data that it asks for,
// and of those a little later. `/7.html` is the eighth.

const rowsOfAPage = 40;

const data = (page: number) =>
	Array.from({ length: rowsOfAPage }, (_, row) => ({
		name: `Product ${page}-${row}`,
		price: `€ ${page}.${row}`,
	}));

const show = `const show = (rows) => {
	document.querySelector('h1').textContent = rows.length + ' products';
	for (const { name, price } of rows) {
		const card = document.createElement('div');
		card.className = 'card';
		card.innerHTML = '<h2></h2><p class="price"></p><p>' + 'Text. '.repeat(30) + '</p>';
		card.querySelector('h2').textContent = name;
		card.querySelector('.price').textContent = price;
		document.body.append(card);
	}
};`;

const ways = [
	(page: number) => `show(${JSON.stringify(data(page))});`,
	(page: number) => `fetch('/${page}.json').then((answer) => answer.json()).then(show);`,
	(page: number) =>
		`fetch('/${page}.json').then((answer) => answer.json()).then((rows) => setTimeout(show, 20, rows));`,
];

const server = createServer((request, response) => {
	const [, number, kind] = /^\/(\d+)\.(html|json)/.exec(request.url ?? '') ?? [];
	const page = Number(number);
	if (kind === undefined) response.writeHead(404).end();
	else if (kind === 'json') {
		response.writeHead(200, { 'content-type': 'application/json' });
		response.end(JSON.stringify(data(page)));
	} else {
		response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
		response.end(
			`<!doctype html><title>Page ${page}</title><h1></h1><script>${show}${ways[page % ways.length](page)}</script>`,
		);
	}
});

await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
process.on('disconnect', () => process.exit(0));
tellParent({ port: (server.address() as AddressInfo).port });
