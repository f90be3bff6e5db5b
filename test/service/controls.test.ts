import { parseHtml } from '../../service/src/pages/http/parseHtml.ts';
import { formRequest } from '../../service/src/pages/http/form.ts';
import { first } from '../../service/src/pages/http/select.ts';
import { describeWithBrowser } from '../support/service/browser';
import { useChromium } from '../support/inProcess/chromium';

// What the controls of a form send on http pages, each compared with what Chromium sends.

const option = (attributes: string, text: string) => `<option ${attributes}>${text}</option>`;

const controls: Record<string, string[]> = {
	'a list': [
		`<select name=a>${option('', 'One')}${option('', 'Two')}</select>`,
		`<select name=a>${option('disabled', 'One')}${option('', 'Two')}</select>`,
		`<select name=a>${option('', 'One')}${option('selected disabled value=shoes', 'Two')}</select>`,
		`<select name=a>${option('selected', 'One')}${option('selected', 'Two')}</select>`,
		`<select name=a>${option('selected', 'One')}${option('selected disabled', 'Two')}</select>`,
		`<select name=a><optgroup disabled>${option('', 'One')}</optgroup>${option('', 'Two')}</select>`,
		`<select name=a><optgroup disabled>${option('selected', 'One')}</optgroup>${option('', 'Two')}</select>`,
		`<select name=a multiple>${option('selected', 'One')}${option('selected disabled', 'Two')}${option('selected', 'Three')}</select>`,
		`<select name=a multiple>${option('', 'One')}</select>`,
		`<select name=a size=2>${option('', 'One')}${option('', 'Two')}</select>`,
		`<select name=a size="2 rows">${option('', 'One')}${option('', 'Two')}</select>`,
		`<select name=a size=x>${option('', 'One')}${option('', 'Two')}</select>`,
		`<select name=a>${option('', ' One \n two ')}</select>`,
		`<select name=a>${option('value=" x "', 'One')}</select>`,
		`<select name=a>${option('label=L', 'One')}</select>`,
		`<select name=a></select>`,
		`<select name=a disabled>${option('', 'One')}</select>`,
	],
	'a range': [
		'',
		'value=7',
		'value=x',
		'value=-5',
		'value=500',
		'min=10 max=20',
		'min=10 max=21',
		'min=20 max=10',
		'min=0 max=1 step=0.1 value=0.34',
		'min=0 max=1 step=any value=0.34',
		'min=1 max=10 step=4 value=10',
		'min=-10 max=-5',
		'step=7 value=50',
		'step=0 value=3.4',
		'step=-2 value=3.4',
		'value=2.5',
		'min=0.5 max=3 value=2',
	].map((attributes) => `<input type=range name=a ${attributes}>`),
	'a number': [
		'5',
		'05',
		'+5',
		'-5',
		'5.',
		'.5',
		'-.5',
		'1e3',
		'1e',
		'1e400',
		'x',
		' 5',
		'5 ',
		'',
		'0x5',
		'Infinity',
	].map((value) => `<input type=number name=a value="${value}">`),
	'a date': [
		'2024-02-29',
		'2023-02-29',
		'2024-2-9',
		'0000-01-01',
		'12024-01-01',
		'2024-13-01',
		'2024-01-32',
		'24-01-01',
		'x',
		' 2024-01-01',
		'1900-02-29',
		'2000-02-29',
	].map((value) => `<input type=date name=a value="${value}">`),
	'a month': ['2024-02', '2024-00', '2024-13', '2024-1', '2024', 'x'].map(
		(value) => `<input type=month name=a value="${value}">`,
	),
	'a week': [
		'2024-W01',
		'2024-W53',
		'2020-W53',
		'2015-W53',
		'2024-W00',
		'2024-W1',
		'2024-01',
		'2026-W53',
		'2025-W53',
	].map((value) => `<input type=week name=a value="${value}">`),
	'a time': [
		'10:00',
		'24:00',
		'10:60',
		'10:00:30',
		'10:00:60',
		'10:00:30.5',
		'10:00:30.1234',
		'1:00',
		'x',
		'10:00:00',
		'10:00:00.000',
	].map((value) => `<input type=time name=a value="${value}">`),
	'a day and a time': [
		'2024-01-01T10:00',
		'2024-01-01 10:00',
		'2024-01-01T10:00:00',
		'2024-01-01T10:00:30',
		'2024-01-01T10:00:30.500',
		'2024-01-01T10:00:00.5',
		'2024-01-01T10:00Z',
		'2024-01-01t10:00',
		'2024-13-01T10:00',
		'2024-01-01',
		'x',
	].map((value) => `<input type=datetime-local name=a value="${value}">`),
	'a text': ['text', 'search', 'tel', 'password', 'url', 'email', 'hidden', 'unknown', 'TEXT'].map(
		(type) => `<input type=${type} name=a value=" a&#10;b&#13;c ">`,
	),
	'mail addresses': [
		'<input type=email name=a value=" a@b , c@d ">',
		'<input type=email name=a multiple value=" a@b , c@d ,">',
	],
	'a colour': ['#ABCDEF', '#aBc', 'x', '', '#abcdeg'].map(
		(value) => `<input type=color name=a value="${value}">`,
	),
	'a box': [
		'<input type=checkbox name=a>',
		'<input type=checkbox name=a checked>',
		'<input type=checkbox name=a checked value="">',
		'<input type=checkbox name=a checked value="x&#10;y">',
		'<input type=radio name=a>',
		'<input type=radio name=a checked><input type=radio name=a checked value=2>',
		'<input type=radio name=a checked><input type=radio name=a checked value=2 disabled>',
		'<input type=radio name=a checked><input type=radio name=A checked value=2>',
	],
	'whatever else': [
		'<input type=file name=a>',
		'<input type=hidden name=_charset_>',
		'<input type=hidden name=_charset_ value=x>',
		'<input type=text name=_charset_ value=x>',
		'<input name=a dirname=d value=x>',
		'<div dir=rtl><textarea name=a dirname=d>x</textarea></div>',
		'<input type=number name=a dirname=d value=5>',
		'<textarea name=a>\n\nx\ny </textarea>',
		'<input type=image name=a><input type=submit name=b><input type=reset name=c value=x><button name=d value=x>x</button>',
		'<output name=a>5</output><meter name=b value=1></meter><progress name=c value=1></progress>',
		'<fieldset disabled><legend><input name=a value=1></legend><legend><input name=b value=2></legend><input name=c value=3></fieldset>',
		'<fieldset disabled><fieldset><legend><input name=a value=1></legend></fieldset></fieldset>',
		'<template><input name=a value=1></template><input name=b value=2>',
		'<input value=1><input name="" value=2>',
	],
};

/** What an http page sends for the controls of its form. */
function sentFor(markup: string): string {
	const form = first('form', parseHtml(pageOf(markup)));
	if (!form) throw new Error('There is no form.');
	const address = 'http://shop.example/';
	const base = { url: address, encoding: 'utf-8' };
	const { url } = formRequest(form, undefined, { typed: new Map(), base, address });
	return new URL(url).search.slice(1).replaceAll('%0D%0A', '%0A');
}

// What is not valid is sent, too.
const pageOf = (markup: string) => `<!doctype html><form novalidate>${markup}</form>`;

describeWithBrowser('as in Chromium, a form sends', () => {
	const browser = useChromium();

	test.each(Object.entries(controls))('%s', async (_name, all) => {
		const page = await browser().newPage();
		const sent: string[] = [];
		for (const markup of all) {
			await page.setContent(pageOf(markup));
			sent.push(
				await page.evaluate<string>(`(() => {
					const text = (value) => typeof value === 'string' ? value : value.name;
					const pairs = [...new FormData(document.forms[0])].map(([name, value]) => [name, text(value).replace(/\\r\\n?|\\n/g, '\\n')]);
					return new URLSearchParams(pairs).toString().replaceAll('%0D%0A', '%0A');
				})()`),
			);
		}
		const named = (values: string[]) => all.map((markup, index) => [markup, values[index]]);
		expect(named(all.map(sentFor))).toEqual(named(sent));
	});
});
