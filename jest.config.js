const n8nVersions = require('./test/node/n8n-versions/versions.json');

/** The suites by their folder. */
const suites = {
	unit: 'node/unit',
	engine: 'node/engine',
	faults: 'node/faults',
	e2e: 'n8n/e2e',
	examples: 'n8n/examples',
	longN8n: 'long/n8n',
	foreign: 'long/foreign',
	editor: 'n8n/editor',
	queue: 'n8n/queue',
};

/** Those with the packed package in an n8n: the files of a suite share one, or start one each. */
const sharingN8n = ['e2e', 'examples'];
const withOwnN8n = ['foreign', 'editor', 'queue', 'longN8n'];

const project = (name) => ({
	displayName: name,
	rootDir: __dirname,
	testMatch: [`<rootDir>/test/${suites[name]}/**/*.test.ts`],
	testEnvironment: name === 'editor' ? '<rootDir>/test/n8n/editor/pageEnvironment.ts' : 'node',
	transform: { '^.+\\.ts$': ['ts-jest', { tsconfig: '<rootDir>/test/tsconfig.json' }] },
	...(sharingN8n.includes(name) && {
		globalSetup: '<rootDir>/test/support/n8n/startSharedN8n.ts',
		globalTeardown: '<rootDir>/test/support/n8n/stopSharedN8n.ts',
	}),
	...(withOwnN8n.includes(name) && { globalSetup: '<rootDir>/test/support/n8n/packPackage.ts' }),
	setupFilesAfterEnv: [`<rootDir>/test/support/patience.ts`],
	modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/playground/', '<rootDir>/.tmp/'],
});

/**
 * Engine tests of what n8n's engine has no part in, so that one release of it is enough: what the node
 * makes of odd lists and totals, its own limits, and what node and local service make of each other.
 */
const alikeOnEachEngine = [
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

/** The other engine tests on the n8n-core of another release of n8n, with its own n8n-workflow. */
const engineOf = (version) => {
	const folder = `<rootDir>/test/node/n8n-versions/${version}`;
	return {
		...project('engine'),
		displayName: `n8n-${version}`,
		testPathIgnorePatterns: alikeOnEachEngine.map((name) => `/engine/${name}\\.test\\.ts$`),
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
