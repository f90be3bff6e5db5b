import { fstatSync, writeSync } from 'node:fs';
import { Writable } from 'node:stream';

/** Milliseconds after which what a file did not take is written again. */
const pause = 1_000;

/**
 * Standard output or standard error; where that is a file, as a stream in which what does not fit on its disk
 * waits for room, as it waits in a pipe for a reader: Node.js's own stream drops it, and cuts a line.
 */
export function lastingOutput(stream: NodeJS.WriteStream & { fd: number }): Writable {
	const found = fstatSync(stream.fd);
	const isFile = found.isFile() || (found.isCharacterDevice() && !stream.isTTY);
	return isFile ? new LastingFile(stream.fd) : stream;
}

class LastingFile extends Writable {
	readonly #file: number;

	constructor(file: number) {
		super();
		this.#file = file;
	}

	override _write(bytes: Buffer, encoding: BufferEncoding, done: () => void): void {
		const rest = this.#unwritten(bytes);
		if (rest.length === 0) done();
		else setTimeout(() => this._write(rest, encoding, done), pause).unref();
	}

	/** What has waited is written at once. */
	override _writev(chunks: { chunk: Buffer }[], done: () => void): void {
		this._write(Buffer.concat(chunks.map(({ chunk }) => chunk)), 'utf8', done);
	}

	/** Writes bytes, and returns those at their end that there was no room for. */
	#unwritten(bytes: Buffer): Buffer {
		let rest = bytes;
		try {
			while (rest.length > 0) rest = rest.subarray(writeSync(this.#file, rest));
		} catch {
			// Whatever the reason is: it may pass.
		}
		return rest;
	}
}
