import { randomUUID } from 'node:crypto';
import { listAt, objectAt, textAt } from '../../playground/json.ts';
import type { JsonObject } from '../../playground/json.ts';

const rowsAtOnce = 1000;

/** The three calls of the service's API that a scraping client needs. */
export class CloudApi {
	readonly #baseUrl: string;
	readonly #apiKey: string;

	constructor({ baseUrl, apiKey }: { baseUrl: string; apiKey: string }) {
		this.#baseUrl = baseUrl;
		this.#apiKey = apiKey;
	}

	/** Starts a task and returns the id of its batch. */
	async start(body: JsonObject): Promise<string> {
		return textAt(await this.#call('start', {}, JSON.stringify(body)), 'batchID');
	}

	/** How far one of the newest batches of a task is. */
	async batch(taskID: string, batchID: string): Promise<{ isEnded: boolean; rows: number }> {
		const data = await this.#call('batches', { taskID, page: '1', size: '20', orderBy: '0' });
		const batch = listAt(data, 'list')
			.map((entry) => objectAt(entry))
			.find((entry) => entry.batchID === batchID);
		if (!batch) throw new Error(`The service does not list batch ${batchID}.`);
		return { isEnded: Number(batch.status) >= 3, rows: Number(batch.lineCount) };
	}

	/** All rows of a batch: value by field id. */
	async rows(batchID: string): Promise<JsonObject[]> {
		const rows: JsonObject[] = [];
		for (let page = 1; ; page += 1) {
			const query = { batchID, page: String(page), size: String(rowsAtOnce), preview: 'false' };
			const data = await this.#call('data', query);
			const list = listAt(data, 'list').map((row) => objectAt(JSON.parse(String(row))));
			rows.push(...list);
			if (list.length < rowsAtOnce) return rows;
		}
	}

	async #call(path: string, query: Record<string, string>, body?: string): Promise<JsonObject> {
		const search = new URLSearchParams(query).toString();
		const response = await fetch(`${this.#baseUrl}/cloud/${path}?${search}`, {
			method: body === undefined ? 'GET' : 'POST',
			headers: {
				authorization: `Bearer ${this.#apiKey}`,
				'x-cp-request-id': randomUUID(),
				...(body !== undefined && { 'content-type': 'application/json' }),
			},
			body,
		});
		// Identifiers may be larger than a number of JavaScript holds: they become texts.
		const text = (await response.text()).replace(/"batchID":(\d+)/g, '"batchID":"$1"');
		const answer = objectAt(JSON.parse(text));
		if (answer.code !== 0) throw new Error(`/cloud/${path} answered ${text.slice(0, 300)}`);
		return objectAt(answer, 'data');
	}
}
