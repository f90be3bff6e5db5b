import { describeOnBothPages } from '../support/service/browser';
import { extract, loop, step, task } from '../support/service/taskFiles';
import { readAsWhole, startOnBothPages, type Ground } from './bothPages';

// Where a session ends in the middle of a list, some sites answer with a page to sign in, at the address of the entry.

const field =
	'<form><input name="user"><input TYPE=PASSWORD name="password"><button>Sign in</button></form>';
const pages: Record<string, string> = {
	pen: '<h1>Pen</h1><dialog>Your password: <input type="password"></dialog>',
	ink: '<h1>Ink</h1><p>No password is asked for.</p>',
	mug: `<h1>Sign in</h1>${field}`,
	cap: `<h1>Sign in</h1>${field}`,
	box: '<h1>Box</h1>',
};

const reading = (name: string, names: string[]) =>
	task(name, [
		loop({ loopType: 'list', listType: 'urlList', urls: names.map((each) => `{base}/${each}`) }, [
			step('navigate', { useLoopItem: true }),
			extract({ Name: 'h1' }),
		]),
	]);

let ground: Ground;

beforeAll(async () => {
	const tasks = {
		entries: reading('entries', Object.keys(pages)),
		members: reading('members', ['mug', 'cap']),
	};
	ground = await startOnBothPages(tasks, ({ url }) => pages[url.pathname.slice(1)] ?? '');
}, 300_000);

afterAll(() => ground?.stop());

const run = (name: string) => readAsWhole(ground, name);

describeOnBothPages('on a page of kind', (kind) => {
	test('a page that asks for a password, where those before it did not, is told', async () => {
		const { names, warnings } = await run(`entries ${kind}`);
		expect(names).toEqual(['Pen', 'Ink', 'Sign in', 'Sign in', 'Box']);
		const told = 'this page asks for a password, as those before it did not';
		expect(warnings).toEqual([
			['mug', expect.stringContaining(told)],
			['cap', expect.stringContaining(told)],
		]);
	});

	test('where all ask for one, none is told', async () => {
		const { names, warnings } = await run(`members ${kind}`);
		expect(names).toEqual(['Sign in', 'Sign in']);
		expect(warnings).toEqual([]);
	});
});
