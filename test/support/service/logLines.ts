/** A line of the service's log. */
export type LogLine = Record<string, unknown>;

/** The lines that say how a batch has ended: each batch has one. */
const ends = new Set([
	'batch successful',
	'batch stopped',
	'batch ended by a fault',
	'batch cannot go on, stopped',
]);

/**
 * Resolves once the log has a line with these properties; `next` resolves as soon as it has more lines. Where
 * they say how a batch ends, and it has ended otherwise, it rejects with what the log has of that batch: a line
 * that never comes would be waited for until the test's time is over, and nothing would say why.
 */
export async function loggedLine(
	log: LogLine[],
	next: () => Promise<unknown>,
	properties: LogLine,
	from = 0,
): Promise<void> {
	const wanted = Object.entries(properties);
	const isWanted = (line: LogLine) => wanted.every(([name, value]) => line[name] === value);
	const { batchID, msg } = properties;
	while (!log.slice(from).some(isWanted)) {
		const own = log.filter((line) => batchID !== undefined && line.batchID === batchID);
		if (ends.has(String(msg)) && own.some((line) => ends.has(String(line.msg)))) {
			const lines = own.map((line) => JSON.stringify(line)).join('\n');
			throw new Error(`No line ${JSON.stringify(properties)}, but\n${lines}`);
		}
		await next();
	}
}
