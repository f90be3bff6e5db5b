const n8nVersions = require('./test/node/n8n-versions/versions.json');

/** The suites by their folder. */
const suites = {
	unit: 'node/unit',
	engine: 'node/engine',
	faults: 'node/faults',
	e2e: 'n8n/e2e',
	examples: 'n8n/examples',
	foreign: 'long/foreign',
	editor: 'n8n/editor',
	queue: 'n8n/queue',
};

/** Those whose files each start an n8n with the packed package in it. */
const withN8n = ['e2e', 'examples', 'foreign', 'editor', 'queue'];

const project = (name) => ({
	displayName: name,
	rootDir: __dirname,
	testMatch: [`<rootDir>/test/${suites[name]}/**/*.test.ts`],
	testEnvironment: 'node',
	transform: { '^.+\\.ts$': ['ts-jest', { tsconfig: '<rootDir>/test/tsconfig.json' }] },
	...(withN8n.includes(name) && { globalSetup: '<rootDir>/test/support/n8n/packPackage.ts' }),
	setupFilesAfterEnv: [`<rootDir>/test/support/patience.ts`],
	modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/playground/', '<rootDir>/.tmp/'],
});

/** The engine tests on the n8n-core of another release of n8n, with its own n8n-workflow. */
const engineOf = (version) => {
	const folder = `<rootDir>/test/node/n8n-versions/${version}`;
	return {
		...project('engine'),
		displayName: `n8n-${version}`,
		moduleNameMapper: {
			'^n8n-core$': `${folder}/n8n-core.js`,
			'^n8n-workflow$': `${folder}/node_modules/n8n-workflow`,
		},
	};
};

/** Not tests: `npm run screenshots` takes the pictures of the documentation with them. */
const screenshots = {
	...project('editor'),
	displayName: 'screenshots',
	testMatch: ['<rootDir>/test/n8n/editor/**/*.screenshots.ts'],
};

/** @type {import('jest').Config} */
module.exports = {
	// Of the tests of one file that run side by side; most of their time is waiting.
	maxConcurrency: 8,
	projects: [...Object.keys(suites).map(project), ...n8nVersions.map(engineOf), screenshots],
};
