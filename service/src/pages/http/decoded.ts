import { pipeline, type Duplex } from 'node:stream';
import {
	constants,
	createBrotliDecompress,
	createGunzip,
	createInflate,
	createInflateRaw,
	createZstdDecompress,
} from 'node:zlib';

type Body = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/** What a body has come in, and how that is undone. */
type Decoder = Duplex & { bytesWritten: number };

const decoders: Record<string, (firstByte: number | undefined) => Decoder> = {
	gzip: () => createGunzip(),
	'x-gzip': () => createGunzip(),
	// Many send it without its header, whose first byte ends with 8; browsers read both.
	deflate: (firstByte = 0) => (firstByte % 16 === 8 ? createInflate() : createInflateRaw()),
	br: () => createBrotliDecompress(),
	// RFC 9659: a window of 8 MB at most.
	zstd: () => createZstdDecompress({ params: { [constants.ZSTD_d_windowLogMax]: 23 } }),
};

/** Encodings of one body: each takes memory. */
const maxCodings = 5;

/** A body that is not whole, or not in the encoding that its answer names. */
export class BrokenBody extends Error {}

/** A body without its encodings, whole: it throws a BrokenBody where it is not. One that nobody knows stays. */
export function decoded(body: Body, contentEncoding: string): Body {
	const codings = contentEncoding
		.toLowerCase()
		.split(',')
		.map((coding) => coding.trim())
		.filter((coding) => coding !== '' && coding !== 'identity');
	if (codings.length > maxCodings) {
		throw new BrokenBody(`its body has more than ${maxCodings} encodings`);
	}
	if (!codings.every((coding) => Object.hasOwn(decoders, coding))) return body;
	return codings.reduceRight<Body>((encoded, coding) => without(coding, encoded), body);
}

async function* without(coding: string, body: Body): AsyncGenerator<Uint8Array> {
	const chunks = each(body);
	const { value: first } = await chunks.next();
	// Many name an encoding where there is no body.
	if (!first) return;
	let taken = first.length;
	async function* encoded(beginning: Uint8Array) {
		yield beginning;
		for await (const chunk of chunks) {
			taken += chunk.length;
			yield chunk;
		}
	}
	const decoder = decoders[coding]?.(first[0]);
	if (!decoder) return;
	try {
		yield* pipeline(encoded(first), decoder, () => undefined);
	} catch (error) {
		throw brokenBy(error, coding) ?? error;
	}
	// Parts one after the other are one body, of which Node.js may read only the first.
	if (coding === 'zstd' && decoder.bytesWritten < taken) {
		throw new BrokenBody('its body goes on behind its first part (zstd)');
	}
}

async function* each(body: Body): AsyncGenerator<Uint8Array, undefined> {
	yield* body;
}

/** What zlib has thrown of a body; undefined for what others have. */
function brokenBy(error: unknown, coding: string): BrokenBody | undefined {
	if (!(error instanceof Error) || !('code' in error && 'errno' in error)) return undefined;
	const isCut = error.code === 'Z_BUF_ERROR';
	const what = isCut ? 'ends in the middle' : 'cannot be decoded';
	return new BrokenBody(`its body ${what} (${coding}: ${error.message})`);
}
