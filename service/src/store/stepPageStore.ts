/** What a page may be that others of its step are compared with: it asks for no password, or has its end. */
export type PageKind = 'withoutPassword' | 'whole';

/** Which kinds of pages the steps of a batch have had. */
export interface StepPageStore {
	/** A step has had one. Nothing is kept of a batch that is gone. */
	note(batchID: bigint, step: string, kind: PageKind): Promise<void>;
	has(batchID: bigint, step: string, kind: PageKind): Promise<boolean>;
}
