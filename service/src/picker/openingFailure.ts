import { withoutPasswords } from '../log/withoutPasswords.ts';

/** Says to somebody who waits for a page why it cannot be opened, and what to do; `reason`: what its Page says. */
export function openingFailure(url: string, reason: string): string {
	const { host, protocol } = new URL(url);
	const other = withoutPasswords(
		protocol === 'https:' ? url.replace(/^https/i, 'http') : url.replace(/^http/i, 'https'),
	);
	for (const { sign, words } of failures) {
		const found = sign.exec(reason);
		const said = found && words({ host, other, isSecure: protocol === 'https:', found });
		if (said) return said;
	}
	return withoutPasswords(reason);
}

interface Opening {
	host: string;
	/** The address with http:// instead of https://, or the other way round. */
	other: string;
	isSecure: boolean;
	found: RegExpExecArray;
}

/** How Node.js and Chromium name what happens between this machine and a site. */
const failures: { sign: RegExp; words: (opening: Opening) => string | undefined }[] = [
	{
		sign: /has a user name or password/,
		words: () =>
			'The address has a user name or password, which only a browser sends: choose “in a browser”.',
	},
	{
		sign: /more than (\d+) elements\./,
		words: ({ found }) =>
			`The page has more than ${Number(found[1]).toLocaleString('en-GB')} elements, too many to be read. Look for a page of the site that shows less at once.`,
	},
	{
		sign: /ENOTFOUND(?: (\S+))?|EAI_AGAIN|ERR_NAME_NOT_RESOLVED/,
		words: ({ host, found }) =>
			`There is no site called “${found[1] ?? host}” that can be found from here. Check the spelling, and whether this machine is online.`,
	},
	{
		sign: /ECONNREFUSED|ERR_CONNECTION_REFUSED/,
		words: ({ host }) =>
			`Nothing answers at ${host}. Check whether the site is running, and whether the port in the address is right.`,
	},
	{
		sign: /bad port|ERR_UNSAFE_PORT/,
		words: ({ host }) =>
			`No pages are asked for at ${host}: its port belongs to another service. Check whether it is right.`,
	},
	{
		sign: /no TLS connection|ERR_SSL_/,
		words: ({ host, other, isSecure }) =>
			isSecure ? `${host} does not answer over https. Try ${other}` : undefined,
	},
	{
		sign: /certificate|ERR_CERT_\w+/i,
		words: ({ host, other, isSecure }) =>
			isSecure
				? `The certificate of ${host} is not trusted by this machine, so its page is not opened. If the site is there without https, try ${other}`
				: undefined,
	},
	{
		sign: /ECONNRESET|EPIPE|other side closed|ERR_(CONNECTION_(RESET|CLOSED)|EMPTY_RESPONSE)/,
		words: ({ host, other, isSecure }) =>
			`${host} closes the connection without an answer. Try again in a while${isSecure ? '.' : `, or try ${other}`}`,
	},
	{
		sign: /Connect Timeout|ETIMEDOUT|E(HOST|NET)UNREACH|ERR_(CONNECTION_TIMED_OUT|ADDRESS_UNREACHABLE|INTERNET_DISCONNECTED)/,
		words: ({ host }) =>
			`${host} cannot be reached. Check whether the address is right, and whether this machine is online.`,
	},
];
