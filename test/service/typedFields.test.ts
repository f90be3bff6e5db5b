import { describeOnBothPages, describeWithBrowser, sampleOn } from '../support/service/browser';
import { extract, loop, step, task, uuidOf } from '../support/service/taskFiles';
import { startOnBothPages, type Ground } from './bothPages';

// A field holds what was typed into it, or the step fails: rows would stand under a word that nobody asked for.

/** A field, what is typed into it, and what it does not take of that. */
const refused: [field: string, text: string, reason: string][] = [
	['<input type=date>', '03.01.2024', 'takes a date as 2024-01-03'],
	['<input type=time>', '9:30', 'takes a time as 09:30'],
	['<input type=month>', '01/2024', 'takes a month as 2024-01'],
	['<input type=week>', '1/2024', 'takes a week as 2024-W03'],
	['<input type=datetime-local>', '2024-01-03', 'takes a date and a time as 2024-01-03T09:30'],
	['<input type=number>', '2,0', 'takes a number as 2.5'],
	['<input type=number>', '3 pcs', 'takes a number as 2.5'],
	['<input type=range max=50>', '60', 'takes a number between its bounds and on its steps'],
	['<input type=range step=5>', '12', 'takes a number between its bounds and on its steps'],
	['<input type=color>', 'nothing', 'takes a colour as #ff8800'],
	['<input maxlength=5>', '1234567', 'takes at most 5 characters'],
	['<textarea maxlength=5></textarea>', '1234\n67', 'takes at most 5 characters'],
	['<input type=password maxlength=5>', '1234567', 'takes at most 5 characters'],
	['<input>', 'two\nlines', 'takes one line'],
	['<input type=checkbox>', 'perhaps', 'is a box: its text must be true or false'],
	['<input type=file>', 'x', 'is not a field that takes text'],
	['<input type=button>', 'x', 'is not a field that takes text'],
];

/** What is typed into a field, and what that sends. */
const taken: [field: string, text: string, sent: string][] = [
	['<input type=date>', '2024-01-03', '2024-01-03'],
	['<input type=date value=2024-01-03>', '', ''],
	['<input type=datetime-local>', '2024-01-03 09:30', '2024-01-03T09:30'],
	['<input type=number step=any maxlength=1>', '-2.50', '-2.50'],
	['<input type=range step=5>', '15', '15'],
	['<input type=color>', '#F80', '#ff8800'],
	['<input type=color>', '#000', '#000000'],
	['<input type=email multiple>', ' a@b , c@d ', 'a@b,c@d'],
	['<input maxlength=5>', '12345\n', '12345'],
	['<textarea maxlength=5></textarea>', '12\r\n45', '12\r\n45'],
	['<input maxlength=-1>', ' x ', ' x '],
];

/** Of a form that a browser does not send: its fields, what is typed, and which field it is for. */
const unsent: [fields: string, text: string, reason: RegExp][] = [
	['<input pattern="[0-9]{5}">', '54 321', /^The form is not sent: q "54 321".+$/],
	['<input type=password pattern="[0-9]{5}">', 'secret', /^The form is not sent: q(?!.*secret).+$/],
	['<input type=email>', 'a b', /^The form is not sent: q "a b".+$/],
	['<input type=url>', 'x', /^The form is not sent: q "x".+$/],
	['<input minlength=5>', '123', /^The form is not sent: q .+$/],
	['<input type=number>', '1.5', /^The form is not sent: q "1.5".+$/],
	['<input type=number max=10>', '50', /^The form is not sent: q "50".+$/],
	['<input><input required>', 'x', /^The form is not sent: input.+$/],
];

/** Nobody types into these; in a browser there may be a script that changes that. */
const closed: [field: string, reason: string][] = [
	['<input readonly>', 'is read-only'],
	['<textarea readonly></textarea>', 'is read-only'],
	['<input disabled>', 'is disabled'],
	['<input aria-disabled=true>', 'is disabled'],
	['<fieldset disabled><input></fieldset>', 'is disabled'],
	['<input type=checkbox disabled>', 'is disabled'],
	['<input type=hidden>', 'is hidden: nobody can type into it'],
	['<select disabled><option>true</select>', 'is disabled'],
	['<select><option disabled>true</select>', 'has an option "true", but that is disabled'],
];

const scripted: [field: string, text: string, held: string][] = [
	['<input oninput="value = value.replace(/[^0-9]/g, \'\')">', 'a1b2', '12'],
	['<input type=password oninput="value = value.toUpperCase()">', 'secret', ''],
	['<input type=checkbox onclick="setTimeout(() => {}); return false">', 'true', 'false'],
];

const pageOf = (fields: string) => `/?form=${encodeURIComponent(fields)}`;
const named = (fields: string) => fields.replace(/<(input|textarea|select)/, '$& name=q');
const formOf = (fields: string, attributes = '') =>
	`<form action="/said" ${attributes}>${named(fields)}<button>Search</button></form><p>all</p>`;

const typing = (fields: string, text: string, submit: boolean) => [
	step('navigate', { url: `{base}${pageOf(fields)}` }),
	step('inputText', { selector: '[name=q]', text, submit }),
	...(submit ? [] : [step('click', { selector: 'button' })]),
	extract({ Row: 'p' }),
];

const cases = [
	...refused.map(([fields, text]) => [fields, text, false] as const),
	...taken.map(([fields, text]) => [fields, text, false] as const),
	...unsent.flatMap(([fields, text]) => [true, false].map((by) => [fields, text, by] as const)),
	...closed.map(([fields]) => [fields, 'true', false] as const),
	...scripted.map(([fields, text]) => [fields, text, false] as const),
];
const nameOf = (fields: string, text: string, submit: boolean) =>
	`${submit ? 'Enter' : 'click'} ${text} ${fields}`;

const list = '<input type=date>';
const words = ['2024-01-02', '03.01.2024', '2024-01-04'];
const tasks = {
	...Object.fromEntries(
		cases.map((each, index) => [`${index}`, task(nameOf(...each), typing(...each))]),
	),
	words: task('words', [
		step('navigate', { url: `{base}${pageOf(list)}` }),
		loop({ loopType: 'list', listType: 'textList', texts: words }, [
			step('inputText', { selector: '[name=q]', useLoopItem: true, submit: true }),
			extract({ Word: { source: 'loopItem' }, Row: 'p' }),
		]),
	]),
	unchecked: task('unchecked', [
		step('navigate', { url: '{base}/unchecked' }),
		step('inputText', { selector: '[name=q]', text: 'a b', submit: true }),
		extract({ Row: 'p' }),
	]),
	script: task('script', [
		step('navigate', { url: '{base}/script' }),
		step('inputText', { selector: '[name=q]', text: 'x' }),
		step('click', { selector: 'button' }),
		extract({ Row: 'p' }),
	]),
};

let ground: Ground;

beforeAll(async () => {
	ground = await startOnBothPages(tasks, ({ url }) => {
		if (url.pathname === '/said') return `<p>${url.searchParams.get('q')}</p>`;
		if (url.pathname === '/unchecked') return formOf('<input type=email>', 'novalidate');
		if (url.pathname === '/script') {
			return `<form onsubmit="return false"><input name="q"><input required>
				<button type="button" onclick="document.querySelector('p').textContent = 'shown'">Show</button></form><p>all</p>`;
		}
		return formOf(url.searchParams.get('form') ?? '');
	});
}, 300_000);

afterAll(() => ground?.stop());

type Case = (typeof cases)[number];
const run = (page: string, each: Case) => {
	const index = cases.findIndex((one) => nameOf(...one) === nameOf(...each));
	return ground.client.run(uuidOf(`${index} ${page}`));
};

/** Why the page of a batch failed that has no row. */
async function reasonOf(page: string, each: Case): Promise<unknown> {
	const { batch, rows } = await run(page, each);
	const { batchID } = batch;
	expect(rows).toEqual([]);
	await ground.service.logged({ batchID, msg: 'batch successful', failedPages: 1 });
	const failure = { batchID, msg: 'page failed, skipped' };
	return ground.service.log.find((line) => isLine(line, failure))?.reason;
}

const isLine = (line: Record<string, unknown>, wanted: Record<string, unknown>) =>
	Object.entries(wanted).every(([name, value]) => line[name] === value);

describeOnBothPages('on a page of kind', (page) => {
	test.each(sampleOn(page, refused))('%s does not take %j', async (fields, text, reason) => {
		const typed = fields.includes('password') ? 'a hidden text' : `"${text}"`;
		const said = reason.startsWith('is not') ? '' : `, not ${typed}`;
		expect(await reasonOf(page, [fields, text, false])).toBe(`[name=q] ${reason}${said}.`);
	});

	test.each(sampleOn(page, taken))('%s takes %j', async (fields, text, sent) => {
		const { rows } = await run(page, [fields, text, false]);
		expect(rows).toEqual([{ Row: sent.replace(/\s+/g, ' ').trim() }]);
		expect(ground.site.requests.map(({ url }) => url.searchParams.get('q'))).toContain(sent);
	});

	test.each(sampleOn(page, unsent))(
		'a form with %s and %j is not sent',
		async (fields, text, reason) => {
			expect(await reasonOf(page, [fields, text, true])).toMatch(reason);
			expect(await reasonOf(page, [fields, text, false])).toMatch(reason);
		},
	);

	test('no row stands under a word that the field does not take', async () => {
		const { batch, rows } = await ground.client.run(uuidOf(`words ${page}`));
		expect(rows).toEqual([words[0], words[2]].map((word) => ({ Word: word, Row: word })));
		await ground.service.logged({
			batchID: batch.batchID,
			msg: 'batch successful',
			failedPages: 1,
		});
	});

	test('a form that is not to be checked is sent', async () => {
		const { rows } = await ground.client.run(uuidOf(`unchecked ${page}`));
		expect(rows).toEqual([{ Row: 'a b' }]);
	});
});

test.each(closed)('nothing is typed on an http page into %s', async (fields, reason) => {
	expect(await reasonOf('http', [fields, 'true', false])).toBe(`[name=q] ${reason}.`);
});

describeWithBrowser('where a script of the page', () => {
	test.each(scripted)('of %s makes something else of a text, the log warns', async (...each) => {
		const [fields, text, held] = each;
		const { batch, rows } = await run('browser', [fields, text, false]);
		expect(rows).toHaveLength(1);
		const said = held === '' ? 'a hidden text of a hidden text' : `"${held}" of "${text}"`;
		const reason = `a script of the page has made ${said}, typed into [name=q]`;
		await ground.service.logged({
			batchID: batch.batchID,
			level: 40,
			msg: 'field holds another text',
			reason,
		});
	});

	test('acts on a button that sends nothing, the fields of its form do not matter', async () => {
		const { rows } = await ground.client.run(uuidOf('script browser'));
		expect(rows).toEqual([{ Row: 'shown' }]);
	});
});
