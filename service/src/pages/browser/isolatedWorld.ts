import type { CDPSession, Page as Tab } from 'playwright-core';
import { documentScript, timersScript, worldName, type DocumentState } from './documentState.ts';

/** Another document has come while something was asked of the one before. */
export class DocumentGone extends Error {}

/** What the browser answers then. */
const gone = /cannot find context|context was destroyed|target navigated|promise was collected/i;

/**
 * The documents of a tab, seen from a world of their own: that has the same elements, but whatever scripts
 * of the page have put in the place of functions and prototypes is not there.
 */
export class IsolatedWorld {
	readonly #session: CDPSession;
	readonly #frameId: string;
	/** The world within the document that is open. */
	#context: Promise<number> | undefined;
	#documentId: string;

	private constructor(session: CDPSession, { id, loaderId }: { id: string; loaderId: string }) {
		this.#session = session;
		this.#frameId = id;
		this.#documentId = loaderId;
		session.on('Page.frameNavigated', ({ frame }) => {
			if (frame.id !== id) return;
			this.#context = undefined;
			this.#documentId = frame.loaderId;
		});
	}

	/** What tells the open document from all others, also those of other tabs. */
	get documentId(): string {
		return this.#documentId;
	}

	/** For a tab that has opened nothing yet. */
	static async of(tab: Tab): Promise<IsolatedWorld> {
		const session = await tab.context().newCDPSession(tab);
		const [{ frameTree }] = await Promise.all([
			session.send('Page.getFrameTree'),
			session.send('Page.enable'),
			session.send('Performance.enable'),
			session.send('Page.addScriptToEvaluateOnNewDocument', {
				source: documentScript,
				worldName,
				runImmediately: true,
			}),
			session.send('Page.addScriptToEvaluateOnNewDocument', {
				source: `(${mute.toString()})(); ${timersScript}`,
			}),
		]);
		return new IsolatedWorld(session, frameTree.frame);
	}

	/**
	 * What a function returns, or promises, in the open document, as JSON has it. The function can use
	 * nothing that is outside of it, and of form elements only what prototypes say: a form's fields
	 * take the places of its own properties. Throws DocumentGone while another document comes.
	 */
	async call<Argument>(
		run: (state: DocumentState, argument: Argument) => unknown,
		argument: Argument,
	): Promise<unknown> {
		const context = (this.#context ??= this.#find());
		try {
			const { result, exceptionDetails } = await this.#session.send('Runtime.callFunctionOn', {
				executionContextId: await context,
				functionDeclaration: declarationOf(run),
				arguments: [{ value: worldName }, { value: argument }],
				returnByValue: true,
				awaitPromise: true,
			});
			if (!exceptionDetails) return result.value;
			const { exception, text } = exceptionDetails;
			throw new Error(exception?.description ?? text);
		} catch (error) {
			if (this.#context === context) this.#context = undefined;
			if (error instanceof Error && gone.test(error.message)) {
				throw new DocumentGone(error.message, { cause: error });
			}
			throw error;
		}
	}

	/** Milliseconds of a processor that the tab has taken for scripts, styles and layout; another process begins anew. */
	async taskTime(): Promise<number> {
		const asked = this.#session.send('Performance.getMetrics');
		const { metrics } = await asked.catch(() => ({ metrics: [] }));
		return 1000 * (metrics.find(({ name }) => name === 'ThreadTime')?.value ?? 0);
	}

	/** Whatever is still loading is left as it is: also a page of which nothing has come. */
	stopLoading(): void {
		void this.#session.send('Page.stopLoading').catch(() => undefined);
	}

	async #find(): Promise<number> {
		const { executionContextId } = await this.#session.send('Page.createIsolatedWorld', {
			frameId: this.#frameId,
			worldName,
		});
		return executionContextId;
	}
}

/** A world of another document may have got the same number: only this one has the state. */
function declarationOf(run: (...args: never[]) => unknown): string {
	return `function (name, argument) {
		if (!Object.hasOwn(globalThis, name)) throw new Error('Cannot find context.');
		return (${run.toString()})(globalThis[name], argument);
	}`;
}

/**
 * Runs in a document before its own scripts, in their world. What they log or fail with goes through the process of the
 * browser, which all tasks share, to nobody: by megabytes, it hangs. Logging is put to a function of the language that does
 * nothing; of what is thrown, a page's own handlers are told, but for `document.open`, which removes these (see FloodGate).
 */
function mute(): void {
	for (const name of ['debug', 'dir', 'error', 'info', 'log', 'table', 'trace', 'warn']) {
		Reflect.set(globalThis.console, name, Function.prototype);
	}
	const { apply } = Reflect;
	const preventDefault: unknown = Reflect.get(Event.prototype, 'preventDefault');
	const toNobody = (event: Event) => {
		if (preventDefault instanceof Function) apply(preventDefault, event, []);
	};
	for (const type of ['error', 'unhandledrejection']) addEventListener(type, toNobody);
}
