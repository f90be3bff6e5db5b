import { pages, plain } from './pages.mjs';

/**
 * What is read here of a node's description, and of each of its fields.
 * @typedef {object} Field
 * @property {string} [displayName]
 * @property {string} [name] of a choice: what people read
 * @property {string} [type]
 * @property {Field[]} [options]
 * @property {Field[]} [values]
 * @property {Field[]} [modes]
 */

/** Where the forms of the node and the trigger are described, field by field. */
const described = [
	'docs/operations.md',
	'docs/trigger.md',
	'docs/only-new-rows.md',
	'docs/agents.md',
];

/** Where people are told what to choose in n8n; other pages speak of the service, or of tools. */
const telling = [...described, 'README.md', 'examples/README.md'].concat(
	['limits', 'queue-mode', 'stopping', 'troubleshooting'].map((name) => `docs/${name}.md`),
);

/** What n8n itself calls its fields and choices, and n8n and the console their buttons and pages. */
const otherNames = [
	...[
		'Settings',
		'On Error',
		'Continue',
		'Retry On Fail',
		'Always Output Data',
		'Schedule Trigger',
	],
	...['Tool Description', 'Set Manually', 'Loop Over Items', 'Local Cloud Scraping service'],
];

/** Nothing that people choose: the box around options, and a hint between fields. */
const unnamed = ['hidden', 'notice'];

/**
 * Options of the nodes that no page describes, and options on a page that no node has.
 * @param {Field[]} descriptions each with its properties
 * @returns {string[]}
 */
export function strayOptions(descriptions) {
	const fields = descriptions.flatMap(insideOf);
	const names = new Set(
		fields.map(({ displayName }) => displayName).filter((name) => name !== undefined),
	);
	const choices = new Set(fields.map(({ displayName, name }) => displayName ?? name));
	const known = new Set([...choices, ...otherNames]);
	const text = pages
		.filter(({ path }) => described.includes(path))
		.map((page) => page.text)
		.join('\n');
	const undescribed = [...names].filter((name) => !text.includes(name));
	return [
		...undescribed.map((name) => `The option "${name}" of the node is described on no page`),
		...pages
			.filter(({ path }) => telling.includes(path))
			.flatMap((page) =>
				[...namedIn(page)]
					.filter((name) => !known.has(name) && !name.split(': ').every((each) => known.has(each)))
					.map((name) => `${page.path}: the node has no option "${name}"`),
			),
	];
}

/** @param {Field} field @returns {Field[]} what is in it, if it is a box, and in the boxes there */
function insideOf(field) {
	const { options = [], values = [], modes = [] } = field;
	return [...options, ...values, ...modes]
		.filter(({ type = '' }) => !unnamed.includes(type))
		.flatMap((each) => [each, ...insideOf(each)]);
}

/**
 * Names that a page uses for options: in the first column of a table of them, and in italics where each
 * word begins with a capital.
 * @param {import('./pages.mjs').Page} page
 * @returns {Set<string>}
 */
function namedIn({ tokens }) {
	const inTables = tokens.flatMap((token) => {
		if (token.type !== 'table') return [];
		const [head] = /** @type {import('marked').Tokens.Table} */ (token).header;
		if (!head || !['option', 'parameter'].includes(head.text)) return [];
		return token.rows.map(
			(/** @type {import('marked').Tokens.TableCell[]} */ [cell]) => cell?.text ?? '',
		);
	});
	const inItalics = tokens
		.filter(({ type }) => type === 'em')
		.map(plain)
		.filter(isName);
	return new Set([...inTables, ...inItalics].flatMap((text) => text.split(/, | → /)));
}

/** @param {string} text of one word or more, each with a capital, but for small ones in between */
function isName(text) {
	const words = text.split(' ');
	const begins = /^[(]?[A-Z]/;
	const isSmall = /^(?:by|for|if|in|of|on|or|per|the|to|→)$/;
	return begins.test(text) && words.every((word) => begins.test(word) || isSmall.test(word));
}
