import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

// What runs the service, be it a thread or a process, compiles its modules once, not at each start.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, '.tmp', 'compiled');

/** Files of `npm run test:service` that do all of it in `npm run test:long:service`. */
const longer = [
	'browser',
	'browserProcess',
	'changingLists',
	'clobberedForms',
	'commands',
	'console/batchInBrowser',
	'console/batchOfManyRows',
	'console/fileActions',
	'console/keysPage',
	'console/longTexts',
	'console/newTask',
	'console/pointingPage',
	'console/scriptedPages',
	'console/taskEditorSeen',
	'console/taskPageSeen',
	'console/tasksPage',
	'endlessPages',
	'fuzz',
	'largeThings',
	'lateRows',
	'load',
	'longChains',
	'madePages',
	'meddlingPages',
	'outages',
	'pageLoops',
	'pointing',
	'proxy',
	'readiness',
	'recovery',
	'restlessPages',
	'retention',
	'sandbox',
	'settings',
	'shutdown',
	'silentSites',
	'slowPages',
	'watchedTasks',
	'worstCase',
];

/** @param {string} name @param {import('vitest/config').TestProjectInlineConfiguration['test']} rest */
const project = (name, rest) => ({
	test: {
		name,
		// So that what is in test/support/ serves both runners.
		globals: true,
		globalSetup: 'test/support/service/provideBrowser.ts',
		// For a machine that is busy: a test that hangs ends, one that is slow does not fail.
		testTimeout: 180_000,
		hookTimeout: 180_000,
		// The files of a worker share the modules of the service, and its browser.
		isolate: false,
		// Of the tests of one file that run side by side; most of their time is waiting.
		maxConcurrency: 8,
		// The service runs as it is, without a step between.
		server: { deps: { external: [/\/service\/src\//] } },
		...rest,
	},
});

/** The suites of the service; jest runs the others, whose n8n-core needs it. */
export default defineConfig({
	test: {
		projects: [
			project('service', { include: ['test/service/**/*.test.ts'] }),
			project('long', {
				include: [
					'test/long/service/**/*.test.ts',
					...longer.map((name) => `test/service/${name}.test.ts`),
				],
				env: { TEST_LENGTH: 'full' },
				testTimeout: 600_000,
			}),
		],
	},
});
