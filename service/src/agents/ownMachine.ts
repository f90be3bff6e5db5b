import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import type { Page } from '../pages/page.ts';
import type { RequestSettings } from '../pages/requestSettings.ts';
import type { Task } from '../tasks/task.ts';

/** Opens a page for an agent, which `signal` calls off. */
export type OpenPage = (signal: AbortSignal, settings: RequestSettings) => Page;

/** A kind of page, as tasks name it. */
type Kind = Task['page'];

/** How pages of a kind are opened here. */
export interface PageKind {
	open: OpenPage;
	/** Whether the machine has what that takes, without asking a site: threads, files, a browser that starts. */
	canOpen(): Promise<boolean>;
}

/** A kind that is missing cannot be had here. */
export type PageKinds = Partial<Record<Kind, PageKind>>;

/** Milliseconds between two looks whether what was lacking is there, and how often agents ask what came of them. */
const pause = 5_000;
const pulse = 500;

/**
 * What this machine itself needs to open pages, and may lack for a while: a browser that starts, threads, files. That
 * costs no page: a page that fails by it is tried again when it is there, here or in another process.
 */
export class OwnMachine {
	readonly #kinds: PageKinds;
	readonly #log: FastifyBaseLogger;
	readonly #onBack: () => void;
	readonly #end = new AbortController();
	/** Why pages of a kind cannot be opened, for people. */
	readonly #lacks = new Map<Kind, string>();

	/** `onBack` is told when pages of a kind can be opened again. */
	constructor(kinds: PageKinds, log: FastifyBaseLogger, onBack: () => void) {
		this.#kinds = kinds;
		this.#log = log;
		this.#onBack = onBack;
	}

	/** The kinds of pages that can be opened now. */
	get able(): Kind[] {
		return kindsOf(this.#kinds).filter((kind) => !this.#lacks.has(kind));
	}

	/** Why pages of a kind cannot be opened, for people; undefined: they can, or never could. */
	whyUnable(kind: Kind): string | undefined {
		return this.#lacks.get(kind);
	}

	/** A page of a kind has failed for want of something: whether that is still lacking. */
	async lacks(kind: Kind, reason: string): Promise<boolean> {
		if (this.#lacks.has(kind)) return true;
		if (await this.#kinds[kind]?.canOpen()) return false;
		// Of several that ask at once, one is to look.
		if (this.#lacks.has(kind)) return true;
		this.#lacks.set(kind, reason);
		this.#log.error({ page: kind, reason }, 'pages cannot be opened here, looking again');
		void this.#look(kind);
		return true;
	}

	/** Resolves when pages of a kind can be opened again; throws the reason of `signal` when that is aborted before. */
	async untilAble(kind: Kind, signal: AbortSignal): Promise<void> {
		while (this.#lacks.has(kind)) await sleep(pulse, undefined, { signal });
	}

	close(): void {
		this.#end.abort();
	}

	async #look(kind: Kind): Promise<void> {
		const { signal } = this.#end;
		do {
			await sleep(pause, undefined, { signal, ref: false }).catch(() => undefined);
			if (signal.aborted) return;
		} while (!(await this.#kinds[kind]?.canOpen()));
		this.#lacks.delete(kind);
		this.#log.info({ page: kind }, 'pages can be opened here again');
		this.#onBack();
	}
}

function kindsOf(kinds: PageKinds): Kind[] {
	return (['http', 'browser'] as const).filter((kind) => kinds[kind]);
}
