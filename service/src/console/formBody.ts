import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ServiceError } from '../errors/serviceError.ts';

/** Fields of a form: no page has so many. */
const maxFields = 1_000;
/** Bytes of all that a form holds, decoded: where it has a mistake, a page shows all of it again. */
const maxForm = 6 * 1024 * 1024;

const [plus, percent, space, carriageReturn, lineFeed] = [0x2b, 0x25, 0x20, 0x0d, 0x0a];

/** Has forms read as `formIn` does. */
export function takeForms(server: FastifyInstance): void {
	const type = 'application/x-www-form-urlencoded';
	server.addContentTypeParser<string>(
		type,
		{ parseAs: 'string' },
		(_request: FastifyRequest, body: string) => Promise.resolve(body).then(formIn),
	);
}

/**
 * What a form holds, by the names of its fields; the last one of a name counts. Node.js would take a second for a text
 * of 15 MiB that is all spaces, in which nobody else had a turn. Throws a ServiceError where that is too much.
 */
export function formIn(body: string): Record<string, string> {
	const entries = body.split('&', maxFields).flatMap((field): [string, string][] => {
		const [name = ''] = field.split('=', 1);
		return field === '' ? [] : [[decoded(name), decoded(field.slice(name.length + 1))]];
	});
	const bytes = entries.flat().reduce((sum, text) => sum + Buffer.byteLength(text), 0);
	if (bytes > maxForm) throw tooLarge;
	return Object.fromEntries(entries);
}

const tooLarge = new ServiceError(
	'tooLarge',
	'The form holds more than 6 MiB. Nothing was done with it: longer lists can be given at a start by the API (actionParams).',
);

/** A plus is a space, each line break a single sign; what encodes no sign stays as it is. */
function decoded(text: string): string {
	const bytes = Buffer.from(text);
	let end = 0;
	let before = 0;
	for (let at = 0; at < bytes.length; at += 1) {
		let byte = bytes[at] ?? 0;
		if (byte === plus) byte = space;
		if (byte === percent) {
			const code = digitOf(bytes[at + 1]) * 16 + digitOf(bytes[at + 2]);
			if (!Number.isNaN(code)) {
				byte = code;
				at += 2;
			}
		}
		if (byte !== lineFeed || before !== carriageReturn) {
			bytes[end] = byte === carriageReturn ? lineFeed : byte;
			end += 1;
		}
		before = byte;
	}
	return bytes.toString('utf8', 0, end);
}

/** The value of a hexadecimal digit; NaN for any other sign. */
function digitOf(byte = 0): number {
	const lower = byte | 0x20;
	if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
	return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : NaN;
}
