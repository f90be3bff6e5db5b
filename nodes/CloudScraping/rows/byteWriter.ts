/** Bytes of the first piece of memory; each further one is twice as large, up to the largest. */
const firstPieceBytes = 4 * 1024;
const maxPieceBytes = 1024 * 1024;

/** No character of a string takes more bytes in UTF-8. */
const maxBytesPerUnit = 3;

/**
 * Collects text as bytes, written at once: a million strings that wait for the end of a file would
 * cost the garbage collector more than all the rest.
 */
export class ByteWriter {
	readonly #full: Buffer[] = [];

	#current = Buffer.alloc(0);

	#used = 0;

	/** Adds text in UTF-8; returns its bytes. */
	write(text: string): number {
		this.#makeRoom(text.length * maxBytesPerUnit);
		const bytes = this.#current.write(text, this.#used, 'utf8');
		this.#used += bytes;
		return bytes;
	}

	/** All that was written, in order. */
	pieces(): Buffer[] {
		return [...this.#full, this.#current.subarray(0, this.#used)];
	}

	#makeRoom(bytes: number): void {
		if (this.#current.length - this.#used >= bytes) return;
		if (this.#used > 0) this.#full.push(this.#current.subarray(0, this.#used));
		const next = Math.min(Math.max(2 * this.#current.length, firstPieceBytes), maxPieceBytes);
		this.#current = Buffer.allocUnsafeSlow(Math.max(next, bytes));
		this.#used = 0;
	}
}
