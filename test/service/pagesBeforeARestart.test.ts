import { once } from 'node:events';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { cloudClient } from '../support/service/cloudClient';
import { startService, type LogLine, type RunningService } from '../support/service/startService';
import { startSite, type Site, type SiteAnswer } from '../support/service/startSite';
import { extract, loop, step, task, uuidOf } from '../support/service/taskFiles';

// What is told of a page by those before it is told as well where those came before the service was started anew: a
// site that has had enough may ask the next visitor for a password.

const pages = 12;
/** While this one is on its way, the service ends. */
const held = 6;

const whole = (body: string) => `<!doctype html><html><body>${body}</body></html>`;
const cut = (body: string) => `<!doctype html><html><body>${body}`;

const isGood: Record<string, (n: number) => boolean> = {
	signIn: (n) => n < held,
	cut: (n) => n < held,
	empty: (n) => n < held,
	reverse: (n) => n >= held,
	last: (n) => n !== held - 1,
	details: (n) => n < held,
};
const names = Object.keys(isGood);

const instead: Record<string, SiteAnswer> = {
	signIn: whole('<h1>Sign in</h1><form><input type="password"></form>'),
	cut: cut('<h1>Cut</h1>'),
};

let site: Site;
let running: RunningService | undefined;
/** By name: resolves when the page is asked for that is held, and has it come. */
const asked = new Map<
	string,
	{ came: PromiseWithResolvers<void>; goOn: PromiseWithResolvers<void> }
>();

beforeAll(async () => {
	site = await startSite(async ({ url }) => {
		const name = url.pathname.slice(1);
		const n = Number(url.searchParams.get('n'));
		if (name === 'list') {
			const links = Array.from(
				{ length: pages },
				(_, index) => `<li><a href="/details?n=${index}">more</a>`,
			);
			return whole(links.join(''));
		}
		if (n === held) {
			asked.get(name)?.came.resolve();
			await asked.get(name)?.goOn.promise;
		}
		const good = whole(`<h1>Item ${n}</h1><b class="price">${n} €</b>`);
		return isGood[name]?.(n) ? good : (instead[name] ?? whole('<p>Are you a robot?'));
	});
});

beforeEach(() => {
	for (const name of names)
		asked.set(name, { came: Promise.withResolvers(), goOn: Promise.withResolvers() });
});

afterEach(async () => {
	await running?.stop();
	running = undefined;
});

afterAll(() => site?.stop());

const read = extract({ Name: 'h1', Price: '.price' }, 'body:has(h1)');

function tasks() {
	/** All of them are held at once. */
	const settings = { requestsPerHost: 20 };
	const overUrls = (name: string) => {
		const urls = Array.from({ length: pages }, (_, n) => `${site.baseUrl}/${name}?n=${n}`);
		const open = step('navigate', { useLoopItem: true });
		const list = loop({ loopType: 'list', listType: 'urlList', urls }, [open, read]);
		return task(name, [list], settings);
	};
	const each = [step('click', { selector: 'a' }), read];
	const details = [
		step('navigate', { url: `${site.baseUrl}/list` }),
		loop({ loopType: 'list', listType: 'elements', selector: 'li' }, each),
	];
	return {
		...Object.fromEntries(names.map((name) => [name, overUrls(name)])),
		details: task('details', details, settings),
	};
}

/** On how many pages each batch has looked for rows, and where its job is, as a crash now would leave its database. */
async function known(folder: string): Promise<unknown[]> {
	// The service keeps everybody else out of it.
	const copy = await mkdtemp(join(tmpdir(), 'cloud-scraping-known-'));
	for (const name of ['service.db', 'service.db-wal'])
		await copyFile(join(folder, name), join(copy, name));
	const database = new DatabaseSync(join(copy, 'service.db'));
	const found = database
		.prepare(
			`SELECT found_pages + empty_pages AS pages, first_item AS item FROM selectors
			JOIN jobs USING (batch_id) WHERE field_id = '' AND selector <> 'li' ORDER BY batch_id`,
		)
		.all();
	database.close();
	await rm(copy, { recursive: true });
	return found.map((columns) => ({ ...columns }));
}

const restarts: Record<string, (service: RunningService) => Promise<unknown>> = {
	'SIGTERM, as for an update': async ({ process }) => {
		process.kill('SIGTERM');
		await once(process, 'exit');
	},
	'SIGKILL, as in a crash': async (service) => {
		// Of what begins anew, the last page is counted when the next one is there.
		const before = names.map((name) =>
			name === 'details' ? { pages: held - 1, item: 0 } : { pages: held, item: held },
		);
		// What is in its last moment, a crash takes with it.
		await expect.poll(() => known(service.folder)).toEqual(before);
		await service.kill();
	},
};

test.each(['no restart', ...Object.keys(restarts)])(
	'in a batch with %s, pages are told that differ from those before them',
	async (how) => {
		running = await startService({ env: { SERVICE_AGENTS: '8' }, tasks: tasks() });
		const batches: Record<string, string> = {};
		for (const name of names) {
			const { batchID } = await cloudClient(running).start(uuidOf(name), {});
			batches[name] = batchID;
		}
		for (const { came } of asked.values()) await came.promise;
		const log: LogLine[] = running.log;
		const restart = restarts[how];
		if (restart) {
			const { folder } = running;
			await restart(running);
			running = await startService({ folder, env: { SERVICE_AGENTS: '8' }, log });
		}
		for (const { goOn } of asked.values()) goOn.resolve();

		const told: Record<string, unknown> = {};
		for (const name of names) {
			const batchID = batches[name];
			await running.logged({ batchID, msg: 'batch successful' });
			const lines = log.filter((line) => line.batchID === batchID);
			const end = lines.find(({ msg }) => msg === 'batch successful');
			const warned = lines.filter(({ msg }) => msg === 'page not whole');
			told[name] = {
				lineCount: end?.lineCount,
				empty: end?.emptyOnPages,
				warned: warned.map(({ url }) => Number(new URL(String(url)).searchParams.get('n'))),
			};
		}
		const from = (first: number) =>
			Array.from({ length: pages - first }, (_, index) => first + index);
		const gap = (name: string, emptyPages: number, first: number): unknown => {
			const firstEmpty = `${site.baseUrl}/${name}?n=${first}`;
			return [expect.objectContaining({ pages, emptyPages, firstEmpty })];
		};
		expect(told).toEqual({
			signIn: { lineCount: 12, empty: gap('signIn', 6, 6), warned: from(held) },
			cut: { lineCount: 12, empty: gap('cut', 6, 6), warned: from(held) },
			empty: { lineCount: 6, empty: gap('empty', 6, 6), warned: [] },
			reverse: { lineCount: 6, empty: gap('reverse', 6, 0), warned: [] },
			last: { lineCount: 11, empty: gap('last', 1, 5), warned: [] },
			details: { lineCount: 6, empty: gap('details', 6, 6), warned: [] },
		});
	},
);
