import { status } from '../../service/src/store/batch.ts';
import { BatchStore } from '../../service/src/store/batchStore.ts';
import { openDatabase } from '../../service/src/store/database.ts';
import { JobStore } from '../../service/src/store/jobStore.ts';
import { RowStore } from '../../service/src/store/rowStore.ts';

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

const rowsATransaction = 10_000;

/**
 * Puts finished batches with so many rows each into the database file of a service that is not
 * running. Scraping as many would take hours.
 */
export function fillStore(path: string, rowCounts: number[]): FilledBatch[] {
	const database = openDatabase(path);
	try {
		const batches = new BatchStore(database);
		const jobs = new JobStore(database);
		const rows = new RowStore(database);
		return rowCounts.map((count) => {
			const { id } = batches.create({
				taskID,
				task: '{}',
				region: 'us',
				nodeCount: 1,
				requestID: 'bench',
				fields,
				jobs: [{ first: 0, end: 1 }],
			});
			batches.markRunning(id);
			for (let first = 0; first < count; first += rowsATransaction) {
				const length = Math.min(rowsATransaction, count - first);
				rows.append(
					id,
					0,
					Array.from({ length }, (_, index) => newRow(first + index)),
				);
			}
			jobs.markDone(id, 0);
			batches.end(id, status.successful);
			const columns = Object.fromEntries(fields.map((field) => [field.id, field.name]));
			return { taskID, batchID: String(id), rows: count, columns };
		});
	} finally {
		database.close();
	}
}

/** About 400 bytes of JSON, of which the keys are half, as UUIDs are. */
function newRow(number: number) {
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
