import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installBrowser } from './browser.mjs';
import { run } from './command.mjs';
import {
	installDebianPackages,
	missingDocumentation,
	missingForFilm,
	missingForQueueMode,
} from './debian.mjs';
import { playground, root } from './folders.mjs';
import { isInstalled } from './installed.mjs';
import {
	environmentForCompiling,
	environmentWithNode24,
	hasNode24,
	keepHeaders,
} from './node24.mjs';
import { pack, upToDateTarball } from './pack.mjs';
import { duration, say, step } from './progress.mjs';

const oldestNode = 20;
const tryAgain =
	'check that the npm registry can be reached and that the disk has 4 GB free, then run this command again.';
const tryWithCompiler =
	'if a compiler is missing: apt-get install -y build-essential python3, then run this command again.';

/**
 * What set-up is asked for besides the service, n8n and the package. `tests`: a browser, if it can be
 * installed, and the packed service; `foreign`: the documentation of Debian's packages besides; `queue`:
 * what n8n's queue mode needs; `film`: a browser, and what records it; `n8nVersions`: the engines of older
 * releases of n8n.
 * @typedef {{ tests?: boolean, foreign?: boolean, queue?: boolean, film?: boolean, n8nVersions?: boolean }} SetUp
 */

/**
 * Everything that a machine with only Node.js 20 and npm lacks; what is there already is skipped.
 * @param {SetUp} [options]
 * @returns {Promise<string>} the path of the packed package
 */
export async function setUp(options) {
	await setUpService();
	return await setUpTheRest(options);
}

/** The least that the local service needs to run. */
export async function setUpService() {
	refuseOldNode();
	await installServiceModules();
	await installNode24();
}

/**
 * All that `setUpService` has left out, side by side.
 * @param {SetUp} [options]
 * @returns {Promise<string>} the path of the packed package
 */
export async function setUpTheRest({ tests, foreign, queue, film, n8nVersions } = {}) {
	const startedAt = Date.now();
	const [tarball] = await allOf([
		buildPackages({ tests }),
		installN8nWithDriver(),
		installForTests({ browser: tests || foreign || film, foreign, queue, film }),
	]);
	if (n8nVersions) await installEngines();
	say(`✓ Set-up is complete (${duration(Date.now() - startedAt)})`);
	return tarball;
}

/**
 * As `Promise.all`, but where one fails the others are done first: an installation that is nearly there
 * need not begin anew, and the reason is the last thing that is said.
 * @template {readonly unknown[]} T
 * @param {T} works
 * @returns {Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }>}
 */
async function allOf(works) {
	const all = Promise.all(works);
	all.catch(() => say('What has begun beside it is finished first; then follows why it failed.'));
	await Promise.allSettled(works);
	return await all;
}

/** What the local service needs, and the documentation of Debian's packages: no n8n, no package. */
export async function setUpDocumentation() {
	await setUpService();
	await installForTests({ browser: true, foreign: true });
}

function refuseOldNode() {
	const major = Number(process.versions.node.split('.')[0]);
	if (major >= oldestNode) return;
	throw new Error(
		`Node.js ${process.versions.node} is too old: install Node.js ${oldestNode} or newer from https://nodejs.org, then run this command again.`,
	);
}

/** What the local service imports, and the package that brings Node.js 24: a fifth of all modules. */
async function installServiceModules() {
	if (isInstalled(root)) return;
	await step('Install the local service (about 15 seconds)', () =>
		run('npm', [...installFlags, '--workspace', 'service'], { cwd: root, advice: tryAgain }),
	);
}

/**
 * What package.json names besides: the build tools, the test runners; with them, what is published.
 * @param {SetUp} options
 */
async function buildPackages({ tests }) {
	if (!isInstalled(root)) {
		await step('Install the build tools (about a minute)', () => installLocked(root, process.env));
	}
	const tarball = upToDateTarball('node') ?? (await packInStep('node', 'the package'));
	if (tests && !upToDateTarball('service')) await packInStep('service', 'the service');
	return tarball;
}

/**
 * @param {import('./pack.mjs').PackageName} name
 * @param {string} inWords
 */
function packInStep(name, inWords) {
	return step(`Build and pack ${inWords} (about 15 seconds)`, () => pack(name));
}

const installFlags = ['install', '--no-save', '--loglevel=error'];

/**
 * Installs what a folder's lockfile says. Not with `npm ci`: it would take away the modules of a service
 * that runs already, and it refuses a lockfile that lacks optional packages of other systems, as
 * playground/ does (four of @msgpackr-extract).
 * @param {string} folder
 * @param {NodeJS.ProcessEnv} env
 */
async function installLocked(folder, env) {
	await run('npm', installFlags, { cwd: folder, env, advice: tryAgain });
	if (isInstalled(folder)) return;
	throw new Error(
		`What npm has installed in ${folder} is not what package-lock.json says. Delete ${folder}/node_modules, then run this command again.`,
	);
}

/** The Node.js that n8n and the local service need, if it is not there. */
async function installNode24() {
	if (!hasNode24()) {
		// .npmrc switches all install scripts off; this one puts the binary into node_modules/.bin.
		await step('Install Node.js 24 into node_modules (about 10 seconds)', () =>
			run('npm', ['rebuild', 'node', '--ignore-scripts=false'], { cwd: root, advice: tryAgain }),
		);
	}
	keepHeaders();
}

async function installN8nWithDriver() {
	const isThere = isInstalled(playground);
	const driver = join(playground, 'node_modules', driverFile);
	const [built] = await allOf([
		existsSync(driver) ? undefined : buildDatabaseDriver(),
		isThere
			? undefined
			: step('Install n8n into playground/ (2 to 6 minutes, only this time)', () =>
					installLocked(playground, environmentWithNode24()),
				),
	]);
	if (!built) return;
	mkdirSync(dirname(driver), { recursive: true });
	copyFileSync(built, driver);
}

const driverFile = 'sqlite3/build/Release/node_sqlite3.node';

/**
 * The driver of n8n's database is built in a folder of its own, with the versions of n8n's lockfile, so
 * that it need not wait until all of n8n is there. Returns its path.
 */
async function buildDatabaseDriver() {
	const folder = join(root, '.tmp', 'databaseDriver');
	const built = join(folder, 'node_modules', driverFile);
	const lockfile = readFileSync(join(playground, 'package-lock.json'), 'utf8');
	const { version } = JSON.parse(lockfile).packages['node_modules/sqlite3'];
	const title = "Build the driver of n8n's SQLite database (1 to 3 minutes, only this time)";
	// Where no ready-made binary can be fetched, it is compiled: on all cores.
	const env = { ...environmentForCompiling(), JOBS: 'max' };
	await step(title, async () => {
		rmSync(folder, { recursive: true, force: true });
		mkdirSync(folder, { recursive: true });
		copyFileSync(join(playground, '.npmrc'), join(folder, '.npmrc'));
		writeFileSync(join(folder, 'package-lock.json'), lockfile);
		const manifest = { private: true, dependencies: { sqlite3: version } };
		writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
		await run('npm', installFlags, { cwd: folder, env, advice: tryAgain });
		const rebuild = ['rebuild', 'sqlite3', '--ignore-scripts=false'];
		await run('npm', rebuild, { cwd: folder, env, advice: tryWithCompiler });
	});
	return built;
}

/** n8n-core and n8n-workflow of older releases of n8n, each in a folder of its own. */
async function installEngines() {
	const versions = join(root, 'test', 'node', 'n8n-versions');
	/** @type {string[]} */
	const known = JSON.parse(readFileSync(join(versions, 'versions.json'), 'utf8'));
	for (const version of known.filter((one) => !isInstalled(join(versions, one)))) {
		await step(`Install the engine of n8n ${version} (half a minute)`, () =>
			installLocked(join(versions, version), environmentWithNode24()),
		);
	}
}

/**
 * What tests need of the machine; one after the other, since Debian installs nothing side by side.
 * @param {{ browser?: boolean, foreign?: boolean, queue?: boolean, film?: boolean }} what
 */
async function installForTests({ browser, foreign, queue, film }) {
	if (browser) await installBrowser();
	const missing = [
		...(foreign ? missingDocumentation() : []),
		...(queue ? missingForQueueMode() : []),
		...(film ? missingForFilm() : []),
	];
	if (missing.length === 0) return;
	await step(`Install Debian packages for the tests: ${missing.join(', ')}`, () =>
		installDebianPackages(missing),
	);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
	try {
		/** @param {string} name */
		const has = (name) => process.argv.includes(name);
		if (has('--documentation')) await setUpDocumentation();
		else
			await setUp({
				tests: has('--tests'),
				foreign: has('--foreign'),
				queue: has('--queue'),
				film: has('--film'),
				n8nVersions: has('--n8n-versions'),
			});
	} catch (error) {
		process.stderr.write(`\n${error instanceof Error ? error.message : error}\n`);
		process.exitCode = 1;
	}
}
