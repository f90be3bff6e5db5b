import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * Does something and resolves to the longest that nothing else had a turn meanwhile: so long a request
 * would have waited. In milliseconds of this thread's own work, whatever else the machine does.
 */
export async function longestTurn(work: () => unknown): Promise<number> {
	let isDone = false;
	let longest = 0;
	const watch = async () => {
		for (let before = process.threadCpuUsage(); !isDone; before = process.threadCpuUsage()) {
			await nextTurn();
			const { user, system } = process.threadCpuUsage(before);
			longest = Math.max(longest, (user + system) / 1000);
		}
	};
	const watching = watch();
	try {
		await work();
	} finally {
		isDone = true;
	}
	await watching;
	return longest;
}
