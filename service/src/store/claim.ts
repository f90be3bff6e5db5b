/**
 * The right to work on a job. Whoever claims the job next takes it over, and the end of its batch takes it from
 * all: what is written with an older claim is refused.
 */
export interface Claim {
	batchID: bigint;
	/** The number of the job. */
	job: number;
	/** Which claim of that job it is, from 1 on. */
	number: number;
}

/** What is written with a claim that counts no more, or a claim of what nobody works on any more, is refused with this. */
export class PassedOn extends Error {
	constructor({ batchID, job }: Pick<Claim, 'batchID' | 'job'>) {
		super(`job ${job} of batch ${batchID} is another agent's, or over`);
	}
}
