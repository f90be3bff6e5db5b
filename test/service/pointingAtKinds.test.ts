import { pointAt } from './pointAt';

test('entries are told by what says it to machines, rather than by a class behind a state', () => {
	const of = (...kinds: string[]) =>
		`<ul>${kinds
			.map(
				(kind, index) =>
					`<li class="col-12 public ${kind}" itemprop="owns" data-mark="entry-${index}"><h3 data-mark="name-${index}">Repository</h3></li>`,
			)
			.join('')}</ul><ul><li><h3>Overview</h3></li></ul>`;
	const found = pointAt({
		before: of('source', 'source', 'source'),
		pointedAt: ['name-0', 'name-2'],
		columns: [],
		after: of('fork', 'source', 'fork'),
	});
	expect(found.later?.map(({ mark }) => mark)).toEqual(['entry-0', 'entry-1', 'entry-2']);
});
