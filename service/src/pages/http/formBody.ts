import { hash } from 'node:crypto';
import { percentEncoded } from '../absoluteAddress.ts';

/** What a form says: of a field for files, that none is chosen. */
export type FormValue = [name: string, value: string, isFile?: boolean];

/** A form as it is sent with POST. */
export interface FormBody {
	contentType: string;
	body: Uint8Array;
}

/** Bytes of the encoding of a form. */
type Encoded = (text: string) => Buffer;

/** The values of a form in the way that its `enctype` names, as browsers send them (HTML, "form submission"). */
export function formBody(
	values: FormValue[],
	{ enctype = '', encoding }: { enctype?: string | undefined; encoding: string },
): FormBody {
	const encoded: Encoded = (text) => bytesOf(text, encoding);
	const lines = values.map(([name, value, isFile]): FormValue => {
		return [withLineEnds(name), withLineEnds(value), isFile];
	});
	if (/^text\/plain$/i.test(enctype)) {
		const text = lines.map(([name, value]) => `${name}=${value}\r\n`).join('');
		return { contentType: 'text/plain', body: encoded(text) };
	}
	if (/^multipart\/form-data$/i.test(enctype)) return multipart(lines, encoded);
	const body = Buffer.from(urlencoded(values, encoding));
	return { contentType: 'application/x-www-form-urlencoded', body };
}

/** The same as the query of an address. */
export function urlencoded(values: FormValue[], encoding: string): string {
	const encoded = (text: string) => percentEncoded(text, encoding, inForms);
	return values
		.map(([name, value]) => `${encoded(withLineEnds(name))}=${encoded(withLineEnds(value))}`)
		.join('&');
}

/** What forms escape in any encoding. */
const inForms = { escaped: ' !"#$%&\'()+,/:;<=>?@[\\]^`{|}~', spaceAsPlus: true };

function multipart(values: FormValue[], encoded: Encoded): FormBody {
	// That none of the values has it in it, is as good as certain.
	const boundary = `----${hash('sha256', JSON.stringify(values)).slice(0, 32)}`;
	const parts = values.map(([name, value, isFile]) => {
		const said = name.replaceAll('\r\n', '%0D%0A').replaceAll('"', '%22');
		const file = isFile ? '; filename=""\r\nContent-Type: application/octet-stream' : '';
		const head = `--${boundary}\r\nContent-Disposition: form-data; name="${said}"${file}`;
		return encoded(`${head}\r\n\r\n${value}\r\n`);
	});
	return {
		contentType: `multipart/form-data; boundary=${boundary}`,
		body: Buffer.concat([...parts, Buffer.from(`--${boundary}--\r\n`)]),
	};
}

function withLineEnds(text: string): string {
	return text.replace(/\r\n?|\n/g, '\r\n');
}

function bytesOf(text: string, encoding: string): Buffer {
	const escaped = percentEncoded(text, encoding, { escaped: '%' });
	const byte = (_: string, hex: string) => String.fromCharCode(parseInt(hex, 16));
	return Buffer.from(escaped.replace(/%([\dA-F]{2})/g, byte), 'latin1');
}
