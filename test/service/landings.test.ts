import { pino } from 'pino';
import { Landings } from '../../service/src/agents/landings.ts';

const at = (path: string) => `https://shop.example${path}`;

test.each<[string, [string, string][], string[]]>([
	[
		'an entry leads to its list',
		[
			['/list', '/list'],
			['/list/4', '/list?from=gone'],
		],
		['/list/4'],
	],
	[
		'an entry leads to the first page',
		[
			['/', '/'],
			['/p/4', '/'],
		],
		['/p/4'],
	],
	[
		'an entry leads to one that is opened later',
		[
			['/p/4', '/p/7'],
			['/p/7', '/p/7'],
		],
		['/p/4'],
	],
	[
		'one that has a longer name',
		[
			['/p/4', '/p/7-pen'],
			['/p/7', '/p/7-pen'],
		],
		['/p/4'],
	],
	[
		'one that is asked for in another way',
		[
			['/p/7?pos=7', '/p/7?pos=7'],
			['/p/4', '/p/7'],
		],
		['/p/4'],
	],
	[
		'one of the same page',
		[
			['/?p=4', '/?p=7'],
			['/?p=7', '/?p=7'],
		],
		['/?p=4'],
	],
	[
		'two lead to a third',
		[
			['/p/4', '/p/7'],
			['/p/5', '/p/7'],
		],
		['/p/5'],
	],
	[
		'all have longer names',
		[
			['/p/4', '/p/4-pen'],
			['/p/7', '/p/7-ink'],
			['/p/7', '/p/7-ink'],
		],
		[],
	],
	[
		'all ask for more',
		[
			['/?p=4', '/?p=4&v=2'],
			['/?p=7', '/?p=7&v=2'],
		],
		[],
	],
	[
		'one is tried again',
		[
			['/p/4', '/q/4'],
			['/p/4', '/q/4'],
		],
		[],
	],
	[
		'all are elsewhere',
		[
			['/p/4', '/q/4'],
			['/p/5', '/q/5'],
		],
		[],
	],
	[
		'all have a slash at their end',
		[
			['/p/4', '/p/4/'],
			['/p/5/', '/p/5'],
		],
		[],
	],
	[
		'one of several leads elsewhere',
		[
			['/p/4', '/p/4'],
			['/p/5', '/lamps'],
			['/p/6', '/p/6'],
		],
		['/p/5'],
	],
	[
		'the first of several does',
		[
			['/p/5', '/p/20-chair'],
			['/p/6', '/p/6'],
		],
		['/p/5'],
	],
	[
		'a page of a list does',
		[
			['/?page=2', '/?page=2'],
			['/?page=3', '/?page=1'],
		],
		['/?page=3'],
	],
	[
		'one has a shorter name, another language, or a new one with its number',
		[
			['/p/3', '/p/3'],
			['/p/4', '/p/4'],
			['/p/chair-5', '/p/stool-5'],
			['/p/6', '/de/p/6'],
			['/p/7?utm=x', '/p/7'],
			['/P/8/', '/p/8'],
		],
		[],
	],
	[
		'as many have other names as not',
		[
			['/p/4', '/pen'],
			['/p/5', '/p/5'],
			['/p/6', '/ink'],
		],
		['/p/4'],
	],
])('%s', (_, visits, told) => {
	const lines: string[] = [];
	const landings = new Landings(pino({}, { write: (line: string) => lines.push(line) }));
	for (const [asked, landed] of visits) landings.note(at(asked), at(landed));
	const reasons = lines.map((line) => String((JSON.parse(line) as { reason: unknown }).reason));
	expect(reasons).toEqual(
		told.map((path) => expect.stringContaining(`${at(path)} leads to`) as unknown),
	);
});
