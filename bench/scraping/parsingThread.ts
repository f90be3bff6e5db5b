import { readFileSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { HtmlDocument } from '../../service/src/pages/http/htmlDocument.ts';
import type { Column } from './columns.ts';
import { documentationFiles } from './pages.ts';

interface Asked {
	addresses: string[];
	/** Which page stands at each address. */
	numbers: number[];
	columns: Column[];
	/** Where all threads count which page comes next. */
	next: Int32Array<SharedArrayBuffer>;
}

const bodies = documentationFiles(Number(workerData)).map((file) => readFileSync(file));

parentPort?.on('message', ({ addresses, numbers, columns, next }: Asked) => {
	const fields = columns.map(({ name, ...column }) => ({ id: name, ...column }));
	const rows: { index: number; values: string[] }[] = [];
	for (;;) {
		const index = Atomics.add(next, 0, 1);
		if (index >= addresses.length) break;
		const source = {
			body: bodies[numbers[index]],
			contentType: 'text/html',
			url: addresses[index],
		};
		const [row] = new HtmlDocument(source).rows([], undefined, fields, { from: 0, to: 1 });
		rows.push({ index, values: fields.map(({ id }) => row[id].join('\n')) });
	}
	parentPort?.postMessage({ rows });
});
parentPort?.postMessage('ready');
