/** Bytes as a text of as many characters. */
export function latin1({ buffer, byteOffset, byteLength }: Uint8Array): string {
	return Buffer.from(buffer, byteOffset, byteLength).toString('latin1');
}
