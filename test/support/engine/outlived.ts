import { AsyncLocalStorage } from 'node:async_hooks';

const contextOfTest = new AsyncLocalStorage<{ isOver: boolean }>();

/** Runs a test; what it leaves behind, such as a stop that is tried again, is outlived afterwards. */
export async function asTest(run: () => Promise<void>): Promise<void> {
	const context = { isOver: false };
	try {
		await contextOfTest.run(context, run);
	} finally {
		context.isOver = true;
	}
}

/** Whether what asks was left behind by a test that is over. */
export function isOutlived(): boolean {
	return contextOfTest.getStore()?.isOver ?? false;
}
