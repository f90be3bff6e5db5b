import { isIP } from 'node:net';
import { isPageUrl } from '../tasks/values.ts';

/**
 * The address that somebody means who has typed this; what is none stays as it was typed, and so does a
 * single word: a batch costs money, and more words are mistakes than hosts. People leave out how it begins:
 * that is https:// for sites that everybody can reach, and http:// for what runs on a machine or network of
 * one's own.
 */
export function typedAddress(entered: string): string {
	const text = entered.trim();
	if (text === '' || /^(https?:|\{site\}|[a-z][\w+.-]*:\/\/)/i.test(text)) return text;
	if (/^[^.:/]+$/.test(text) && text !== 'localhost') return text;
	const address = `${isOwn(text) ? 'http' : 'https'}://${text}`;
	return isPageUrl(address) ? address : text;
}

/** Whether no certificate is to be expected there: an IP address, a name without a dot, a port of its own. */
function isOwn(text: string): boolean {
	if (!URL.canParse(`http://${text}`)) return false;
	const { hostname, port } = new URL(`http://${text}`);
	if (port !== '') return port !== '443' && port !== '8443';
	return isIP(hostname.replace(/^\[|\]$/g, '')) !== 0 || /^[^.]+$|\.localhost$/.test(hostname);
}
