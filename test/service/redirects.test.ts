import { askable, redirected } from '../../service/src/pages/http/redirects';

// Where an answer sends on, and what is asked for there: as browsers do.

const headers = {
	accept: '*/*',
	authorization: 'Basic eA==',
	cookie: 'a=1',
	host: 'other.example',
	'content-type': 'application/x-www-form-urlencoded',
	'x-own': '1',
};
const get = { url: 'http://shop.example/a/b?c#here', headers };
const form = { contentType: headers['content-type'], body: Buffer.from('q=1') };
const post = { ...get, form };

test.each([
	['/d', 'http://shop.example/d#here'],
	['d?e', 'http://shop.example/a/d?e#here'],
	['//other.example', 'http://other.example/#here'],
	['/d#there', 'http://shop.example/d#there'],
	['/d#', 'http://shop.example/d'],
	['/\xc3\xbc', 'http://shop.example/%C3%BC#here'],
	['/\xfc', 'http://shop.example/%FC#here'],
])('%s leads to %s', (location, url) => {
	expect(redirected(get, 302, location)?.url).toBe(url);
});

test.each([
	[200, '/d'],
	[304, '/d'],
	[302, undefined],
])('status %d with the location %s leads nowhere', (status, location) => {
	expect(redirected(get, status, location)).toBeUndefined();
});

test.each([301, 302, 303])('a form is not sent on by %d', (status) => {
	const { 'content-type': _, ...kept } = headers;
	expect(redirected(post, status, '/d')).toEqual({
		url: 'http://shop.example/d#here',
		headers: kept,
	});
});

test.each([307, 308])('a form is sent on by %d', (status) => {
	const sent = { form, url: 'http://shop.example/d#here', headers };
	expect(redirected(post, status, '/d')).toEqual(sent);
});

test.each([
	['ftp://shop.example/', 'it is not an http or https URL'],
	['data:text/html,x', 'it is not an http or https URL'],
	['http://shop.example:25/', 'bad port'],
	['http://ann:secret@shop.example/', 'has a user name or password'],
])('%s is not asked for', (url, reason) => {
	expect(() => askable(url)).toThrow(reason);
});
