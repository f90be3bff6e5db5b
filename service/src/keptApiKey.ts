import { randomBytes } from 'node:crypto';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { isMissing } from './isMissing.ts';
import { reasonOf } from './reasonOf.ts';

/** The made-up API key of a service, which its clients keep: it stays the same for one database. */
export interface KeptKey {
	key: string;
	file: string;
}

/** Reads the API key that is kept beside a database, or makes one up; its owner alone can read it. */
export function keptApiKey(database: string): KeptKey {
	const file = `${database}.api-key`;
	try {
		const key = storedKey(file) ?? newKey(file);
		chmodSync(file, 0o600);
		return { key, file };
	} catch (error) {
		const reason = reasonOf(error);
		throw new Error(
			`The API key in ${file} cannot be used: ${reason}. Remove that file to have a new one, or set SERVICE_API_KEYS.`,
		);
	}
}

function storedKey(file: string): string | undefined {
	try {
		return readFileSync(file, 'utf8').trim() || undefined;
	} catch (error) {
		if (isMissing(error)) return undefined;
		throw error;
	}
}

function newKey(file: string): string {
	const key = randomBytes(24).toString('base64url');
	writeFileSync(file, `${key}\n`, { mode: 0o600 });
	return key;
}
