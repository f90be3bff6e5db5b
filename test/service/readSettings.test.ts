import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { readSettings, settings } from '../../service/src/settings/settings.ts';
import { unknownSettings } from '../../service/src/settings/unknownSettings.ts';
import { userFolder } from '../../service/src/settings/userFolder.ts';
import { startService } from '../support/service/startService';

test.each([
	[{ SERVICE_PORT: '70000' }, 'SERVICE_PORT is "70000". Set it to an integer from 0 to 65535.'],
	[{ SERVICE_PORT: 'http' }, 'SERVICE_PORT is "http". Set it to an integer from 0 to 65535.'],
	[
		{ SERVICE_ALLOWED_HOSTS: 'one.example,https://two.example/path' },
		'SERVICE_ALLOWED_HOSTS has "https://two.example/path". Set it to names of hosts, each whole (none stands for those below it), and to origins such as https://scraper.example where browsers reach the service through a proxy, comma-separated.',
	],
	...[
		'.example.com',
		'*.example.com',
		'one..example',
		'https://.example.com',
		'https://*.example.com',
	].map((name): [Record<string, string>, string] => [
		{ SERVICE_ALLOWED_HOSTS: name },
		`SERVICE_ALLOWED_HOSTS has "${name}". Set it to names of hosts, each whole (none stands for those below it), and to origins such as https://scraper.example where browsers reach the service through a proxy, comma-separated.`,
	]),
	...[
		'scraping.example.com',
		'ftp://scraping.example.com',
		'https://scraping.example.com/below',
		'https://user@scraping.example.com',
		'https://:80',
	].map((address): [Record<string, string>, string] => [
		{ SERVICE_ADDRESS: address },
		`SERVICE_ADDRESS is "${address}". Set it to the address by which others reach the service: http:// or https://, a host, and its port where it has one of its own, such as https://scraping.example.com. No path follows.`,
	]),
	...[':memory:', ':rows', 'file:rows.db?mode=memory', 'FILE:rows.db', 'sqlite://rows.db'].map(
		(path): [Record<string, string>, string] => [
			{ SERVICE_DATA: path },
			`SERVICE_DATA is "${path}", which is not the path of a file. Set it to one, such as ${join('data', 'service.db')}: what is stored has to be there after a restart.`,
		],
	),
	...['mysql://user:a-secret@host/x', 'user:a-secret@host/x', 'postgres://'].map(
		(address): [Record<string, string>, string] => [
			{ SERVICE_DATABASE: address },
			'SERVICE_DATABASE is not the address of a PostgreSQL. Set it to one, such as postgres://host:5432/database with user and password before the host, or to nothing, for the file of SERVICE_DATA.',
		],
	),
	[
		{ SERVICE_DATABASE: 'postgres://user:a-secret@host/x?sslmode=verify_full' },
		'SERVICE_DATABASE has the sslmode "verify_full", which is none. Set it to verify-full, which encrypts and checks the certificate of the server, to no-verify, which encrypts, or to disable.',
	],
	[{ SERVICE_AGENTS: '1001' }, 'SERVICE_AGENTS is "1001". Set it to an integer from 0 to 1000.'],
	[
		{ SERVICE_REGIONS: 'us, fr' },
		'SERVICE_REGIONS has "fr", which is no region. Set it to some of us, gb, hk, jp, comma-separated.',
	],
	...[
		[
			'us=http://host:1, fr=http://user:a-secret@host:2',
			'2 "fr", which is no region (us, gb, hk, jp)',
		],
		['jp', '1 jp without the http or https address of a proxy'],
		['jp=host:8080', '1 jp without the http or https address of a proxy'],
		['http://user:a-secret@host?a=b', '1 no region before its "="'],
	].map(([proxies = '', mistake]): [Record<string, string>, string] => [
		{ SERVICE_REGION_PROXIES: proxies },
		`SERVICE_REGION_PROXIES has as entry ${mistake}. Set it to proxies by region, such as jp=http://host:8080,gb=http://host:8081.`,
	]),
	[
		{ SERVICE_REGION_PROXIES: 'jp=http://a, jp=http://b' },
		'SERVICE_REGION_PROXIES has jp twice. Name one proxy for each region.',
	],
	[{ SERVICE_AGENTS: '1.5' }, 'SERVICE_AGENTS is "1.5". Set it to an integer from 0 to 1000.'],
	[{ SERVICE_KEEP_DAYS: '0' }, 'SERVICE_KEEP_DAYS is "0". Set it to an integer from 1 to 36500.'],
	[{ SERVICE_LARGE_IDS: '1' }, 'SERVICE_LARGE_IDS is "1". Set it to true or false.'],
	[
		{ SERVICE_LOG_LEVEL: 'loud' },
		'SERVICE_LOG_LEVEL is "loud". Set it to one of trace, debug, info, warn, error, fatal, silent.',
	],
	[{ SERVICE_ERRORS_AS_200: 'yes' }, 'SERVICE_ERRORS_AS_200 is "yes". Set it to true or false.'],
	[
		{ SERVICE_TASKS: '/nowhere' },
		'SERVICE_TASKS is "/nowhere", which is not a folder. Set it to a folder of task files.',
	],
])('%j is refused by name, with what to write', (settings, message) => {
	expect(() => readSettings(settings)).toThrow(new Error(message));
});

test('a flag goes before its variable, is refused by its own name, and what is empty is not set', () => {
	const env = { SERVICE_PORT: '1', SERVICE_LARGE_IDS: 'true', SERVICE_AGENTS: '2' };
	expect(readSettings(env, { port: '2', 'large-ids': 'false', agents: '' })).toMatchObject({
		port: 2,
		largeIds: false,
		agents: 4,
	});
	expect(() => readSettings(env, { port: 'x' })).toThrow(
		new Error('--port is "x". Set it to an integer from 0 to 65535.'),
	);
});

test.each(settings.map(({ variable, flag }) => [variable, flag]))(
	'%s is --%s',
	(variable, flag) => {
		expect(`SERVICE_${flag.toUpperCase().replaceAll('-', '_')}`).toBe(variable);
	},
);

describe('the folders', () => {
	let folder: string;
	const before = process.cwd();

	beforeEach(() => {
		folder = realpathSync(mkdtempSync(join(tmpdir(), 'cloud-scraping-folders-')));
		process.chdir(folder);
	});
	afterEach(() => {
		process.chdir(before);
		rmSync(folder, { recursive: true });
	});

	const foldersOf = (env: Record<string, string>) => {
		const { data, tasks } = readSettings(env);
		return { data, tasks };
	};

	test('are those of the user, with ./tasks going first where it is', () => {
		const own = join(folder, 'share', 'cloud-scraping-service');
		const env = { XDG_DATA_HOME: join(folder, 'share') };
		const data = join(own, 'service.db');
		expect(foldersOf(env)).toEqual({ data, tasks: join(own, 'tasks') });
		mkdirSync('tasks');
		expect(foldersOf(env)).toEqual({ data, tasks: join(folder, 'tasks') });
	});

	test.each([
		['a folder that is there', 'with.dot', 'with.dot/service.db'],
		['a folder that is to be', 'new', 'new/service.db'],
		['a file that is there', 'rows', 'rows'],
		['a file that is to be', 'new/rows.sqlite', 'new/rows.sqlite'],
	])('SERVICE_DATA is %s', (_what, path, file) => {
		mkdirSync('with.dot');
		writeFileSync('rows', '');
		expect(foldersOf({ SERVICE_DATA: path })).toEqual({
			data: file,
			tasks: join(dirname(file), 'tasks'),
		});
	});

	test.each([
		['linux', {}, '/home/me/.local/share/cloud-scraping-service'],
		['linux', { XDG_DATA_HOME: '/data' }, '/data/cloud-scraping-service'],
		['linux', { XDG_DATA_HOME: 'data' }, '/home/me/.local/share/cloud-scraping-service'],
		['darwin', {}, '/home/me/Library/Application Support/cloud-scraping-service'],
		['win32', {}, '/home/me/AppData/Local/cloud-scraping-service'],
		['win32', { LOCALAPPDATA: '/local' }, '/local/cloud-scraping-service'],
	] as const)('on %s with %j data is in %s', (platform, env, path) => {
		expect(userFolder(env, platform, '/home/me')).toBe(path);
	});
});

test('what looks like a setting and is none is named at start, with the nearest one, and not with its value', async () => {
	const service = await startService({
		env: {
			SERVICE_KEEPDAYS: '7',
			SERVICE_APIKEY: 'secret',
			SERVICE_port: '1',
			SERVICE_NAME: 'x',
			MY_SERVICE_PORT: '1',
		},
	});
	await service.stop();
	expect(service.log.filter(({ level }) => Number(level) >= 40)).toContainEqual(
		expect.objectContaining({
			msg: 'No setting of this service, and ignored: SERVICE_KEEPDAYS (SERVICE_KEEP_DAYS is one), SERVICE_APIKEY (SERVICE_API_KEYS is one), SERVICE_port (SERVICE_PORT is one), SERVICE_NAME. --help lists all settings.',
		}),
	);
	expect(JSON.stringify(service.log)).not.toContain('secret');
});

test('nothing is said of the settings that there are', () => {
	const readme = readFileSync(join(__dirname, '..', '..', 'service', 'README.md'), 'utf8');
	const listed = [...readme.matchAll(/^\| `(SERVICE_\w+)` \|/gm)].map(([, name = '']) => name);
	expect(new Set(listed)).toEqual(new Set(settings.map(({ variable }) => variable)));
	expect(unknownSettings(Object.fromEntries(listed.map((name) => [name, 'x'])))).toBe(undefined);
});
