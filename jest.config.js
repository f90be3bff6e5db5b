const project = (name) => ({
	displayName: name,
	rootDir: __dirname,
	testMatch: [`<rootDir>/test/${name}/**/*.test.ts`],
	testEnvironment: 'node',
	transform: { '^.+\\.ts$': ['ts-jest', { tsconfig: '<rootDir>/test/tsconfig.json' }] },
	setupFilesAfterEnv: [`<rootDir>/test/patience.ts`],
	modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/playground/', '<rootDir>/.tmp/'],
});

/** The engine tests once more, on the oldest n8n that the package supports. */
const oldestN8n = {
	...project('engine'),
	displayName: 'oldest-n8n',
	moduleNameMapper: {
		'^n8n-core$': '<rootDir>/test/oldest-n8n/n8n-core.js',
		'^n8n-workflow$': '<rootDir>/test/oldest-n8n/node_modules/n8n-workflow',
	},
};

/** Not tests: `npm run screenshots` takes the pictures of the documentation with them. */
const screenshots = {
	...project('screenshots'),
	testMatch: ['<rootDir>/test/editor/**/*.screenshots.ts'],
};

/** @type {import('jest').Config} */
module.exports = {
	projects: [
		...['unit', 'engine', 'faults', 'service', 'e2e', 'editor', 'examples', 'queue', 'foreign'].map(
			project,
		),
		oldestN8n,
		screenshots,
	],
};
