import { pino } from 'pino';
import { rowsAtOnce } from '../../service/src/pages/page.ts';
import { status } from '../../service/src/store/batch.ts';
import type { NewBatch } from '../../service/src/store/batchStore.ts';
import { openStore, type StorePlace } from '../../service/src/store/openStore.ts';
import type { NewRow } from '../../service/src/store/rowStore.ts';
import type { Stores } from '../../service/src/store/stores.ts';

/** A batch to read: all rows have all five columns. */
export interface FilledBatch {
	taskID: string;
	batchID: string;
	rows: number;
	/** Column name by field id. */
	columns: Record<string, string>;
}

const taskID = '27794092-2457-4125-a9c6-a62c60d7000b';

const fields = [
	{ id: 'b605049c-1518-493f-b8ed-396e0d953cfe', name: 'Name' },
	{ id: '17a2b81a-d7a1-46c2-811d-e2b0c60ddb42', name: 'Category' },
	{ id: '3fe00d86-4eca-4c48-bae0-79f4fdd96fc3', name: 'Price' },
	{ id: '0b55c802-5149-4a9f-b176-426a03cf7429', name: 'Link' },
	{ id: '43028d75-d9bf-452b-81c1-61d03e6256b4', name: 'Description' },
];

const categories = ['Garden & Patio', 'Kitchen', 'Office', 'Toys "R" Fun', 'Sport, Outdoor'];

/**
 * Puts finished batches with so many rows each into the database of a service that is not
 * running; scraping as many would take hours. `jobCount`: what each is split into.
 */
export async function fillStore(
	place: StorePlace,
	rowCounts: number[],
	jobCount = 1,
): Promise<FilledBatch[]> {
	const store = await openStore(place, { log: pino({ level: 'silent' }) });
	try {
		const filled: FilledBatch[] = [];
		for (const count of rowCounts) filled.push(await fillBatch(store, count, jobCount));
		return filled;
	} finally {
		await store.close();
	}
}

async function fillBatch(
	{ batches, jobs, rows }: Stores,
	count: number,
	jobCount: number,
): Promise<FilledBatch> {
	const { id } = await batches.create(newBatch(jobCount));
	await batches.markRunning(id);
	const most = rowsAtOnce(5);
	for (let job = 0; job < jobCount; job += 1) {
		const claim = await jobs.claim(id, job);
		const end = Math.round(((job + 1) * count) / jobCount);
		for (let first = Math.round((job * count) / jobCount); first < end; first += most) {
			const length = Math.min(most, end - first);
			// As many as an agent stores at once.
			await rows.append(
				claim,
				Array.from({ length }, (_, index) => newRow(first + index)),
			);
		}
		await jobs.markDone(claim);
	}
	await batches.end(id, status.successful);
	const columns = Object.fromEntries(fields.map((field) => [field.id, field.name]));
	return { taskID, batchID: String(id), rows: count, columns };
}

/** A batch to write rows into, which no agent works on. */
export function newBatch(jobCount: number): NewBatch {
	return {
		taskID,
		task: '{}',
		region: 'us',
		nodeCount: 1,
		requestID: 'bench',
		fields,
		jobs: Array.from({ length: jobCount }, (_, job) => ({ first: job, end: job + 1 })),
	};
}

/** About 400 bytes of JSON, of which the keys are half, as UUIDs are. */
export function newRow(number: number): NewRow {
	const values = [
		`Product ${number} – ${(number * 7919) % 100_003}`,
		categories[number % categories.length],
		`$${((number * 37) % 100_000) / 100}`,
		`https://shop.example.com/products/${number.toString(36)}`,
		`Item ${number} ships in ${(number % 9) + 1} days.\nReturns: ${(number % 30) + 1} days, "as new".`,
	];
	const content = JSON.stringify(
		Object.fromEntries(fields.map(({ id }, index) => [id, values[index]])),
	);
	return { position: String(number), content };
}
