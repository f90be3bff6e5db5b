import '../../support/engine/engineEnvironment';

import { DataDeduplicationService } from 'n8n-core';
import type {
	DeduplicationItemTypes,
	DeduplicationScope,
	ICheckProcessedContextData,
	ICheckProcessedOptions,
	IDataDeduplicator,
	IDeduplicationOutput,
} from 'n8n-workflow';

/** n8n's store of processed data, in memory instead of its database. */
export class ProcessedData implements IDataDeduplicator {
	readonly #stores = new Map<string, Set<string>>();

	/** How often it was asked; n8n reads and writes all entries each time. */
	calls = 0;

	/** How many entries there are over all nodes. */
	get size(): number {
		return [...this.#stores.values()].reduce((sum, { size }) => sum + size, 0);
	}

	forgetAll(): void {
		this.#stores.clear();
	}

	async checkProcessedAndRecord(
		items: DeduplicationItemTypes[],
		scope: DeduplicationScope,
		context: ICheckProcessedContextData,
		{ maxEntries = Infinity }: Partial<ICheckProcessedOptions> = {},
	): Promise<IDeduplicationOutput> {
		this.calls++;
		const store = this.#storeOf(scope, context);
		const output: IDeduplicationOutput = { new: [], processed: [] };
		// As in n8n: all are looked up before any is recorded.
		for (const item of items) (store.has(String(item)) ? output.processed : output.new).push(item);
		for (const item of output.new) store.add(String(item));
		for (const oldest of store) {
			if (store.size <= maxEntries) break;
			store.delete(oldest);
		}
		return await Promise.resolve(output);
	}

	async removeProcessed(
		items: DeduplicationItemTypes[],
		scope: DeduplicationScope,
		context: ICheckProcessedContextData,
	): Promise<void> {
		const store = this.#storeOf(scope, context);
		for (const item of items) store.delete(String(item));
		await Promise.resolve();
	}

	async clearAllProcessedItems(
		scope: DeduplicationScope,
		context: ICheckProcessedContextData,
	): Promise<void> {
		this.#storeOf(scope, context).clear();
		await Promise.resolve();
	}

	async getProcessedDataCount(
		scope: DeduplicationScope,
		context: ICheckProcessedContextData,
	): Promise<number> {
		return await Promise.resolve(this.#storeOf(scope, context).size);
	}

	#storeOf(scope: DeduplicationScope, { workflow, node }: ICheckProcessedContextData): Set<string> {
		const key = JSON.stringify([workflow.id, scope === 'node' ? node?.name : '']);
		const store = this.#stores.get(key) ?? new Set<string>();
		this.#stores.set(key, store);
		return store;
	}
}

/** n8n-core takes one store, and once in a process. */
const processed = new ProcessedData();
let isTaken = false;

/** Gives n8n-core its store of processed data, empty before each test of the block. */
export function useProcessedData(): ProcessedData {
	beforeAll(async () => {
		if (!isTaken) await DataDeduplicationService.init(processed);
		isTaken = true;
	});
	beforeEach(() => {
		processed.forgetAll();
	});
	return processed;
}
