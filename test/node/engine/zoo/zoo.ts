import { createServer } from 'node:http';
import type { ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';

import type { Species } from './species';

const batchID = 1001;

/** What a service says of a page. */
interface Answer {
	status?: number;
	headers?: Record<string, string>;
	body: object;
}

/** One drawn service: its state, and its answers to the two requests that read (sections 4.3, 4.4). */
class Animal {
	readonly #species: Species;

	#rows: number;

	#requests = 0;

	readonly #asked = new Map<number, number>();

	readonly #failed = new Map<string, number>();

	constructor(drawn: Species) {
		this.#species = drawn;
		this.#rows = drawn.rows;
	}

	/** Rows that the batch has by now. */
	get rows(): number {
		return this.#rows;
	}

	async answer(url: URL): Promise<Answer | 'reset' | 'cut'> {
		const nth = this.#requests++;
		const { delays, faults } = this.#species;
		await wait(delays[nth % delays.length]);
		const fault = faults[nth % faults.length];
		const failed = this.#failed.get(url.search) ?? 0;
		if (fault !== 'none' && failed < 2) {
			this.#failed.set(url.search, failed + 1);
			if (fault === 'reset' || fault === 'cut') return fault;
			return { status: Number(fault), headers: { 'retry-after': '0' }, body: {} };
		}
		const numbers = {
			page: Number(url.searchParams.get('page')),
			size: Number(url.searchParams.get('size')),
		};
		return url.pathname.endsWith('/batches') ? this.#batches(numbers) : this.#data(nth, numbers);
	}

	#batches({ page, size }: Pagination): Answer {
		const { isRunning, lineCount } = this.#species;
		const batch = {
			batchID,
			taskID: 'zoo',
			status: isRunning ? 2 : 3,
			startTime: 1,
			endTime: isRunning ? 0 : 2,
			fields: [{ id: 'n', name: 'n' }],
			...(lineCount !== 'absent' && {
				lineCount: lineCount === 'text' ? String(this.#rows) : this.#rows,
			}),
		};
		return success({ list: page === 1 ? [batch] : [], pagination: { page, size, total: 1 } });
	}

	#data(nth: number, { page, size }: Pagination): Answer {
		const { cap, growth, lags, leftOut, totalIsOff, totalIsZero } = this.#species;
		const isCapped = page >= cap.fromPage && size > cap.size;
		if (isCapped && cap.how === 'refused') {
			return { status: 400, body: { code: 9000001, msg: `size ${size}`, data: null } };
		}
		const used = isCapped ? cap.size : size;
		const first = (page - 1) * used;

		const times = this.#asked.get(page) ?? 0;
		this.#asked.set(page, times + 1);
		const lag = lags.find((one) => one.page === page && times < one.times);
		const there = Math.max(0, Math.min(this.#rows, first + used) - (lag?.rows ?? 0));
		const list = Array.from({ length: Math.max(0, there - first) }, (_row, index) => first + index)
			.filter((row) => !leftOut.includes(row))
			.map((row) => JSON.stringify({ n: row }));

		const counted = lag?.isCounted ? there : this.#rows;
		const total = totalIsZero ? 0 : Math.max(0, counted + totalIsOff);
		this.#rows += growth[nth] ?? 0;
		const echoed = isCapped && cap.how === 'echoed' ? used : size;
		return success({ list, pagination: { page, size: echoed, total } });
	}
}

interface Pagination {
	page: number;
	size: number;
}

function success(data: object): Answer {
	return { body: { code: 0, msg: '', data } };
}

/** All services that were drawn, each below a path of its own of one server on loopback. */
export async function openZoo() {
	const animals = new Map<string, Animal>();
	const server = createServer((request, response) => {
		const url = new URL(request.url ?? '', 'http://zoo');
		const animal = animals.get(url.pathname.split('/')[1]);
		void animal?.answer(url).then((answer) => write(response, answer));
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const address = server.address();
	if (address === null || typeof address === 'string') throw new Error('The zoo has no port.');

	let nextName = 0;
	return {
		/** Lets a service in; `credential` reaches it. */
		admit(drawn: Species) {
			const name = String(nextName++);
			const animal = new Animal(drawn);
			animals.set(name, animal);
			const baseUrl = `http://127.0.0.1:${address.port}/${name}`;
			return {
				animal,
				credential: { baseUrl, apiKey: 'zoo-key' },
				leave: () => animals.delete(name),
			};
		},
		async close() {
			server.closeAllConnections();
			await new Promise<void>((resolve) => server.close(() => resolve()));
		},
	};
}

function write(response: ServerResponse, answer: Answer | 'reset' | 'cut'): void {
	if (answer === 'reset') {
		response.socket?.resetAndDestroy();
	} else if (answer === 'cut') {
		response.writeHead(200, { 'content-length': '1000' });
		response.write('{"code":0,', () => response.socket?.destroy());
	} else {
		response.writeHead(answer.status ?? 200, answer.headers);
		response.end(JSON.stringify(answer.body));
	}
}
