import { chmodSync, lstatSync, readFileSync, writeFileSync } from 'node:fs';
import { isMissing, reasonOf } from '../../errors/thrown.ts';
import { endingOf, keyHash, newKey, type KeptKey } from '../apiKeyStore.ts';

/** What the file beside a database says of the API key that was made up. */
interface KeyFile {
	hash: Uint8Array;
	ending: string;
	/** The key itself, which earlier versions kept. */
	key?: string;
}

/** Reads what is kept of the API key beside a database, for its owner alone; undefined: there is none. */
export function keptApiKey(database: string): KeptKey | undefined {
	const place = fileBeside(database);
	return forPeople(place, () => {
		const stored = storedKey(database);
		if (!stored) return undefined;
		const { hash, ending, key } = stored;
		// One that an earlier version kept counts still, and its owner has it.
		if (key === undefined) chmodSync(place, 0o600);
		else write(place, stored);
		return { hash, ending, place };
	});
}

/** Makes one up. */
export function makeApiKey(database: string): KeptKey {
	const place = fileBeside(database);
	const key = newKey();
	const made = { hash: keyHash(key), ending: endingOf(key), key, place };
	forPeople(place, () => write(place, made));
	return made;
}

function write(file: string, { hash, ending }: KeyFile): void {
	const line = `sha256 ${Buffer.from(hash).toString('hex')} ${ending}`;
	writeFileSync(file, `${line.trim()}\n`, { mode: 0o600 });
	chmodSync(file, 0o600);
}

function forPeople<Result>(file: string, work: () => Result): Result {
	try {
		return work();
	} catch (error) {
		throw new Error(
			`The API key in ${file} cannot be used: ${reasonOf(error)}. Remove that file to have a new one, or set SERVICE_API_KEYS.`,
		);
	}
}

/** The same, and nothing is written. */
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
		// What a link leads to is another's, and a pipe has no end.
		if (!lstatSync(file).isFile())
			throw new Error('it is a link, a folder or another thing that is no file');
		return readFileSync(file, 'utf8').trim() || undefined;
	} catch (error) {
		if (isMissing(error)) return undefined;
		throw error;
	}
}
