import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installBrowser } from './browser.mjs';
import { run } from './command.mjs';
import { installDebianPackages, missingDocumentation, missingForQueueMode } from './debian.mjs';
import { playground, root } from './folders.mjs';
import { isInstalled } from './installed.mjs';
import { environmentForCompiling, environmentWithNode24, hasNode24 } from './node24.mjs';
import { pack, upToDateTarball } from './pack.mjs';
import { duration, step } from './progress.mjs';

const oldestNode = 20;
const tryAgain =
	'check that the npm registry can be reached and that the disk has 4 GB free, then run this command again.';
const tryWithCompiler =
	'if a compiler is missing: apt-get install -y build-essential python3, then run this command again.';

/**
 * Everything that a machine with only Node.js 20 and npm lacks; what is there already is skipped.
 * With `tests`, also a browser, if it can be installed; with `foreign`, the documentation of Debian's
 * packages besides; with `queue`, what n8n's queue mode needs; with `n8nVersions`, the engines of older
 * releases of n8n.
 * @param {{ tests?: boolean, foreign?: boolean, queue?: boolean, n8nVersions?: boolean }} [options]
 * @returns {Promise<string>} the path of the packed package
 */
export async function setUp({
	tests = false,
	foreign = false,
	queue = false,
	n8nVersions = false,
} = {}) {
	const startedAt = Date.now();
	refuseOldNode();
	await installDependencies();
	await installNode24();
	await installN8n();
	await buildDatabaseDriver();
	if (tests || foreign) await installBrowser();
	if (foreign) await installForTests(missingDocumentation());
	if (queue) await installForTests(missingForQueueMode());
	if (n8nVersions) await installEngines();
	const tarball =
		upToDateTarball('node') ?? (await step('Build and pack the package', () => pack('node')));
	if (tests && !upToDateTarball('service')) {
		await step('Build and pack the service', () => pack('service'));
	}
	process.stdout.write(`✓ Set-up is complete (${duration(Date.now() - startedAt)})\n`);
	return tarball;
}

/** What the local service needs, and the documentation of Debian's packages: no n8n, no package. */
export async function setUpDocumentation() {
	refuseOldNode();
	await installDependencies();
	await installNode24();
	await installBrowser();
	await installForTests(missingDocumentation());
}

function refuseOldNode() {
	const major = Number(process.versions.node.split('.')[0]);
	if (major >= oldestNode) return;
	throw new Error(
		`Node.js ${process.versions.node} is too old: install Node.js ${oldestNode} or newer from https://nodejs.org, then run this command again.`,
	);
}

/** What package.json names: the build tools, the test runners, the local service. */
async function installDependencies() {
	if (isInstalled(root)) return;
	await step('Install the build tools and the local service (about a minute)', () =>
		installLocked(root, process.env),
	);
}

/**
 * Installs what a folder's lockfile says. Not with `npm ci`: npm 11 refuses lockfiles without the
 * optional packages of other systems, which some registries do not have.
 * @param {string} folder
 * @param {NodeJS.ProcessEnv} env
 */
async function installLocked(folder, env) {
	const args = ['install', '--no-save', '--loglevel=error'];
	await run('npm', args, { cwd: folder, env, advice: tryAgain });
	if (isInstalled(folder)) return;
	throw new Error(
		`What npm has installed in ${folder} is not what package-lock.json says. Delete ${folder}/node_modules, then run this command again.`,
	);
}

/** The Node.js that n8n and the local service need, if it is not there. */
async function installNode24() {
	if (hasNode24()) return;
	// .npmrc switches all install scripts off; this one puts the binary into node_modules/.bin.
	await step('Install Node.js 24 into node_modules', () =>
		run('npm', ['rebuild', 'node', '--ignore-scripts=false'], { cwd: root, advice: tryAgain }),
	);
}

async function installN8n() {
	if (isInstalled(playground)) return;
	await step('Install n8n into playground/ (2 to 6 minutes, only this time)', () =>
		installLocked(playground, environmentWithNode24()),
	);
}

async function buildDatabaseDriver() {
	const driver = join(playground, 'node_modules/sqlite3/build/Release/node_sqlite3.node');
	if (existsSync(driver)) return;
	await step("Build the driver of n8n's SQLite database", () =>
		run('npm', ['rebuild', 'sqlite3', '--ignore-scripts=false'], {
			cwd: playground,
			// Where no ready-made binary can be fetched, it is compiled: on all cores.
			env: { ...environmentForCompiling(), JOBS: 'max' },
			advice: tryWithCompiler,
		}),
	);
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

/** @param {string[]} missing */
async function installForTests(missing) {
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
				n8nVersions: has('--n8n-versions'),
			});
	} catch (error) {
		process.stderr.write(`\n${error instanceof Error ? error.message : error}\n`);
		process.exitCode = 1;
	}
}
