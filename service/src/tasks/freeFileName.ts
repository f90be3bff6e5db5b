/** Letters of a file's name that come from the task's. */
const maxLength = 60;

/** A task file's name that no other one has, and that says what the task is called. */
export function freeFileName(name: string, isTaken: (name: string) => boolean): string {
	const plain = name
		.normalize('NFKD')
		.replace(/[^\w]+/g, '-')
		.replace(/^[-_]+|[-_]+$/g, '')
		.toLowerCase()
		.slice(0, maxLength);
	const start = plain === '' ? 'task' : plain;
	let free = `${start}.json`;
	for (let number = 2; isTaken(free); number += 1) free = `${start}-${number}.json`;
	return free;
}
