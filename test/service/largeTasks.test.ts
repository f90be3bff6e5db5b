import { readTaskText } from '../../service/src/tasks/readTaskText.ts';
import { placeOf } from '../../service/src/tasks/placeInText.ts';
import { longestTurn } from '../support/service/longestTurn';
import { extract, loop, step, task } from '../support/service/taskFiles';

// A task file has no more than can be checked, and shown, while others wait for half a second at most.

const most = 500;
const size = 5 * 1024 * 1024;

const navigate = step('navigate', { url: 'http://127.0.0.1/' });
const read = extract({ Name: 'h1' });

/** As often as it fits into a file. */
const filled = (piece: string) => piece.repeat(Math.floor((size - 1_000) / piece.length));
const many = (count: number, each: (index: number) => unknown) =>
	Array.from({ length: count }, (_, index) => each(index));
const ofFields = (fields: unknown[]) =>
	JSON.stringify(task('large', [navigate, step('extractData', { selector: 'p', fields })]));
const overUrls = (urls: unknown[]) =>
	JSON.stringify(
		task('large', [
			loop({ loopType: 'list', listType: 'urlList', urls }, [
				step('navigate', { useLoopItem: true }),
				read,
			]),
		]),
	);
/** A list with more in it than JSON.stringify would have to write. */
const withList = (text: string, entries: string) => text.replace('"here"', entries);

async function checked(text: string) {
	let found: ReturnType<typeof readTaskText> | undefined;
	const turn = await longestTurn(() => {
		found = readTaskText(text);
	});
	expect(turn).toBeLessThan(most);
	return found && 'mistake' in found ? found.mistake.message : undefined;
}

const tooMany =
	'The file has more than 20,000 values, or 1,000,000 texts in its lists: make several';

test.each<[string, () => string, string]>([
	['empty steps', () => `{"steps":[${filled('{},')}{}]}`, tooMany],
	['empty steps that do not end', () => `{"steps":[${filled('{},')}{}]`, tooMany],
	['empty columns', () => withList(ofFields(['here']), `${filled('{},')}{}`), tooMany],
	['columns', () => ofFields(many(100_000, (index) => ({ name: `f${index}` }))), tooMany],
	['numbers for URLs', () => withList(overUrls(['here']), `${filled('0,')}0`), tooMany],
	['empty texts for URLs', () => withList(overUrls(['here']), `${filled('"",')}""`), tooMany],
	['empty loops', () => `{"steps":[${filled('{"type":"loop","config":{}},')}{}]}`, tooMany],
	['names at the top', () => `{${filled('"a":0,')}"a":0}`, tooMany],
	[
		'lists in lists',
		() => '['.repeat(size),
		'There are too many lists, objects or loops within one another',
	],
	['comments', () => filled('/**/'), 'Comments cannot stand in a task file'],
	[
		'a selector of very many parts',
		() => ofFields([{ name: 'a', selector: `a${filled(',b')}` }]),
		'/steps/1/config/fields/0/selector is too long, with those before it: the selectors of a task have 200,000 characters at most',
	],
	[
		'a selector of signs',
		() => ofFields([{ name: 'a', selector: '='.repeat(199_000) }]),
		'/steps/1/config/fields/0/selector must be a CSS selector',
	],
	[
		'a selector that counts',
		() => ofFields([{ name: 'a', selector: ':nth-child('.repeat(18_000) }]),
		'/steps/1/config/fields/0/selector must be a CSS selector',
	],
	[
		'the name of a column',
		() => ofFields([{ name: 'a' }, { name: 'a'.repeat(200_000) }]),
		'/steps/1/config/fields/1/name is too long, with those before it: the names of the columns of a task have',
	],
])('a file with too much of %s', async (_what, text, said) => {
	expect((await checked(text()))?.slice(0, said.length)).toBe(said);
});

test('1,000 columns and 1,000 steps are taken, and the next one is named', async () => {
	const columns = (count: number) =>
		many(count, (index) => ({
			name: `f${index}`,
			selector: `.a${index}:not(.b)`,
			attribute: 'href',
			default: '-',
			match: '.',
		}));
	expect(await checked(ofFields(columns(1_000)))).toBeUndefined();
	expect(await checked(ofFields(columns(1_001)))).toBe(
		'/steps/1/config/fields/1000 is one column too many: a task has 1,000 at most, make several tasks of it',
	);
	const steps = (count: number) =>
		JSON.stringify(
			task('steps', [
				loop({ loopType: 'count', times: 1 }, [
					...many(count - 2, (index) => step('wait', { milliseconds: index + 1 })),
					read,
				] as object[]),
			]),
		);
	expect(await checked(steps(1_000))).toBeUndefined();
	expect(await checked(steps(1_001))).toBe(
		'/steps/0/config/steps/999 is one step too many: a task has 1,000 at most, make several tasks of it',
	);
});

test('hundreds of thousands of URLs are taken, and of those that are none the first are named', async () => {
	const urls = many(250_000, (index) => `http://a/${index}`);
	expect(await checked(overUrls(urls))).toBeUndefined();
	const wrong = many(250_000, (index) => (index < 3 ? urls[index] : `page ${index}`));
	const path = '/steps/0/config/urls';
	const rule = 'must be an http or https URL, or begin with {site}/, but is';
	const named = [3, 4, 5, 6, 7].map((index) => `${path}/${index} ${rule} "page ${index}"`);
	expect(await checked(overUrls(wrong))).toBe([...named, 'and 249992 more'].join('; '));
});

test.each([
	['', '{"a":[1,{"b":"x"}],"a":{"b":[2]}}'],
	['/a', '{"b":[2]}'],
	['/a/b', '[2]'],
	['/a/b/0', '2'],
	['/a/b/1', '['],
	['/a/c/d', '{'],
	['/c', '{'],
])('the place of "%s", of a name that is there twice', (pointer, there) => {
	const text = '{"a":[1,{"b":"x"}],"a":{"b":[2]}}';
	const { offset = -1, length = 0 } = placeOf(pointer, text) ?? {};
	expect(text.slice(offset, offset + length)).toBe(there);
	expect(offset).toBe(pointer === '' || pointer === '/c' ? 0 : text.lastIndexOf(there));
});
