import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { isMissing, reasonOf } from '../../errors/thrown.ts';
import { endingOf, keyHash, newKey, type KeptKey } from '../apiKeyStore.ts';

/** Reads what is kept of the API key beside a database, or makes one up; its owner alone can read it. */
export function keptApiKey(database: string): KeptKey {
	const file = `${database}.api-key`;
	try {
		const stored = storedText(file);
		const [, digits, ending = ''] = /^sha256 ([\da-f]{64}) ?(.*)$/.exec(stored ?? '') ?? [];
		if (digits !== undefined) {
			chmodSync(file, 0o600);
			return { hash: Buffer.from(digits, 'hex'), ending, place: file };
		}
		// Earlier versions kept the key itself: it counts still, and its owner has it.
		const key = stored ?? newKey();
		const made = { hash: keyHash(key), ending: endingOf(key), place: file };
		const line = `sha256 ${Buffer.from(made.hash).toString('hex')} ${made.ending}`;
		writeFileSync(file, `${line.trim()}\n`, { mode: 0o600 });
		chmodSync(file, 0o600);
		return stored === undefined ? { ...made, key } : made;
	} catch (error) {
		const reason = reasonOf(error);
		throw new Error(
			`The API key in ${file} cannot be used: ${reason}. Remove that file to have a new one, or set SERVICE_API_KEYS.`,
		);
	}
}

function storedText(file: string): string | undefined {
	try {
		return readFileSync(file, 'utf8').trim() || undefined;
	} catch (error) {
		if (isMissing(error)) return undefined;
		throw error;
	}
}
