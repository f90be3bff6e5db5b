import { existsSync, globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

// What runs the service, be it a thread or a process, compiles its modules once, not at each start.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, '.tmp', 'compiled');

// A run that somebody else ends, such as who closes its terminal, does not end without a word.
for (const signal of /** @type {const} */ (['SIGTERM', 'SIGHUP'])) {
	process.once(signal, () => {
		process.stderr.write(`\nThe tests were ended from outside, by ${signal}.\n`);
		process.exit(1);
	});
}

/** What a test asks for that does more at full length: of `test/support/length.ts`, or built on it. */
const asksForLength = /\/support\/length'|AtLength\b|\b(sampleOn|views|browserOfUsers)\b/;

/** Files of `npm run test:service` that do all of it in `npm run test:long:service`. */
const longer = globSync('test/service/**/*.test.ts', { cwd: import.meta.dirname }).filter((file) =>
	asksForLength.test(readFileSync(join(import.meta.dirname, file), 'utf8')),
);

/** @typedef {import('vitest/config').TestProjectInlineConfiguration} Project */

/** @param {string} name @param {Project['test']} rest */
const settings = (name, rest) => ({
	name,
	// So that what is in test/support/ serves both runners.
	globals: true,
	// For a machine that is busy: a test that hangs ends, one that is slow does not fail.
	testTimeout: 600_000,
	hookTimeout: 600_000,
	expect: { poll: { timeout: 60_000 } },
	// The files of a worker share what they load: the service and its browser, n8n-core.
	isolate: false,
	// Of the tests of one file that run side by side; most of their time is waiting.
	maxConcurrency: 8,
	...rest,
});

/** @param {string} name @param {Project['test']} rest @returns {Project} */
const service = (name, rest) => ({
	test: settings(name, {
		globalSetup: 'test/support/service/provideBrowser.ts',
		// The service runs as it is, without a step between.
		server: { deps: { external: [/\/service\/src\//] } },
		...rest,
	}),
});

const { resolve } = createRequire(import.meta.url);
const versions = join(import.meta.dirname, 'test', 'node', 'n8n-versions');

/** @type {string[]} */
const olderVersions = JSON.parse(readFileSync(join(versions, 'versions.json'), 'utf8'));

/**
 * The node in n8n-core, ours or that of an older release, with the n8n-workflow that it loads itself: the
 * one for `require`.
 * @param {string} name
 * @param {Project['test']} rest
 * @param {string} [version]
 * @returns {Project}
 */
const engine = (name, rest, version) => ({
	resolve: {
		alias: version
			? {
					'n8n-core': join(versions, version, 'n8n-core.js'),
					'n8n-workflow': resolve(join(versions, version, 'node_modules', 'n8n-workflow')),
				}
			: { 'n8n-workflow': resolve('n8n-workflow') },
	},
	test: settings(name, {
		setupFiles: 'test/support/engine/eachFile.ts',
		server: { deps: { external: [/\/n8n-versions\/.*\.js$/] } },
		...rest,
	}),
});

const engineFiles = 'test/node/engine/**/*.test.ts';

/**
 * Engine tests of what n8n's engine has no part in, so that one release of it is enough: what the node
 * makes of odd lists and totals, its own limits, and what node and local service make of each other.
 */
const alikeOnEachEngine = [
	'documentedOutput',
	'laggingList',
	'listsWithHoles',
	'localService',
	'runOnLocalService',
	'scriptedService',
	'stepValues',
	'tooManyItems',
	'unevenLists',
	'wrongTotals',
	'zoo',
];

/** Engine tests that talk to the local service; `npm run test:machines` has it as several processes. */
const onLocalService = [
	'copiedWorkflows',
	'documentedOutput',
	'localService',
	'pastedAddresses',
	'runOnLocalService',
	'stepValues',
];

/** The service and the node in n8n-core; jest runs unit tests on each Node.js, and what needs an n8n. */
export default defineConfig({
	test: {
		projects: [
			service('service', { include: ['test/service/**/*.test.ts'] }),
			service('long', {
				include: ['test/long/service/**/*.test.ts', ...longer],
				env: { TEST_LENGTH: 'full' },
			}),
			service('machines', { include: ['test/long/machines/**/*.test.ts'] }),
			engine('engine', { include: [engineFiles] }),
			engine('machines-n8n', {
				include: onLocalService.map((name) => `test/node/engine/${name}.test.ts`),
				env: { TEST_SERVICE: 'machines' },
			}),
			engine('faults', { include: ['test/node/faults/**/*.test.ts'] }),
			...olderVersions
				.filter((version) => existsSync(join(versions, version, 'node_modules')))
				.map((version) =>
					engine(
						`n8n-${version}`,
						{
							include: [engineFiles],
							exclude: alikeOnEachEngine.map((name) => `test/node/engine/${name}.test.ts`),
						},
						version,
					),
				),
		],
	},
});
