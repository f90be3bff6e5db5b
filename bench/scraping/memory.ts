import { residentMegabytes } from '../measure/processUse.ts';
import { table, whole } from '../report/table.ts';
import { columns } from './columns.ts';
import { startScrapingService } from './service.ts';

/** The service's resident memory once it had scraped so many pages. */
export interface MemorySample {
	pages: number;
	megabytes: number;
}

/** Lets a new service scrape the addresses in one run, and looks at its memory on the way. */
export async function memoryOver(
	addresses: string[],
	atOnce: number,
	lookAt: number[],
): Promise<MemorySample[]> {
	const service = await startScrapingService(atOnce, { columns });
	const samples: MemorySample[] = [];
	service.lookAtRows = (count) => {
		while (samples.length < lookAt.length && count >= lookAt[samples.length]) {
			samples.push({ pages: count, megabytes: residentMegabytes(service.pid) });
		}
	};
	try {
		await service.scrape(addresses, atOnce);
	} finally {
		await service.stop();
	}
	return samples;
}

export function memoryTable(samples: MemorySample[]): string {
	const rows = samples.map(({ pages, megabytes }) => [whole(pages), whole(megabytes)]);
	return table(['pages so far', 'resident memory, MB'], rows);
}
