import { readdirSync, readlinkSync } from 'node:fs';
import { median } from '../measure/measurement.ts';
import { residentMegabytes } from '../measure/processUse.ts';
import { table, whole } from '../report/table.ts';

/** What a process holds at a moment (Linux). */
export interface Sample {
	seconds: number;
	residentMegabytes: number;
	heapMegabytes: number;
	descriptors: number;
	sockets: number;
}

/** Reads a process from /proc, and its heap from the metrics that n8n shows. */
export async function takeSample(pid: number, url: string, seconds: number): Promise<Sample> {
	const metrics = await (await fetch(`${url}/metrics`)).text();
	const links = readdirSync(`/proc/${pid}/fd`).map((name) => linkOf(`/proc/${pid}/fd/${name}`));
	return {
		seconds,
		residentMegabytes: residentMegabytes(pid),
		heapMegabytes: Number(/nodejs_heap_size_used_bytes (\d+)/.exec(metrics)?.[1]) / 1e6,
		descriptors: links.length,
		sockets: links.filter((link) => link.startsWith('socket:')).length,
	};
}

/** The first, the middle and the last third of the samples, side by side. */
export function thirdsTable(samples: Sample[]): string {
	const third = samples.length / 3;
	const thirds = [0, 1, 2].map((index) =>
		samples.slice(Math.round(index * third), Math.round((index + 1) * third)),
	);
	const line = (name: string, read: (sample: Sample) => number) => [
		name,
		...thirds.map((part) => whole(median(part.map(read)))),
		whole(Math.max(...samples.map(read))),
	];
	return table(
		['medians', 'first third', 'middle', 'last third', 'most'],
		[
			line('resident memory, MB', ({ residentMegabytes }) => residentMegabytes),
			line('heap in use, MB', ({ heapMegabytes }) => heapMegabytes),
			line('open descriptors', ({ descriptors }) => descriptors),
			line('open sockets', ({ sockets }) => sockets),
		],
	);
}

/** A descriptor may be closed between being listed and being looked at. */
function linkOf(path: string): string {
	try {
		return readlinkSync(path);
	} catch {
		return '';
	}
}
