/** The suites by their folder. */
const suites = {
	unit: 'node/unit',
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

/** Not tests: `npm run screenshots` takes the pictures of the documentation with them. */
const screenshots = {
	...project('editor'),
	displayName: 'screenshots',
	testMatch: ['<rootDir>/test/n8n/editor/**/*.screenshots.ts'],
};

/** Not a test either: `npm run film`. */
const film = {
	...project('editor'),
	displayName: 'film',
	testMatch: ['<rootDir>/test/n8n/editor/**/*.film.ts'],
	globalSetup: '<rootDir>/test/n8n/editor/filmSetup.ts',
};

/** @type {import('jest').Config} */
module.exports = {
	// Of the tests of one file that run side by side; most of their time is waiting.
	maxConcurrency: 8,
	projects: [...Object.keys(suites).map(project), screenshots, film],
};
