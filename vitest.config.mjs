import { defineConfig } from 'vitest/config';

/** The suites of the service; jest runs the others, whose n8n-core needs it. */
const suites = {
	service: 'test/service',
	worstCase: 'test/long/worstCase',
};

export default defineConfig({
	test: {
		projects: Object.entries(suites).map(([name, folder]) => ({
			test: {
				name,
				include: [`${folder}/**/*.test.ts`],
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
			},
		})),
	},
});
