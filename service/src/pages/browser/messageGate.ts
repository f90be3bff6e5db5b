import type { ChildProcess } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { Readable } from 'node:stream';
import { floodMark, maxTold } from './flood.ts';

// What Chromium says comes by a pipe, in messages that end with a zero. Playwright makes a text of each: one that is too long
// for a text ends this process, and a long one holds it up. How long an event is, a page decides.

/** Bytes of an answer, as the rows of a page. Texts of Node.js have half a gigabyte. */
const maxAnswer = 400_000_000;
/** Bytes of the beginning and of the end of a message, which say what it is. */
const endBytes = 200;

/** Has the browser that `launch` starts with this executable say nothing that is too long: see MessageGate. */
export async function withMessageGate<Result>(
	executable: string,
	launch: () => Promise<Result>,
): Promise<Result> {
	const onProcess = (message: unknown) => {
		const { process: child } = message as { process: ChildProcess };
		child.once('spawn', () => {
			const pipe = child.stdio[4];
			if (child.spawnfile === executable && pipe instanceof Readable) setGate(pipe);
		});
	};
	subscribe('child_process', onProcess);
	try {
		return await launch();
	} finally {
		unsubscribe('child_process', onProcess);
	}
}

function setGate(pipe: Readable): void {
	const gate = new MessageGate();
	const push = pipe.push.bind(pipe);
	pipe.push = (chunk: Buffer | null) => {
		if (chunk === null) return push(null);
		return gate.through(chunk).reduce((_goesOn, part) => push(part), true);
	};
}

/**
 * Lets messages through once they are whole. In the place of an answer that is too long comes an error; in that of such an
 * event, the mark of a flood.
 */
export class MessageGate {
	#parts: Buffer[] = [];
	#size = 0;
	/** How a long message begins. */
	#head: string | undefined;
	/** How one ends that is too long: nothing else of it is kept. */
	#tail: Buffer | undefined;

	/** What is to be heard of what has come until now. */
	through(chunk: Buffer): Buffer[] {
		const heard: Buffer[] = [];
		let rest = chunk;
		for (let end = rest.indexOf(0); end >= 0; end = rest.indexOf(0)) {
			this.#add(rest.subarray(0, end + 1));
			heard.push(...this.#end());
			rest = rest.subarray(end + 1);
		}
		this.#add(rest);
		return heard;
	}

	#add(part: Buffer): void {
		this.#size += part.length;
		if (this.#tail) {
			this.#tail = Buffer.from(Buffer.concat([this.#tail, part]).subarray(-endBytes));
			return;
		}
		this.#parts.push(part);
		if (this.#size <= maxTold) return;
		this.#head ??= Buffer.concat(this.#parts.slice(0, endBytes)).toString('latin1', 0, endBytes);
		if (idIn(this.#head) !== undefined && this.#size <= maxAnswer) return;
		this.#tail = Buffer.from(Buffer.concat(this.#parts.slice(-endBytes)).subarray(-endBytes));
		this.#parts = [];
	}

	/** With its zero, a message is whole. */
	#end(): Buffer[] {
		const [parts, head = '', tail] = [this.#parts, this.#head, this.#tail];
		[this.#parts, this.#size, this.#head, this.#tail] = [[], 0, undefined, undefined];
		if (!tail) return parts;
		const sessionId = /,"sessionId":"([^"]+)"\}$/.exec(
			tail.toString('latin1', 0, tail.length - 1),
		)?.[1];
		const id = idIn(head);
		if (id !== undefined) {
			const message = `The browser answered with more than ${maxAnswer / 1e6} MB.`;
			return [json({ id, error: { code: -32_000, message }, sessionId })];
		}
		const entry = { source: 'other', level: 'error', text: floodMark, timestamp: 0 };
		return [json({ method: 'Log.entryAdded', params: { entry }, sessionId })];
	}
}

/** The number of the question that a message answers; an event has none. */
function idIn(head: string): number | undefined {
	const id = /^\{"id":(\d+),/.exec(head)?.[1];
	return id === undefined ? undefined : Number(id);
}

function json(message: object): Buffer {
	return Buffer.from(`${JSON.stringify(message)}\0`);
}
