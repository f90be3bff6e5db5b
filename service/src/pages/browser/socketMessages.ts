import type { WebSocket } from 'playwright-core';
import { z } from 'zod';
import type { DataFailures } from './dataFailures.ts';
import { placeNameOf, withoutNumbers } from './requestKinds.ts';

// What a page sends by a socket is a request like any other, and what it receives next is the answer to the oldest one:
// whether it is one, nobody knows, unless it names the id of what it answers. Some of what pages send has none, or one for
// several, and some is sent all the time.

/** Milliseconds for an answer. */
const answerTimeout = 10_000;
/** Milliseconds after which a message that nothing has come for by the end of a step has been waited for. */
const waitedTime = 3_000;
/** Milliseconds for a socket to open, and for the first message on it. */
const openingTimeout = 2_000;
/** So often in a row is waited in vain: for messages alike, for those of a place, and for a socket to be opened there. */
const maxWaits = 2;
/** So many messages alike in one step, each sent by itself, are sent all the time: to be answered at once, or not at all. */
const maxBeats = 3;
/** Milliseconds since anything else on its socket, after which a message was sent by itself. */
const beatPause = 50;
/** Milliseconds in which what is asked for all the time is answered. */
const beatTime = 250;
/** Once one was answered, the next ones have twice the time that its answer took, and milliseconds more than that at least. */
const leastLonger = 500;
/** How much of a message is looked at, and so many of one step. */
const maxKind = 200;
const maxMessages = 100;
/** Characters of one that is looked through. */
const maxParsed = 1_000_000;

/** A message that a page has sent by a socket. */
export class SentMessage {
	readonly socket: WebSocket;
	readonly place: string;
	/** The same for messages that differ by their numbers only. */
	readonly kind: string;
	/** By which its answer may name it. */
	readonly id: string | undefined;
	readonly at = performance.now();

	constructor(socket: WebSocket, payload: string | Buffer) {
		const said = typeof payload === 'string' ? payload : payload.toString('latin1');
		this.id = idIn(payload);
		this.socket = socket;
		this.place = placeNameOf(socket);
		this.kind = `${this.place} ${withoutNumbers(said.slice(0, maxKind))}`;
	}

	url(): string {
		return this.socket.url();
	}
}

/** Who is told what a page asks for, and when that has come; `isData`: that it has waited for. */
interface Listener {
	asked(asked: SentMessage | WebSocket): void;
	ended(asked: SentMessage | WebSocket, isData: boolean): unknown;
}

/** The messages that a page has sent by its sockets since the last action, and that nothing has come for. */
export class SocketMessages {
	readonly #listener: Listener;
	readonly #failures: DataFailures;
	readonly #answered: (socket: WebSocket, said: string) => void;
	readonly #unanswered = new Set<SentMessage>();
	/** Sockets on which nothing was sent or received yet. */
	readonly #opening = new Map<WebSocket, NodeJS.Timeout>();
	/** When anything was sent or received on a socket last, by the monotonic clock. */
	readonly #last = new WeakMap<WebSocket, number>();
	/** How many messages of a kind were sent by themselves since the last action. */
	readonly #beats = new Map<string, number>();
	/** Sockets whose answers name what they answer. */
	readonly #byId = new WeakSet<WebSocket>();
	/** How often in a row was waited in vain for messages of a kind, or of a place. */
	readonly #waits = new Map<string, number>();

	/** `answered`: is told what has come for a message. */
	constructor(
		listener: Listener,
		failures: DataFailures,
		answered: (socket: WebSocket, said: string) => void,
	) {
		[this.#listener, this.#failures, this.#answered] = [listener, failures, answered];
	}

	get unanswered(): SentMessage[] {
		return [...this.#unanswered];
	}

	/** An action begins. */
	begin(): void {
		this.giveUp(waitedTime);
		this.#end(() => true);
		this.#beats.clear();
	}

	/** Another page comes: the sockets of this one are closed without a word. */
	leave(): void {
		this.#end(() => true);
		for (const [socket, timer] of this.#opening) {
			clearTimeout(timer);
			this.#listener.ended(socket, false);
		}
		this.#opening.clear();
	}

	/** What nothing has come for in so many milliseconds is waited for no longer. */
	giveUp(time = answerTimeout): void {
		const now = performance.now();
		for (const { kind, place } of this.#end(({ at }) => now - at >= time)) {
			this.#noteWait(kind);
			this.#noteWait(place);
		}
	}

	watch(socket: WebSocket): void {
		this.#open(socket);
		socket.on('framesent', ({ payload }) => {
			this.#opened(socket, true);
			this.#sent(new SentMessage(socket, payload));
		});
		socket.on('framereceived', ({ payload }) => {
			this.#opened(socket, true);
			this.#failures.forgetSocket(socket);
			this.#last.set(socket, performance.now());
			this.#waits.delete(placeNameOf(socket));
			const answered = this.#end(this.#answeredBy(socket, payload), true);
			if (answered.length > 0 && isShort(payload)) this.#answered(socket, payload);
			for (const { kind, at } of answered) {
				this.#waits.delete(kind);
				if (performance.now() - at >= beatTime) this.#beats.delete(kind);
			}
			const [oldest] = answered;
			if (oldest) this.#awaitOthers(oldest);
		});
		socket.on('socketerror', (why) => {
			if (!this.#last.has(socket)) this.#failures.noteSocket(socket, why);
		});
		socket.on('close', () => {
			this.#opened(socket, false);
			this.#end((each) => each.socket === socket);
		});
	}

	/** Which messages this is the answer to: the oldest on its socket, or the one whose id it names. */
	#answeredBy(socket: WebSocket, payload: string | Buffer): (message: SentMessage) => boolean {
		const ofSocket = this.#on(socket);
		const id = idIn(payload);
		const named = ofSocket.find((each) => each.id !== undefined && each.id === id);
		if (named) this.#byId.add(socket);
		const isOpen = (each: SentMessage) => each.id === undefined || !this.#byId.has(socket);
		const answered = named ?? ofSocket.find(isOpen);
		return (each) => each === answered;
	}

	/** The others without an id on the socket of an answered message may have answers of their own; or that was for all of them. */
	#awaitOthers({ socket, at }: SentMessage): void {
		const now = performance.now();
		const time = now - at;
		for (const other of this.#on(socket)) {
			if (other.id !== undefined && this.#byId.has(socket)) continue;
			const left = Math.max(other.at + time - now, 0) + Math.max(time, leastLonger);
			setTimeout(() => this.#end((each) => each === other, true), left).unref();
		}
	}

	/** What is unanswered on a socket, the oldest first. */
	#on(socket: WebSocket): SentMessage[] {
		return this.unanswered.filter((each) => each.socket === socket);
	}

	/** Waits for its first message. */
	#open(socket: WebSocket): void {
		if (this.#isKnown(openingOf(socket))) return;
		this.#listener.asked(socket);
		const timer = setTimeout(() => this.#opened(socket, false), openingTimeout);
		this.#opening.set(socket, timer.unref());
	}

	/** `isUsed`: something was sent or received on it. */
	#opened(socket: WebSocket, isUsed: boolean): void {
		clearTimeout(this.#opening.get(socket));
		if (!this.#opening.delete(socket)) return;
		if (isUsed) this.#waits.delete(openingOf(socket));
		else this.#noteWait(openingOf(socket));
		this.#listener.ended(socket, false);
	}

	#sent(message: SentMessage): void {
		const { socket, place, kind, at } = message;
		const isByItself = at - (this.#last.get(socket) ?? -Infinity) >= beatPause;
		this.#last.set(socket, at);
		if (this.#isKnown(place) || this.#isKnown(kind)) return;
		if (Math.max(this.#beats.size, this.#unanswered.size) >= maxMessages) return;
		const beats = (this.#beats.get(kind) ?? 0) + Number(isByItself);
		this.#beats.set(kind, beats);
		if (beats >= maxBeats) {
			this.#waits.set(kind, maxWaits);
			this.#end((each) => each.kind === kind);
			return;
		}
		this.#unanswered.add(message);
		this.#listener.asked(message);
	}

	/** Waits no longer for some messages, and returns them. */
	#end(isOver: (message: SentMessage) => boolean, isData = false): SentMessage[] {
		const ended = this.unanswered.filter(isOver);
		for (const each of ended) {
			this.#unanswered.delete(each);
			this.#listener.ended(each, isData);
		}
		return ended;
	}

	/** Whether something was waited for in vain so often that it is not waited for any more. */
	#isKnown(name: string): boolean {
		return (this.#waits.get(name) ?? 0) >= maxWaits;
	}

	#noteWait(name: string): void {
		this.#waits.set(name, (this.#waits.get(name) ?? 0) + 1);
	}
}

const withId = z.object({ id: z.union([z.string(), z.number()]) });

/** The `id` of a message in JSON, as of JSON-RPC and GraphQL; undefined: it has none, or is long. */
function idIn(payload: string | Buffer): string | undefined {
	if (!isShort(payload)) return undefined;
	try {
		const { data } = withId.safeParse(JSON.parse(payload));
		return data && String(data.id);
	} catch {
		return undefined;
	}
}

function isShort(payload: string | Buffer): payload is string {
	return typeof payload === 'string' && payload.length <= maxParsed;
}

function openingOf(socket: WebSocket): string {
	return `opening ${placeNameOf(socket)}`;
}
