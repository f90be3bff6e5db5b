import { isIP } from 'node:net';

/**
 * The address that somebody means who has typed this. People leave out how it begins: that is https://
 * for sites that everybody can reach, and http:// for what runs on a machine or network of one's own.
 */
export function typedAddress(entered: string): string {
	const text = entered.trim();
	if (text === '' || /^(https?:|\{site\}|[a-z][\w+.-]*:\/\/)/i.test(text)) return text;
	return `${isOwn(text) ? 'http' : 'https'}://${text}`;
}

/** Whether no certificate is to be expected there: an IP address, a name without a dot, a port of its own. */
function isOwn(text: string): boolean {
	if (!URL.canParse(`http://${text}`)) return false;
	const { hostname, port } = new URL(`http://${text}`);
	if (port !== '') return port !== '443' && port !== '8443';
	return isIP(hostname.replace(/^\[|\]$/g, '')) !== 0 || /^[^.]+$|\.localhost$/.test(hostname);
}
