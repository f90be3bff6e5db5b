/** One line that says how far the bench is; on a terminal it replaces the one before. */
export class Progress {
	readonly #total: number;
	readonly #start = performance.now();
	#done = 0;

	constructor(total: number) {
		this.#total = total;
	}

	next(what: string): void {
		const percent = Math.floor((100 * this.#done) / this.#total);
		const seconds = Math.round((performance.now() - this.#start) / 1000);
		const line = `${String(percent).padStart(3)} %  ${seconds} s  ${what}`;
		if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${line}`);
		else if (this.#done % 20 === 0) process.stderr.write(`${line}\n`);
		this.#done++;
	}

	end(): void {
		if (process.stderr.isTTY) process.stderr.write('\r\x1b[K');
	}
}
