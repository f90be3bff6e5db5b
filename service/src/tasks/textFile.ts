import { hash, randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { lstat, open, readFile, rename, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isMissing, reasonOf } from '../errors/thrown.ts';

/** A file as a person edits it: its line breaks are single ones. */
export interface TextFile {
	text: string;
	/** Of its bytes. */
	hash: string;
	encoding: 'UTF-8' | 'UTF-16' | 'Windows-1252';
	hasMark: boolean;
	lineBreak: '\n' | '\r\n';
}

/** For reading: a link in the place of a file is not followed. */
export const noLinks = constants.O_RDONLY | constants.O_NOFOLLOW;

/** Bytes of a file that can be edited in a browser with ease. */
const maxBytes = 2 * 1024 * 1024;

/**
 * Reads a file that is UTF-8, without its byte order mark. Throws an Error for people where it is something else:
 * its letters would be read as others.
 */
export async function readUtf8(path: string): Promise<string> {
	const bytes = await readFile(path, { flag: noLinks });
	try {
		return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
	} catch (cause) {
		throw new Error('It is not UTF-8: save it in that encoding', { cause });
	}
}

/**
 * Reads a file whatever its encoding, so that no character of it is lost; undefined if it is gone.
 * Throws an Error for people where it cannot be edited.
 */
export async function openTextFile(path: string): Promise<TextFile | undefined> {
	let bytes: Buffer;
	try {
		const found = await lstat(path);
		if (found.isSymbolicLink()) throw new Error('it is a link');
		if (!found.isFile()) throw new Error('it is not a file');
		if (found.size > maxBytes) throw new Error('it is larger than 2 MiB');
		bytes = await readFile(path, { flag: noLinks });
	} catch (error) {
		if (isMissing(error)) return undefined;
		throw new Error(`It cannot be opened here: ${reasonOf(error)}.`, { cause: error });
	}
	const { text, ...rest } = decoded(bytes);
	if (text.includes('\0')) throw new Error('It cannot be opened here: it is not text.');
	return {
		...rest,
		text: text.replace(/\r\n?/g, '\n'),
		hash: hash('sha256', bytes),
		lineBreak: /\r\n/.test(text) && !/[^\r]\n/.test(text) ? '\r\n' : '\n',
	};
}

function decoded(bytes: Buffer): Pick<TextFile, 'text' | 'encoding' | 'hasMark'> {
	for (const name of ['utf-16le', 'utf-16be'] as const) {
		const mark = name === 'utf-16le' ? [0xff, 0xfe] : [0xfe, 0xff];
		if (bytes[0] !== mark[0] || bytes[1] !== mark[1]) continue;
		return { text: new TextDecoder(name).decode(bytes), encoding: 'UTF-16', hasMark: true };
	}
	const hasMark = bytes.subarray(0, 3).equals(Buffer.from('\uFEFF'));
	try {
		const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
		return { text, encoding: 'UTF-8', hasMark };
	} catch {
		// It has a character for each byte.
		const text = new TextDecoder('windows-1252').decode(bytes);
		return { text, encoding: 'Windows-1252', hasMark: false };
	}
}

/**
 * Writes a text, with single line breaks, in the place of a file: all of it or nothing, in UTF-8, with
 * the mark, the line breaks and the rights that the file has. Resolves to the hash of its bytes; throws
 * an Error for people.
 */
export async function saveTextFile(
	path: string,
	text: string,
	{ hasMark, lineBreak }: Pick<TextFile, 'hasMark' | 'lineBreak'>,
): Promise<string> {
	const bytes = `${hasMark ? '\uFEFF' : ''}${text.replaceAll('\n', lineBreak)}`;
	// Hidden, so that nobody takes it for a task.
	const draft = join(dirname(path), `.${randomUUID()}.tmp`);
	try {
		await writeLike(path, draft, bytes);
		await rename(draft, path);
		return hash('sha256', bytes);
	} catch (error) {
		await unlink(draft).catch(() => undefined);
		throw unsaved(dirname(path), error);
	}
}

/** Writes a new file with the rights of another one, if that is there. */
async function writeLike(like: string, path: string, content: string): Promise<void> {
	const { mode, uid, gid } = await lstat(like).catch(() => ({ mode: 0o644, uid: -1, gid: -1 }));
	const file = await open(path, 'wx', 0o600);
	try {
		await file.writeFile(content);
		const own = await file.stat();
		// Only an administrator can give a file away: for others it stays their own.
		if (uid !== -1 && (own.uid !== uid || own.gid !== gid)) {
			await file.chown(uid, gid).catch(() => undefined);
		}
		await file.chmod(mode & 0o7777);
		await file.sync();
	} finally {
		await file.close();
	}
}

function unsaved(folder: string, error: unknown): Error {
	const code = error instanceof Error && 'code' in error ? error.code : undefined;
	if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') {
		return new Error(
			`The folder ${folder} is read-only for the service. Give it the right to write there, or copy your text into the file with another program.`,
			{ cause: error },
		);
	}
	return new Error(`It could not be saved: ${reasonOf(error)}.`, { cause: error });
}
