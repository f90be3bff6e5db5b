/**
 * @typedef {object} Suite
 * @property {string} title
 * @property {string} script of package.json
 * @property {number} load how many cores it keeps busy, on average
 */

/**
 * What `npm test` runs, in the order in which they begin: those that take long first, since who begins
 * last ends last.
 * @type {Suite[]}
 */
export const shortSuites = [
	{ title: 'The service and its console', script: 'test:service', load: 1.2 },
	{ title: 'Faults: each operation against each fault', script: 'test:faults', load: 0.1 },
	{ title: 'Engine tests: the node in n8n-core', script: 'test:engine', load: 0.5 },
	{ title: 'The packed package, and the examples, in a real n8n', script: 'test:e2e', load: 0.8 },
	{ title: 'Lint', script: 'lint', load: 1 },
	{ title: 'Unit tests, on the Node.js of this machine', script: 'test:unit', load: 1 },
	{ title: 'Types', script: 'typecheck', load: 1 },
	{ title: 'The documentation: links, pictures, options, examples', script: 'docs:check', load: 1 },
	{ title: 'What n8n’s reviewers check', script: 'scan', load: 1 },
];

/**
 * What waits by its nature or repeats for breadth: the rest of `npm run test:all`.
 * @type {Suite[]}
 */
export const longSuites = [
	{ title: 'The service at full length', script: 'test:long:service', load: 2 },
	{ title: 'n8n’s queue mode: workers on Redis and PostgreSQL', script: 'test:queue', load: 0.4 },
	{ title: 'Foreign pages: Debian’s documentation', script: 'test:foreign', load: 1.4 },
	{ title: 'The engine tests on older releases of n8n', script: 'test:n8n-versions', load: 1 },
	{ title: 'The node in n8n’s editor, in Chromium', script: 'test:editor', load: 1 },
	{ title: 'What an agent waits for in a real n8n', script: 'test:long:n8n', load: 0.3 },
	{ title: 'The whole zoo of services', script: 'test:long:zoo', load: 0.7 },
	{ title: 'Unit tests with all that they draw', script: 'test:long:node', load: 1.5 },
];
