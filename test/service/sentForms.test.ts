import type { Page } from 'playwright-core';
import { HtmlDocument } from '../../service/src/pages/http/htmlDocument.ts';
import { useChromium } from '../support/inProcess/chromium';
import { describeWithBrowser } from '../support/service/browser';

// Which forms a click on their button sends, as in Chromium.

/** What is in a form, and what is typed into its `.in`. */
const forms: [fields: string, typed?: string][] = [
	['<input name=q required>'],
	['<input name=q required>', 'x'],
	['<input name=q required value=" ">'],
	['<input name=q required readonly>'],
	['<input name=q required disabled>'],
	['<fieldset disabled><input name=q required></fieldset>'],
	['<fieldset disabled><legend><input name=q required></legend></fieldset>'],
	['<datalist><input name=q required></datalist>'],
	['<input required>'],
	['<textarea name=q required></textarea>'],
	['<textarea name=q required>\nx</textarea>'],
	['<textarea name=q required></textarea>', 'x'],
	['<input type=hidden name=q required>'],
	['<input type=range name=q required>'],
	['<input type=color name=q required>'],
	['<input type=checkbox name=q required>'],
	['<input type=checkbox name=q required checked>'],
	['<input type=checkbox name=q required readonly>'],
	['<input type=checkbox name=q required>', 'true'],
	['<input type=checkbox name=q required checked>', 'false'],
	['<input type=radio name=q required><input type=radio name=q value=2>'],
	['<input type=radio name=q required><input type=radio name=q value=2 checked>'],
	['<input type=radio name=q required disabled><input type=radio name=q value=2>'],
	['<input type=radio name=q required>', 'true'],
	['<select name=q required><option value="">-<option>x</select>'],
	['<select name=q required><option value="">-<option>x</select>', 'x'],
	['<select name=q required><option>x<option value="" selected>-</select>'],
	['<select name=q required><optgroup><option value="">-</optgroup></select>'],
	['<select name=q required></select>'],
	['<select name=q required><option value="" disabled selected>-<option>x</select>'],
	['<select name=q required size=3><option value="">-</select>'],
	['<select name=q required size=3><option value="" selected>-</select>'],
	['<select name=q required multiple><option value="">-</select>'],
	['<select name=q required multiple><option value="" selected>-</select>'],
	['<input type=file name=q required>'],
	['<input type=file name=q>'],
	['<input type=submit name=q required>'],
	['<input type=email name=q value="a@b">'],
	['<input type=email name=q value="a b@c">'],
	['<input type=email name=q value="a@b-">'],
	['<input type=email name=q multiple value="a@b, c@d">'],
	['<input type=email name=q multiple value="a@b,c">'],
	['<input type=url name=q value="x">'],
	['<input type=url name=q value="x:y">'],
	['<input type=tel name=q value="x">'],
	['<input name=q pattern="[a-z]{2}" value="ab">'],
	['<input name=q pattern="[a-z]{2}" value="abc">'],
	['<input name=q pattern="a|b" value="ab">'],
	['<input name=q pattern="a)(b" value="x">'],
	['<input name=q pattern="[" value="x">'],
	['<input name=q pattern="x">'],
	['<input name=q pattern="[a-z]{2}" readonly value="abc">'],
	['<input type=email name=q multiple pattern=".*@b" value="a@b,c@d">'],
	['<input type=number name=q pattern="x" value="1">'],
	['<textarea name=q pattern="x">y</textarea>'],
	['<input name=q minlength=3 value="x">'],
	['<input name=q minlength=3>', 'xy'],
	['<input name=q minlength=3>', 'xyz'],
	['<input name=q minlength=3 value=x>', ''],
	['<textarea name=q minlength=3></textarea>', 'xy'],
	['<input name=q maxlength=3 value="xyzzy">'],
	['<input type=number name=q value=1.5>'],
	['<input type=number name=q value=1.5 step=any>'],
	['<input type=number name=q>', '1.5'],
	['<input type=number name=q step=0.1 value=0.3>'],
	['<input type=number name=q step=0.1>', '0.3'],
	['<input type=number name=q step=0.1>', '0.35'],
	['<input type=number name=q step=0>', '1.5'],
	['<input type=number name=q step=3 min=1 value=7>'],
	['<input type=number name=q step=3 min=1 value=6>'],
	['<input type=number name=q min=1 max=5 value=9>'],
	['<input type=number name=q min=1 max=5 value=0>'],
	['<input type=number name=q min=1 max=5 value=5>'],
	['<input type=number name=q min=1 max=5>'],
	['<input type=number name=q min=x value=-5>'],
	['<input type=number name=q required value=x>'],
	['<input type=date name=q min=2024-01-01 value=2023-12-31>'],
	['<input type=date name=q min=2024-01-01 value=2024-01-01>'],
	['<input type=date name=q max=2024-01-01 value=2024-01-02>'],
	['<input type=date name=q min=2024-01-01 step=7 value=2024-01-09>'],
	['<input type=date name=q min=2024-01-01 step=7 value=2024-01-08>'],
	['<input type=date name=q required value=2024-02-30>'],
	['<input type=month name=q min=2024-02 value=2024-01>'],
	['<input type=month name=q step=12 min=2024-02 value=2025-02>'],
	['<input type=month name=q step=12 min=2024-02 value=2025-03>'],
	['<input type=week name=q min=2024-W02 value=2024-W01>'],
	['<input type=week name=q step=2 min=2020-W53 value=2021-W02>'],
	['<input type=week name=q step=2 min=2020-W53 value=2021-W01>'],
	['<input type=time name=q min=10:00 max=12:00 value=13:00>'],
	['<input type=time name=q min=22:00 max=02:00 value=23:00>'],
	['<input type=time name=q min=22:00 max=02:00 value=13:00>'],
	['<input type=time name=q value=10:00:30>'],
	['<input type=time name=q step=1 value=10:00:30>'],
	['<input type=datetime-local name=q min=2024-01-01T10:00 value=2024-01-01T09:59>'],
	['<input type=datetime-local name=q value=2024-01-01T09:59:30>'],
	['<input type=range name=q min=1 max=5 value=9>'],
];

const novalidate = [
	'<form novalidate><input name=q required><button>Go</button></form>',
	'<form><input name=q required><button formnovalidate>Go</button></form>',
	'<form><input name=q required><input type=submit formnovalidate></form>',
	'<form id=f></form><input name=q required form=f><button form=f>Go</button>',
	'<form><input name=q><button disabled>Go</button></form>',
	'<form><input name=q><fieldset disabled><button>Go</button></fieldset></form>',
	'<form><input name=q><fieldset disabled><legend><button>Go</button></legend></fieldset></form>',
	'<form><input name=q><fieldset disabled><legend></legend><legend><button>Go</button></legend></fieldset></form>',
	'<form><input name=q><button disabled><button>Go</button></button></form>',
	'<form id=f></form><fieldset disabled><input type=submit form=f></fieldset>',
];

const pages = [
	...forms.map(([fields, typed]) => ({
		html: `<form>${fields.replace(' ', ' class=in ')}<button class=go>Go</button></form>`,
		typed,
	})),
	...novalidate.map((html) => ({
		html: html.replace(/<(button|input type=submit)/, '$& class=go'),
		typed: undefined,
	})),
];

describeWithBrowser('as in Chromium, a click sends', () => {
	const browser = useChromium();

	test('each form, or does not', async () => {
		const page = await browser().newPage();
		await page.route('**/*', (route) => route.fulfill({ contentType: 'text/html', body: '' }));
		await page.goto('http://shop.example/');
		const seen: ((typeof pages)[number] & { isSent: boolean })[] = [];
		for (const { html, typed } of pages) {
			await page.setContent(`<!doctype html>${html}`);
			if (typed !== undefined) await type(page, typed);
			// Whether it is sent shows in the page, before anything is asked for.
			const isSent = await page.evaluate<boolean>(`{
				let isSent = false;
				addEventListener('submit', (event) => { isSent = true; event.preventDefault(); });
				document.querySelector('.go').click();
				isSent;
			}`);
			seen.push({ html, typed, isSent });
		}
		expect(new Set(seen.map(({ isSent }) => isSent))).toEqual(new Set([true, false]));
		expect(pages.map((each) => ({ ...each, isSent: isSentFrom(each) }))).toEqual(seen);
	});
});

async function type(page: Page, text: string): Promise<void> {
	const field = page.locator('.in');
	const kind = await page.evaluate<string>(`document.querySelector('.in').type`);
	if (kind === 'checkbox' || kind === 'radio') await field.setChecked(text === 'true');
	else if (kind === 'select-one') await field.selectOption(text);
	else await field.fill(text);
}

function isSentFrom({ html, typed }: { html: string; typed: string | undefined }): boolean {
	const document = new HtmlDocument({
		body: Buffer.from(`<!doctype html>${html}`),
		url: 'http://shop.example/',
		contentType: 'text/html; charset=utf-8',
	});
	const fields = typed === undefined ? [] : [{ scope: [], selector: '.in', text: typed }];
	try {
		document.requestOfClick([], '.go', fields);
		return true;
	} catch (error) {
		expect(String(error)).toMatch(
			/The form is not sent: .+\.$|\.go is disabled: a click on it does nothing\.$/,
		);
		return false;
	}
}

test('what sends nothing says what may be clicked, and what to do', () => {
	const document = new HtmlDocument({
		body: Buffer.from('<!doctype html><label><input type="checkbox">Red</label>'),
		url: 'http://shop.example/',
		contentType: 'text/html; charset=utf-8',
	});
	expect(() => document.requestOfClick([], 'input', [])).toThrow(
		'input is no link and no button that sends a form: a page of kind "http" clicks nothing else. Fill in fields and boxes by inputText, or use "page": "browser".',
	);
});

test('the reason names the field and what is wrong with it', () => {
	const reasons = {
		'<input name=q required>': 'q is required, and has no value',
		'<input id=mail type=email value=x>': 'mail "x" is no e-mail address',
		'<input type=number max=5 value=9>': 'input "9" must be at most 5',
	};
	for (const [field, reason] of Object.entries(reasons)) {
		const document = new HtmlDocument({
			body: Buffer.from(`<form>${field}<button>Go</button></form>`),
			url: 'http://shop.example/',
			contentType: 'text/html',
		});
		const click = () => document.requestOfClick([], 'button', []);
		expect(click).toThrow(`The form is not sent: ${reason}.`);
		expect(() => document.requestOfSubmit([], 'input', [])).toThrow(
			`The form is not sent: ${reason}.`,
		);
	}
});
