import { isContenderName } from '../contenders/contender.ts';
import type { Contender, ReadJob } from '../contenders/contender.ts';
import { tellParent } from '../ground/child.ts';
import type { Measurement } from './measurement.ts';
import { peakMemory, resetPeak } from './memory.ts';

/** The process of one contender: it gets jobs from its parent, one at a time, and measures each. */
interface ContenderModule {
	begin: () => Promise<void>;
	read: Contender;
	end: () => Promise<void>;
}

async function load(name: string): Promise<ContenderModule> {
	if (!isContenderName(name)) throw new Error(`There is no contender ${name}`);
	switch (name) {
		case 'node':
			return await import('../contenders/node.ts');
		case 'httpRequest':
			return await import('../contenders/httpRequest.ts');
		case 'undici':
			return await import('../contenders/undici.ts');
	}
}

const contender = await load(process.argv[2]);
await contender.begin();
globalThis.gc?.();
const startBytes = process.memoryUsage().rss;

async function measure(job: ReadJob): Promise<Measurement> {
	globalThis.gc?.();
	resetPeak();
	const cpu = process.cpuUsage();
	const start = performance.now();
	const rows = await contender.read(job);
	const milliseconds = performance.now() - start;
	const { user, system } = process.cpuUsage(cpu);
	return {
		rows,
		milliseconds,
		cpuMilliseconds: (user + system) / 1000,
		peakBytes: peakMemory() - startBytes,
	};
}

process.on('message', (job: ReadJob) => {
	void measure(job).then(tellParent, (error: unknown) =>
		tellParent(error instanceof Error ? (error.stack ?? error.message) : String(error)),
	);
});
process.on('disconnect', () => void contender.end().then(() => process.exit(0)));
tellParent('ready');
