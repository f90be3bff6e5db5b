import { PageError } from '../pages/page.ts';
import { reasonOf } from '../errors/thrown.ts';
import type { Assignment } from './assignment.ts';
import { pauseAfter } from './hosts.ts';
import { LostList } from './restarts.ts';
import type { ItemUnderWay } from './sentByJob.ts';
import type { StepAnswers } from './stepAnswers.ts';
import { StoreError } from './storeError.ts';
import type { FailureKind } from './tally.ts';

/** A page that was given up. */
export interface Failure {
	/** The address that failed, where that is known. */
	url: string | undefined;
	reason: string;
	kind: FailureKind;
	tries: number;
}

/** What is worked on. */
export interface About {
	what: string;
	/** Where in the steps that is. */
	position: string;
	/** Absent: it is no item of the list that a batch was split by. */
	underWay?: ItemUnderWay | undefined;
}

/**
 * How often a page may find this machine without something that is there a moment later, before that counts as a try:
 * it may be the page that uses it up.
 */
const maxShortages = 5;

/** How often a page may find its browser ended or hung, before that counts as a try: it may be the page to blame. */
const maxShared = 2;

/**
 * Works on a page, as often as its task says, as long as another try may help; those for which this machine lacked
 * something, or which a browser has cut short that others share, by its end or as it hung, are not counted, unless they have
 * sent something: with one try, that is sent once, also where another process has made that try. A page that
 * fails for good is logged, and its failure returned; so is what nobody has foreseen. Throws a StoreError, a LostList, and
 * the reason of `signal` once that is aborted.
 */
export async function attempt(
	work: (tryNumber: number) => Promise<void>,
	context: Pick<Assignment, 'visits' | 'log' | 'signal' | 'sentByJob' | 'waitsForMachine'> &
		Omit<About, 'position'> & {
			answers: Pick<StepAnswers, 'sent' | 'triedAgain'>;
		},
): Promise<Failure | undefined> {
	const { what, visits, log, signal, underWay, answers } = context;
	const before = underWay?.tries ?? 0;
	const isSentOnce = visits.tries === 1 && underWay?.hadSent !== undefined;
	if (before >= visits.tries || isSentOnce) return notSentAgain(context, Math.max(before, 1));
	let [uncounted, shortages, shared] = [0, 0, 0];
	const begun = answers.sent;
	for (let number = before + 1; ; number += 1) {
		signal.throwIfAborted();
		if (underWay) underWay.tries = number - uncounted;
		const { sent } = answers;
		answers.triedAgain(begun);
		context.sentByJob.leaveStep();
		try {
			await work(number);
			return undefined;
		} catch (error) {
			signal.throwIfAborted();
			if (error instanceof StoreError || error instanceof LostList) throw error;
			if (!(error instanceof PageError)) {
				log.error(error, 'item failed as nobody has foreseen, skipped');
				return { url: undefined, reason: reasonOf(error), kind: 'unforeseen', tries: number };
			}
			const { message: reason, url, outage } = error;
			const hasSent = answers.sent > sent;
			if (outage?.of === 'machine' && !hasSent) {
				const isBack = await context.waitsForMachine(reason);
				if (isBack || shortages < maxShortages) {
					uncounted += 1;
					if (isBack) continue;
					shortages += 1;
					await visits.pause(pauseAfter(shortages));
					continue;
				}
			}
			const isExcused = !hasSent && outage?.isShared === true && shared < maxShared;
			const tries = number - uncounted;
			if (isExcused) [uncounted, shared] = [uncounted + 1, shared + 1];
			const isFinal =
				!outage || tries === visits.tries || (url !== undefined && visits.isDown(url));
			const isLast = isFinal && !isExcused;
			log.warn(
				{ what, try: tries, tries: visits.tries, reason },
				`page failed, ${isLast ? 'skipped' : 'trying again'}`,
			);
			if (isLast) return { url, reason, kind: outage?.of ?? 'page', tries };
			await visits.pause(Math.max(pauseAfter(tries), outage?.retryAfter ?? 0));
		}
	}
}

/** Nobody knows what has come of the last try. */
function notSentAgain(
	{ what, visits, log, underWay }: Pick<Assignment, 'visits' | 'log'> & Omit<About, 'position'>,
	tries: number,
): Failure {
	const reason = `${underWay?.hadSent}, and who had sent it has not come to its end, as where the service was ended; with "tries": ${visits.tries} it is not sent again. Look at the site whether it has gone through, as an order; if not, start the task anew for this one alone`;
	log.warn({ what, try: tries, tries: visits.tries, reason }, 'page failed, skipped');
	return { url: undefined, reason, kind: 'page', tries };
}
