import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { isMissing, reasonOf } from '../../errors/thrown.ts';
import { endingOf, keyHash, newKey, type KeptKey } from '../apiKeyStore.ts';

/** What the file beside a database says of the API key that was made up. */
interface KeyFile {
	hash: Uint8Array;
	ending: string;
	/** The key itself, which earlier versions kept. */
	key?: string;
}

/** Reads what is kept of the API key beside a database, or makes one up; its owner alone can read it. */
export function keptApiKey(database: string): KeptKey {
	const file = fileBeside(database);
	try {
		const stored = storedKey(database);
		if (stored && stored.key === undefined) {
			chmodSync(file, 0o600);
			return { ...stored, place: file };
		}
		// One that an earlier version kept counts still, and its owner has it.
		const key = newKey();
		const made = stored ?? { hash: keyHash(key), ending: endingOf(key) };
		const line = `sha256 ${Buffer.from(made.hash).toString('hex')} ${made.ending}`;
		writeFileSync(file, `${line.trim()}\n`, { mode: 0o600 });
		chmodSync(file, 0o600);
		const { hash, ending } = made;
		return stored ? { hash, ending, place: file } : { hash, ending, place: file, key };
	} catch (error) {
		const reason = reasonOf(error);
		throw new Error(
			`The API key in ${file} cannot be used: ${reason}. Remove that file to have a new one, or set SERVICE_API_KEYS.`,
		);
	}
}

/** The same without making one up: undefined if there is none. */
export function storedKey(database: string): KeyFile | undefined {
	const text = storedText(fileBeside(database));
	if (text === undefined) return undefined;
	const [, digits, ending = ''] = /^sha256 ([\da-f]{64}) ?(.*)$/.exec(text) ?? [];
	return digits === undefined
		? { hash: keyHash(text), ending: endingOf(text), key: text }
		: { hash: Buffer.from(digits, 'hex'), ending };
}

function fileBeside(database: string): string {
	return `${database}.api-key`;
}

function storedText(file: string): string | undefined {
	try {
		return readFileSync(file, 'utf8').trim() || undefined;
	} catch (error) {
		if (isMissing(error)) return undefined;
		throw error;
	}
}
