/**
 * The programs in which everything is type-checked and linted, with the folders that are linted in
 * each; of two programs, in the later one. They are few, since each checks all that it imports: the
 * other files called tsconfig.json are for editors.
 * @type {Record<string, string[]>}
 */
export const typePrograms = {
	'tsconfig.json': ['credentials', 'nodes'],
	'test/tsconfig.json': ['credentials', 'nodes', 'test'],
	'tsconfig.service.json': [
		'bench',
		'service',
		'test/long/service',
		'test/service',
		'test/support/inProcess',
	],
	'playground/tsconfig.json': ['playground'],
	'scripts/tsconfig.json': ['scripts'],
};
