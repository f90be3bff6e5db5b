import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import eslintRules from '@eslint/js';
import { n8nCommunityNodesPlugin } from '@n8n/eslint-plugin-community-nodes';
import n8nNodesBase from 'eslint-plugin-n8n-nodes-base';
import { defineConfig, globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';
import { typePrograms } from './scripts/typePrograms.mjs';

const published = ['credentials/**/*.ts', 'nodes/**/*.ts'];
const n8nNodesPlugin = { 'n8n-nodes-base': n8nNodesBase };

/** One way to say a thing, in the node, the service, the tests and what is around them. */
const dialect = [
	{
		selector: 'VariableDeclarator[init!=null] > Identifier[name=/^[A-Z][A-Z0-9]*_[A-Z0-9_]*$/]',
		message: 'Constants are in lowerCamelCase.',
	},
	{
		selector:
			':matches(PropertyDefinition, MethodDefinition[kind!="constructor"])[accessibility="private"]',
		message: 'Write #name: that is private at run time, too.',
	},
	{
		selector: 'TSParameterProperty',
		message: 'Declare the member, and set it in the constructor.',
	},
];

/**
 * No suite imports another one: for the files so many folders below test/, of which the suite is the
 * second (test/node/engine/), or the first where a house has one suite (test/service/).
 */
const suitesApart = (house, depth) => {
	const outOfTheSuite = house === 'service' ? [] : [`^(\\.\\./){${depth - 1}}(?!\\.\\./)`];
	const outOfTheHouse = `^(\\.\\./){${depth}}(?!\\.\\./|support/)`;
	return {
		files: [`test/${house}/${'*/'.repeat(depth - 1)}*.{ts,mjs}`],
		rules: {
			'no-restricted-imports': [
				'error',
				{
					paths: [
						{
							name: 'fast-check',
							message: 'Take that of test/support/: it draws the same each time.',
						},
					],
					patterns: [...outOfTheSuite, outOfTheHouse].map((regex) => ({
						regex,
						message: 'What several suites use lives in test/support/.',
					})),
				},
			],
		},
	};
};

/**
 * The floors of the node and of the service, from the top, and those of some of their rooms; `*.ts`: the other
 * files there. What stands on a floor imports from those below it: so no import points up, and no two rooms
 * know each other.
 */
const nodeFloors = [
	['CloudScraping.node.ts', 'CloudScrapingTrigger.node.ts'],
	['credentialTest.ts', 'listSearch.ts'],
	['operations', 'trigger'],
	['output'],
	['memory', 'retryOnFail.ts', 'sentOnce.ts', 'wholeMessage.ts'],
	['executionMemory.ts', 'settings'],
	['rows', 'run.ts'],
	['hints.ts'],
	['saidOfSeveral.ts'],
	['api'],
];
const apiFloors = [
	['waitForEnd.ts', 'nothingRuns.ts'],
	['batches.ts'],
	['startAndStop'],
	['paging'],
	['*.ts'],
];
const serviceFloors = [
	['main.ts'],
	['commands'],
	['service.ts', 'agentProcess.ts'],
	['api', 'console', 'site'],
	['testControl'],
	['runs', 'keys', 'picker'],
	['agents'],
	['log', 'tasks', 'settings'],
	['pages', 'store'],
	['errors', 'text', 'files', 'packages.d.ts', 'json.d.ts'],
];
const consoleFloors = [
	['console.ts'],
	['task'],
	['editor', 'newTask'],
	['trial'],
	['batch'],
	['*.ts', 'files'],
];
const pickerFloors = [['*.ts'], ['document'], ['selectors']];
const storeFloors = [['openStore.ts', 'copyStore.ts'], ['sqlite', 'postgres'], ['*.ts']];

/** Whoever keeps something knows promises, not the database that keeps them. */
const noDatabase = {
	regex: '/store/(sqlite|postgres)/',
	message: 'What is above the stores knows no database: see store/openStore.ts.',
};

/** What a room may not import: whatever stands above it, or beside it. */
const notBelow = (floors, room) => {
	const level = floors.findIndex((rooms) => rooms.includes(room));
	const others = floors
		.slice(0, level + 1)
		.flatMap((rooms) => rooms.filter((each) => each !== room));
	const names = others
		.map((each) => each.replace(/\*/g, '\\*').replace(/\.ts$/, '(\\.ts)?'))
		.join('|');
	const way = room.endsWith('.ts') ? '\\./' : '(\\.\\./)+';
	return {
		regex: others.length === 0 ? '^$' : `^${way}(${names})(/|$)`,
		message: 'A floor imports from those below it alone: see the floors in eslint.config.mjs.',
	};
};

/** From the lowest floor on: `*.ts` would count for the files above it as well. */
const importsPointDown = (folder, floors, outer = []) => {
	const rooms = floors.flat().reverse();
	const stray = readdirSync(join(import.meta.dirname, folder)).find(
		(name) =>
			!rooms.includes(name) &&
			!(rooms.includes('*.ts') && name.endsWith('.ts')) &&
			!/\.json$|^__schema__$/.test(name),
	);
	if (stray) throw new Error(`${folder}/${stray} has no floor: give it one in eslint.config.mjs.`);
	return rooms.map((room) => ({
		files: [`${folder}/${room.endsWith('.ts') ? room : `${room}/**/*.ts`}`],
		rules: {
			'no-restricted-imports': ['error', { patterns: [...outer, notBelow(floors, room)] }],
		},
	}));
};

export default defineConfig(
	globalIgnores(['**/node_modules/', 'dist/', '.playground/', '.tmp/', 'service/src/site/files/']),
	{ files: published, ...eslintRules.configs.recommended },
	{
		files: ['**/*.ts'],
		extends: [tseslint.configs.recommendedTypeChecked],
		rules: {
			'@typescript-eslint/consistent-type-imports': 'error',
			'@typescript-eslint/switch-exhaustiveness-check': 'error',
			'@typescript-eslint/no-unused-vars': ['error', { ignoreRestSiblings: true }],
			eqeqeq: 'error',
			'max-lines': ['error', { max: 300, skipBlankLines: true, skipComments: true }],
			'no-console': 'error',
			'no-restricted-syntax': ['error', ...dialect],
		},
	},
	...Object.entries(typePrograms).map(([project, folders]) => ({
		files: folders.map((folder) => `${folder}/**/*.ts`),
		languageOptions: { parserOptions: { project, tsconfigRootDir: import.meta.dirname } },
	})),
	...['node', 'n8n', 'long'].flatMap((house) =>
		[2, 3, 4].map((depth) => suitesApart(house, depth)),
	),
	...[1, 2, 3].map((depth) => suitesApart('service', depth)),
	...importsPointDown('nodes/CloudScraping', nodeFloors),
	...importsPointDown('nodes/CloudScraping/api', apiFloors, [notBelow(nodeFloors, 'api')]),
	...importsPointDown('service/src', serviceFloors, [noDatabase]),
	...importsPointDown('service/src/console', consoleFloors, [
		noDatabase,
		notBelow(serviceFloors, 'console'),
	]),
	...importsPointDown('service/src/picker', pickerFloors, [
		noDatabase,
		notBelow(serviceFloors, 'picker'),
	]),
	...importsPointDown('service/src/store', storeFloors, [notBelow(serviceFloors, 'store')]),
	{
		files: ['package.json', ...published],
		...n8nCommunityNodesPlugin.configs.recommended,
	},
	{
		files: ['package.json'],
		languageOptions: { parser: tseslint.parser },
		plugins: n8nNodesPlugin,
		rules: n8nNodesBase.configs.community.rules,
	},
	{
		files: ['credentials/**/*.ts'],
		plugins: n8nNodesPlugin,
		rules: {
			...n8nNodesBase.configs.credentials.rules,
			// For n8n's own nodes only: a community credential links to a page, not to a docs slug.
			'n8n-nodes-base/cred-class-field-documentation-url-miscased': 'off',
		},
	},
	{
		files: ['nodes/**/*.ts'],
		plugins: n8nNodesPlugin,
		rules: {
			...n8nNodesBase.configs.nodes.rules,
			// Written before NodeConnectionTypes existed; n8n's own scanner switches them off as well.
			'n8n-nodes-base/node-class-description-inputs-wrong-regular-node': 'off',
			'n8n-nodes-base/node-class-description-outputs-wrong': 'off',
		},
	},
);
