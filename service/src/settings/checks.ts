import { existsSync, statSync } from 'node:fs';
import { isIP } from 'node:net';
import { extname, join } from 'node:path';
import { z } from 'zod';
import { isProxyUrl } from '../pages/proxy.ts';
import { regions } from '../store/batch.ts';

// What a setting may be. What is said of a value that is none follows the name of the setting.

/** Names by which the service may be asked, and origins that are its own for browsers. */
export interface AllowedHosts {
	/** In lower case; those of the origins among them. */
	names: string[];
	origins: string[];
}

const mistake = (rest: string) => ({
	error: ({ input }: { input?: unknown }) => `is "${String(input)}"${rest}`,
});

export function integer(from: number, to: number) {
	const isOne = (text: string) => /^\d+$/.test(text) && Number(text) >= from && Number(text) <= to;
	return z
		.string()
		.refine(isOne, mistake(`. Set it to an integer from ${from} to ${to}.`))
		.transform(Number);
}

export function oneOf<const Names extends readonly string[]>(names: Names) {
	return z.enum(names, mistake(`. Set it to one of ${names.join(', ')}.`));
}

export const onOrOff = z.stringbool({
	truthy: ['true'],
	falsy: ['false'],
	case: 'sensitive',
	...mistake('. Set it to true or false.'),
});

export const list = z.string().transform(entriesOf);

export const hosts = z
	.string()
	.refine((text) => wrongHostIn(text) === undefined, {
		error: ({ input }) =>
			`has "${wrongHostIn(String(input))}". Set it to names of hosts, each whole (none stands for those below it), and to origins such as https://scraper.example where browsers reach the service through a proxy, comma-separated.`,
	})
	.transform((text): AllowedHosts => {
		const entries = entriesOf(text);
		const origins = entries.filter(isOrigin).map((entry) => new URL(entry).origin);
		return { names: entries.map(hostOf), origins };
	});

/** Without what may follow: the paths of the service begin at its root. */
export const origin = z
	.string()
	.refine(
		(text) => isOrigin(text.replace(/\/$/, '')),
		mistake(
			'. Set it to the address by which others reach the service: http:// or https://, a host, and its port where it has one of its own, such as https://scraping.example.com. No path follows.',
		),
	)
	.transform((text) => new URL(text).origin);

/** How the database is called in a folder for it. */
export const databaseName = 'service.db';

/**
 * A file of a database, or a folder for one. SQLite takes some names for something else: a database in
 * memory, or an address with settings of its own.
 */
export const database = z
	.string()
	.refine(
		(path) => !/^(:|file:|[a-z][a-z\d+.-]*:\/\/)/i.test(path),
		mistake(
			`, which is not the path of a file. Set it to one, such as ${join('data', databaseName)}: what is stored has to be there after a restart.`,
		),
	)
	.transform((path) => (isForFolder(path) ? join(path, databaseName) : path));

/** Those that `pg` knows; all but the first two check the certificate. */
const sslModes = ['disable', 'no-verify', 'prefer', 'require', 'verify-ca', 'verify-full'];
const sslModeOf = (address: string) => URL.parse(address)?.searchParams.get('sslmode') ?? null;

/** What is no address is not said: it has a password. */
export const postgres = z
	.string()
	.refine((address) => /^postgres(ql)?:\/\/./i.test(address) && URL.canParse(address), {
		error:
			'is not the address of a PostgreSQL. Set it to one, such as postgres://host:5432/database with user and password before the host, or to nothing, for the file of SERVICE_DATA.',
	})
	.refine((address) => [null, ...sslModes].includes(sslModeOf(address)), {
		error: ({ input }) =>
			`has the sslmode "${sslModeOf(String(input))}", which is none. Set it to verify-full, which encrypts and checks the certificate of the server, to no-verify, which encrypts, or to disable.`,
	});

/** Where a batch can be worked on. */
type Region = (typeof regions)[number];

const allRegions = regions.join(', ');

export const regionList = z
	.string()
	.refine((text) => entriesOf(text).every(isRegion), {
		error: ({ input }) =>
			`has "${entriesOf(String(input)).find((entry) => !isRegion(entry))}", which is no region. Set it to some of ${allRegions}, comma-separated.`,
	})
	.transform((text): readonly Region[] => regions.filter((one) => entriesOf(text).includes(one)));

/** Proxies may have passwords, which are not said. */
export const regionProxies = z
	.string()
	.refine((text) => entriesOf(text).every((entry) => wrongProxy(entry) === undefined), {
		error: ({ input }) => {
			const entries = entriesOf(String(input));
			const place = entries.findIndex((entry) => wrongProxy(entry) !== undefined);
			return `has as entry ${place + 1} ${wrongProxy(entries[place] ?? '')}. Set it to proxies by region, such as jp=http://host:8080,gb=http://host:8081.`;
		},
	})
	.refine((text) => twiceIn(text) === undefined, {
		error: ({ input }) => `has ${twiceIn(String(input))} twice. Name one proxy for each region.`,
	})
	.transform((text): Partial<Record<string, string>> =>
		Object.fromEntries(entriesOf(text).map(regionAndProxy)),
	);

function isRegion(text: string): text is Region {
	return regions.some((one) => one === text);
}

function regionAndProxy(entry: string): [region: string, proxy: string] {
	const [region = ''] = entry.split('=', 1);
	return [region.trim(), entry.slice(region.length + 1).trim()];
}

/** A region that has two proxies. */
function twiceIn(text: string): string | undefined {
	const named = entriesOf(text).map((entry) => regionAndProxy(entry)[0]);
	return named.find((region, index) => named.indexOf(region) !== index);
}

/** What is wrong with an entry of the proxies; undefined: nothing. */
function wrongProxy(entry: string): string | undefined {
	const [region, proxy] = regionAndProxy(entry);
	// What stands before the first "=" may be an address with a password.
	if (!/^\w*$/.test(region)) return 'no region before its "="';
	if (!isRegion(region)) return `"${region}", which is no region (${allRegions})`;
	if (!isProxyUrl(proxy)) return `${region} without the http or https address of a proxy`;
	return undefined;
}

export const folder = z
	.string()
	.refine(isFolder, mistake(', which is not a folder. Set it to a folder of task files.'));

/** What is there says itself what it is; of what is not, the name does: files have an extension. */
function isForFolder(path: string): boolean {
	return existsSync(path) ? isFolder(path) : extname(path) === '';
}

export function isFolder(path: string): boolean {
	return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function entriesOf(text: string): string[] {
	return text
		.split(',')
		.map((entry) => entry.trim())
		.filter((entry) => entry !== '');
}

function wrongHostIn(text: string): string | undefined {
	return entriesOf(text).find((entry) => !isHost(hostOf(entry)));
}

/** The host of an origin, or what is one already. */
function hostOf(entry: string): string {
	if (!isOrigin(entry)) return entry.toLowerCase();
	return new URL(entry).hostname.replace(/^\[|\]$/g, '');
}

/** Whether there can be a host of this name or address. */
function isHost(name: string): boolean {
	return /^[\w-]+(\.[\w-]+)*\.?$/.test(name) || isIP(name) > 0;
}

function isOrigin(text: string): boolean {
	return /^https?:\/\/[^/?#@]+$/i.test(text) && URL.canParse(text);
}
