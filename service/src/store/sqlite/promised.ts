/** What is done at once here, as others see it: node:sqlite waits for nobody, and its errors are rejections. */
export function promised<Result>(work: () => Result): Promise<Result> {
	return new Promise((resolve) => resolve(work()));
}
