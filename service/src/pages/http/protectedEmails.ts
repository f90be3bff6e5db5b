import { Text, type Document } from 'domhandler';
import { appendChild } from 'domutils';
import { all } from './select.ts';

/** As a page writes it; most have none, and are not looked through: two words are found faster than an expression. */
const marks = ['data-cfemail', '/cdn-cgi/l/email-protection#'];
const link = /\/cdn-cgi\/l\/email-protection#([\da-f]*)$/i;

/** Whether a page may have addresses that Cloudflare keeps from programs, for a script to show them. */
export function mayHideEmails(html: string): boolean {
	return marks.some((mark) => html.includes(mark));
}

/** Puts them where that script does: into what it would take the place of, and into links. */
export function showEmails(page: Document): void {
	for (const element of all('[data-cfemail]', page)) {
		const email = decoded(element.attribs['data-cfemail']);
		if (email === undefined) continue;
		element.children = [];
		appendChild(element, new Text(email));
	}
	for (const { attribs } of all('a[href]', page)) {
		const email = decoded(link.exec(attribs.href ?? '')?.[1]);
		if (email !== undefined) attribs.href = `mailto:${email}`;
	}
}

/** Of its bytes, the first is the key of the others. */
function decoded(hex = ''): string | undefined {
	const [key = 0, ...bytes] = Buffer.from(hex, 'hex');
	return bytes.length > 0 ? Buffer.from(bytes.map((byte) => byte ^ key)).toString() : undefined;
}
