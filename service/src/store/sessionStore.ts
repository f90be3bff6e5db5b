import { randomBytes } from 'node:crypto';
import { numberIn, textIn, type Columns } from './columns.ts';

/** Milliseconds for which a session lasts. */
export const sessionLength = 30 * 24 * 60 * 60 * 1000;

/** Characters that are kept of what a browser calls itself. */
const maxBrowser = 300;

/** Somebody who has come into the console. */
export interface Session {
	id: number;
	/** The hash of the API key that has let them in; absent: the link of a start has. */
	apiKey?: Uint8Array;
	/** What their browser calls itself (`User-Agent`). */
	browser: string;
	/** Milliseconds since 1970. */
	createTime: number;
}

/** Who has come into the console, by the token in their cookie; that itself is not kept. */
export interface SessionStore {
	/** Begins a session and resolves to its token. `apiKey`: the hash of the key that has opened it. */
	begin(browser: string, apiKey?: Uint8Array): Promise<string>;
	/** A session that lasts. */
	find(token: string): Promise<Session | undefined>;
	/** Those that last, the newest first. */
	list(): Promise<Session[]>;
	/** Ends one; one that is not there has ended before. */
	end(id: number): Promise<void>;
	endAll(): Promise<void>;
}

/** A token that nobody guesses. */
export function newToken(): string {
	return randomBytes(32).toString('base64url');
}

/** What is kept of what a browser calls itself. */
export function keptBrowser(name: string): string {
	return name.slice(0, maxBrowser).toWellFormed();
}

/** Reads a row of the table `console_sessions`. */
export function sessionFrom(columns: Columns): Session {
	return {
		id: numberIn(columns, 'id'),
		...(columns.key_hash instanceof Uint8Array && { apiKey: columns.key_hash }),
		browser: textIn(columns, 'browser'),
		createTime: numberIn(columns, 'create_time'),
	};
}
