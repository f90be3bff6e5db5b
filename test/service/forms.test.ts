import { describeOnBothPages } from '../support/service/browser';
import type { SiteAnswer } from '../support/service/startSite';
import { extract, loop, step, task, uuidOf } from '../support/service/taskFiles';
import { startOnBothPages, type Ground } from './bothPages';

// What a form sends, on both kinds of pages.

let ground: Ground;

const pages: Record<string, string> = {
	'/form': `<form action="/echo?dropped=1" id="get" target="_blank">
			<input name="q" value="before"><input type="hidden" name="h" value="hidden">
			<input type="checkbox" name="off"><input type="checkbox" name="on" checked>
			<textarea name="t"></textarea>
			<select name="s"><option value="1" selected>One</option><option value="2">Two</option></select>
			<button name="b" value="clicked">Go</button><button name="other" value="no">Other</button>
		</form>
		<form action="/echo" method="post" id="post"><input name="q"><input type="submit" value="Send"></form>
		<button id="outside" form="post" formaction="/echo?elsewhere" name="via" value="outside">Send</button>`,
	'/table': `<table><form action="/echo"><tr><td><input name="a" value="1">
		<input type="radio" name="r" value="1" checked><input type="radio" name="r" value="2" checked></td></tr>
		<tr><td><input type="submit" name="b"></td></tr></form>
		<tr><td><input name="c" value="3"></td></tr></table>`,
	'/based': '<base href="/list/"><form><input name="q" value="x"><button>Go</button></form>',
	'/controls': `<form action="/echo" id="f"><input name="in" value="1">
			<fieldset disabled><legend><input name="legend" value="2"></legend><input name="off" value="3"></fieldset>
			<input name="disabled" value="4" disabled><input name="elsewhere" value="5" form="g">
			<button id="send" name="button" value="6">Send</button><input name="last" value="7"></form>
		<input name="outside" value="8" form="f"><form id="g"></form>`,
	'/fields': `<form action="/echo"><p><input name="a"><button>Send</button></p>
		<p><input name="b"><button>Send</button></p></form>`,
	'/boxes': `<form action="/echo"><input type="checkbox" name="a"><input type="checkbox" name="b" checked>
		<input type="checkbox" name="c" value="news" style="display: none">
		<input type="radio" name="r" value="1" checked><input type="radio" name="r" value="2">
		<input type="radio" name="other" value="3"><button>Send</button></form>`,
	'/ticks': `<form action="/echo"><p><input type="checkbox" name="a"><button>Send</button></p>
		<p><input type="checkbox" name="b" checked><button>Send</button></p></form>`,
	'/options': `<form action="/echo"><select name="s"><option value="3">1</option><option value="1">2</option>
		<option value="2" label="3">Three</option><option value="last">4</option></select><button>Send</button></form>`,
	'/enter': `<form action="/echo" id="one"><input name="q"></form>
		<form action="/echo" id="button"><input name="q"><input name="more" value="1">
			<button type="button" name="no">No</button><button name="b" value="first">A</button><button name="b" value="second">B</button></form>
		<form action="/echo" id="area"><textarea name="t"></textarea></form>`,
};

const tasks = {
	boxes: task('boxes', [
		step('navigate', { url: '{base}/boxes' }),
		step('inputText', { selector: '[name=a]', text: 'true' }),
		step('inputText', { selector: '[name=b]', text: 'false' }),
		step('inputText', { selector: '[name=c]', text: 'news' }),
		step('inputText', { selector: '[value="2"]', text: 'true' }),
		step('click', { selector: 'button' }),
		extract({ Query: '.query' }),
	]),
	tickedInRounds: task('tickedInRounds', [
		step('navigate', { url: '{base}/ticks' }),
		loop({ loopType: 'list', listType: 'elements', selector: 'p' }, [
			step('inputText', { selector: 'input', text: 'true' }, 'on'),
			loop({ loopType: 'count', times: 1 }, [
				step('inputText', { selector: 'input', text: 'false' }, 'off'),
			]),
		]),
		step('click', { selector: 'button' }),
		extract({ Query: '.query' }),
	]),
	options: task('options', [
		step('navigate', { url: '{base}/options' }),
		loop({ loopType: 'list', listType: 'textList', texts: ['1', '2', '3', 'last'] }, [
			step('inputText', { selector: 'select', useLoopItem: true }),
			step('click', { selector: 'button' }),
			extract({ Query: '.query' }),
		]),
	]),
	enter: task('enter', [
		step('navigate', { url: '{base}/enter' }),
		loop({ loopType: 'list', listType: 'textList', texts: ['x', 'y'] }, [
			step('inputText', { selector: '#one [name=q]', useLoopItem: true, submit: true }),
			extract({ Query: '.query' }),
		]),
	]),
	enterWithButton: task('enterWithButton', [
		step('navigate', { url: '{base}/enter' }),
		step('inputText', { selector: '#button [name=q]', text: 'x', submit: true }),
		extract({ Query: '.query' }),
	]),
	enterInArea: task('enterInArea', [
		step('navigate', { url: '{base}/enter' }),
		step('inputText', { selector: 'textarea', text: 'x', submit: true }),
		extract({ Query: '.query' }),
	]),
	tableForm: task('tableForm', [
		step('navigate', { url: '{base}/table' }),
		step('click', { selector: '[type=submit]' }),
		extract({ Query: '.query' }),
	]),
	basedForm: task('basedForm', [
		step('navigate', { url: '{base}/based' }),
		step('click', { selector: 'button' }),
		extract({ Value: { selector: 'input', attribute: 'value' } }),
	]),
	getForm: task('getForm', [
		step('navigate', { url: '{base}/form' }),
		step('inputText', { selector: '#get [name=q]', text: 'a & b' }),
		step('inputText', { selector: 'textarea', text: 'two\nlines' }),
		step('inputText', { selector: 'select', text: 'Two' }),
		step('click', { selector: '#get button' }),
		extract({ Method: '.method', Query: '.query', Body: '.body' }),
	]),
	postForm: task('postForm', [
		step('navigate', { url: '{base}/form' }),
		step('inputText', { selector: '#post [name=q]', text: 'ü' }),
		step('click', { selector: '#post [type=submit]' }),
		extract({ Method: '.method', Query: '.query', Body: '.body' }),
	]),
	outsideButton: task('outsideButton', [
		step('navigate', { url: '{base}/form' }),
		step('click', { selector: '#outside' }),
		extract({ Method: '.method', Query: '.query', Body: '.body' }),
	]),
	controls: task('controls', [
		step('navigate', { url: '{base}/controls' }),
		step('click', { selector: '#send' }),
		extract({ Query: '.query' }),
	]),
	rounds: task('rounds', [
		step('navigate', { url: '{base}/fields' }),
		loop({ loopType: 'list', listType: 'elements', selector: 'form p' }, [
			step('inputText', { selector: 'input', text: 'v' }),
			step('click', { selector: 'button' }),
			extract({ Query: '.query' }),
		]),
	]),
	typedInRounds: task('typedInRounds', [
		step('navigate', { url: '{base}/fields' }),
		step('inputText', { selector: '[name=b]', text: 'kept' }),
		loop({ loopType: 'list', listType: 'elements', selector: 'form p' }, [
			step('inputText', { selector: 'input', text: 'v' }),
		]),
		step('click', { selector: 'button' }),
		extract({ Query: '.query' }),
	]),
};

beforeAll(async () => {
	ground = await startOnBothPages(tasks, ({ method, url, body }): SiteAnswer => {
		if (url.pathname === '/echo') {
			return `<p class="method">${method}</p>
				<pre class="query">${url.search.replaceAll('&', '&amp;')}</pre>
				<pre class="body">${body.replaceAll('&', '&amp;')}</pre>`;
		}
		return pages[url.pathname] ?? { status: 404 };
	});
}, 300_000);

afterAll(() => ground?.stop());

describeOnBothPages('on a page of kind', (page) => {
	async function rowsOf(name: keyof typeof tasks): Promise<Record<string, string>[]> {
		return (await ground.client.run(uuidOf(`${name} ${page}`))).rows;
	}

	test('submits a GET form with typed texts, defaults and the clicked button', async () => {
		const [row] = await rowsOf('getForm');
		expect(row?.Method).toBe('GET');
		expect([...new URLSearchParams(row?.Query)]).toEqual([
			['q', 'a & b'],
			['h', 'hidden'],
			['on', 'on'],
			['t', 'two\r\nlines'],
			['s', '2'],
			['b', 'clicked'],
		]);
	});

	test('submits a form that begins in a table with the fields up to its end', async () => {
		expect(await rowsOf('tableForm')).toEqual([{ Query: '?a=1&r=2&b=Submit' }]);
	});

	test('submits a form without an action to its own page, whatever addresses count from', async () => {
		const before = ground.site.requests.length;
		expect(await rowsOf('basedForm')).toEqual([{ Value: 'x' }]);
		const asked = ground.site.requests.slice(before).map(({ url }) => url.pathname + url.search);
		expect(asked.filter((address) => address !== '/favicon.ico')).toEqual(['/based', '/based?q=x']);
	});

	test('submits a POST form as a browser encodes it', async () => {
		expect(await rowsOf('postForm')).toEqual([{ Method: 'POST', Query: '', Body: 'q=%C3%BC' }]);
		const sent = ground.site.requests.filter(({ method }) => method === 'POST').at(-1);
		expect(sent?.headers['content-type']).toMatch(/^application\/x-www-form-urlencoded/);
	});

	test('submits a form by a button outside of it, to the address of the button', async () => {
		expect(await rowsOf('outsideButton')).toEqual([
			{ Method: 'POST', Query: '?elsewhere', Body: 'q=&via=outside' },
		]);
	});

	test('sends the controls that a browser sends: none that is disabled, all that name the form', async () => {
		expect(await rowsOf('controls')).toEqual([
			{ Query: '?in=1&legend=2&button=6&last=7&outside=8' },
		]);
	});

	test('starts each round of a loop that reads with the fields as they were before it', async () => {
		expect(await rowsOf('rounds')).toEqual([{ Query: '?a=v&b=' }, { Query: '?a=&b=v' }]);
	});

	test('what rounds type or tick that read nothing stays behind them', async () => {
		expect(await rowsOf('typedInRounds')).toEqual([{ Query: '?a=v&b=v' }]);
		expect(await rowsOf('tickedInRounds')).toEqual([{ Query: '' }]);
	});

	test('ticks boxes, also hidden ones, and chooses of several', async () => {
		expect(await rowsOf('boxes')).toEqual([{ Query: '?a=on&c=news&r=2' }]);
	});

	test('chooses the option that says a text, before one that sends it', async () => {
		const sent = ['3', '1', '2', 'last'].map((value) => ({ Query: `?s=${value}` }));
		expect(await rowsOf('options')).toEqual(sent);
	});

	test('Enter sends the form of a field, also without a button', async () => {
		expect(await rowsOf('enter')).toEqual([{ Query: '?q=x' }, { Query: '?q=y' }]);
	});

	test('Enter presses the first button that sends', async () => {
		expect(await rowsOf('enterWithButton')).toEqual([{ Query: '?q=x&more=1&b=first' }]);
	});

	test('a text area is sent with its form, too', async () => {
		expect(await rowsOf('enterInArea')).toEqual([{ Query: '?t=x' }]);
	});
});
