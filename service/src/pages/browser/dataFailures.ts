import type { Request, WebSocket } from 'playwright-core';
import type { PageError } from '../page.ts';
import type { DataPlaces } from './dataPlaces.ts';
import { socketRefusal } from './failures.ts';
import { refuse } from './refusedRequests.ts';
import { asksOnly, firstOf, isOfSameSite, nameOf, placeKindOf, placeOf } from './requestKinds.ts';

/** What sites answer where who asks is not the one who may; 419 and 440 where a session has ended. */
export const barred = 401;
const barring = new Set([barred, 403, 419, 440]);

/** Of what a page sends after one action, so much is kept in mind. */
const maxSent = 100;

/** Data that has not come. */
interface Failure {
	error: PageError;
	/** What has failed, as `nameOf` has it: redirects may have led there. */
	name: string;
	/** Of what was asked first. */
	host: string;
	/** The same without what was asked of it. */
	place: string;
	/** That of the first address that was asked, without its numbers. */
	kind: string;
	/** Whether it may come if it is asked for once more. */
	mayCome: boolean;
	/** Whether its site has answered. */
	isAnswered: boolean;
	/** Whether its page may not read the answer. */
	isHidden: boolean;
	/** Whether the site has refused it to who asks, as to one whose session has ended; or has it no more. */
	isBarred: boolean;
	isGone: boolean;
	/** Whether to ask for it changes nothing at its site. */
	isSafe: boolean;
	/** When that was seen, by the monotonic clock. */
	at: number;
}

/** The data that a page has asked for since the last action, and that has failed to come. */
export class DataFailures {
	/** By what was asked: a script may have asked again, and got it. */
	#failures = new Map<string, Failure>();
	/** Those of the action before, which have not come since; and whether a number tells each of them from others. */
	#before = this.#failures;
	#areNumbered = false;
	/** What the action lacked until a script asked again: the one that had asked first may have put its failure in the place of all. */
	#late: Failure[] = [];
	#isAgain = false;
	/** What was sent since the action began, and may change something at its site. */
	#sent: Request[] = [];
	/** The kinds of places that have given data. */
	readonly #gaveData: DataPlaces;
	/** Places that never did, of other sites or of which no page may read the answers, and without which a page was read: who counts visitors, say. */
	readonly #needless = new Set<string>();

	constructor(gaveData: DataPlaces) {
		this.#gaveData = gaveData;
	}

	/** An action begins. */
	begin(): void {
		this.#before = this.#failures;
		this.#areNumbered = this.#before.size > 0 && [...this.#before.keys()].every(isNumbered);
		this.#late = [];
		this.#sent = [];
		if (!this.#isAgain) this.#failures = new Map();
		this.#isAgain = false;
	}

	/** What is data, or brings a document. */
	asked(request: Request): void {
		if (!asksOnly(request) && this.#sent.length < maxSent) this.#sent.push(request);
	}

	/** What was sent, by a form or a script, and may have been counted: it was not refused. */
	get sent(): Request[] {
		return this.#sent.filter((each) => {
			const failure = this.#failures.get(nameOf(firstOf(each)));
			// What has led on to what was refused was none.
			return !failure?.isAnswered || failure.name !== nameOf(each);
		});
	}

	/** What the action before lacked is lacking still. */
	resume(): void {
		this.#failures = this.#before;
	}

	/** The next action is the last one once more: what that lacks is lacking until just that has come. */
	again(): void {
		this.#isAgain = true;
	}

	/** `status`: of its answer, if there is one. */
	note(request: Request, error: PageError, status = 0): void {
		if (status > 0) refuse(request);
		// A log-in that it has led to may be elsewhere.
		const first = firstOf(request);
		const isHidden = status === 0 && error.outage?.of === 'answer';
		const how = { name: nameOf(request), error, isHidden, isSafe: asksOnly(request) };
		this.#failures.set(nameOf(first), failureOf(first, how, status));
	}

	/** A socket was not opened. Of those that never were, a page may have no need: some sites have none where they ask for one. */
	noteSocket(socket: WebSocket, why: string): void {
		const { error, status } = socketRefusal(socket, why);
		const how = { name: socket.url(), error, isHidden: true, isSafe: true };
		this.#failures.set(socket.url(), failureOf(socket, how, status));
	}

	/** Something has come by a socket. */
	forgetSocket(socket: WebSocket): void {
		this.#forget(socket.url());
		this.#gaveData.add(placeKindOf(socket));
	}

	/** It has come, or has another answer. */
	forget(request: Request): void {
		this.#forget(nameOf(firstOf(request)));
	}

	#forget(name: string): void {
		const failure = this.#failures.get(name);
		if (failure) this.#late.push(failure);
		this.#failures.delete(name);
		this.#before.delete(name);
	}

	/** Whether just that has come which the action before lacked: no site that counts by itself has gone on by that. */
	get isMadeUp(): boolean {
		return this.#areNumbered && this.#before.size === 0 && this.#failures.size === 0;
	}

	/** Whether the action before lacks that still, and this one lacks nothing: a page that counts by itself has gone on. */
	get isPassedOver(): boolean {
		return this.#areNumbered && this.#before.size > 0 && this.#failures.size === 0;
	}

	get all(): Failure[] {
		return [...this.#failures.values()];
	}

	/** Those, and what came late. */
	get ever(): Failure[] {
		return [...this.all, ...this.#late];
	}

	/** Something was read of a page of the site of that host, whatever has not come. `answering`: places that have answered. */
	noteRead(host: string, answering: ReadonlySet<string>): void {
		for (const { host: from, place, isHidden } of this.all) {
			const isElsewhere = isHidden || !isOfSameSite(from, host);
			if (isElsewhere && !answering.has(place)) this.#needless.add(place);
		}
	}

	/** Whether one is of the site of that host, or of another one that has given such data before. */
	isOwn({ host: from, place, kind, mayCome, isHidden }: Failure, host: string): boolean {
		if (mayCome ? this.#gaveData.hasToAny(kind) : this.#gaveData.has(kind)) return true;
		return isOfSameSite(from, host) && !(isHidden && this.#needless.has(place));
	}

	/** Whether one counts for a page of the site of that host: also what others have refused for now, that may be needed. */
	counts(failure: Failure, host: string): boolean {
		if (this.isOwn(failure, host)) return true;
		return failure.isAnswered && failure.mayCome && !this.#needless.has(failure.place);
	}
}

/** `status`: of the answer, if there is one. */
function failureOf(
	first: { url(): string },
	how: Pick<Failure, 'name' | 'error' | 'isHidden' | 'isSafe'>,
	status = 0,
): Failure {
	const { host, name: place } = placeOf(first);
	const [isBarred, isGone] = [barring.has(status), status === 404 || status === 410];
	const [mayCome, isAnswered] = [how.error.outage !== undefined, status > 0];
	const what = { host, place, kind: placeKindOf(first), mayCome, isAnswered, isBarred, isGone };
	return { ...how, ...what, at: performance.now() };
}

/** Whether what was asked for says by a number which part it is, as of a list: in what was asked of its place, or sent there. */
function isNumbered(name: string): boolean {
	const [, url = '', ...sent] = name.split(' ');
	const { pathname = '', search = '' } = URL.parse(url) ?? {};
	return /\d/.test(`${pathname.split('/').at(-1)} ${search} ${sent.join(' ')}`);
}
