/** Does one thing after the other, in the order in which they were asked for. */
export class OneByOne {
	#last: Promise<unknown> = Promise.resolve();

	/** Does it when all that was asked for before has ended, well or not. */
	async run<T>(work: () => Promise<T>): Promise<T> {
		const result = this.#last.then(work);
		this.#last = result.catch(() => {});
		return await result;
	}
}
