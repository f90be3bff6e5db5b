const n8nVersions = require('./test/n8n-versions/versions.json');

const suites = 'unit engine faults service e2e examples foreign editor queue'.split(' ');

const project = (name) => ({
	displayName: name,
	rootDir: __dirname,
	testMatch: [`<rootDir>/test/${name}/**/*.test.ts`],
	testEnvironment: 'node',
	transform: { '^.+\\.ts$': ['ts-jest', { tsconfig: '<rootDir>/test/tsconfig.json' }] },
	setupFilesAfterEnv: [`<rootDir>/test/support/patience.ts`],
	modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/playground/', '<rootDir>/.tmp/'],
});

/** The engine tests on the n8n-core of another release of n8n, with its own n8n-workflow. */
const engineOf = (version) => {
	const folder = `<rootDir>/test/n8n-versions/${version}`;
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
	...project('screenshots'),
	testMatch: ['<rootDir>/test/editor/**/*.screenshots.ts'],
};

/** @type {import('jest').Config} */
module.exports = {
	projects: [...suites.map(project), ...n8nVersions.map(engineOf), screenshots],
};
