import { withoutPasswords } from '../log/withoutPasswords.ts';

/**
 * Says to somebody who waits for a page why it cannot be opened, and what to do; `reason`: what its Page
 * says; `isLinked`: its address is that of a link, in which there is nothing to correct.
 */
export function openingFailure(url: string, reason: string, isLinked: boolean): string {
	const { host, protocol } = new URL(url);
	const other = withoutPasswords(
		protocol === 'https:' ? url.replace(/^https/i, 'http') : url.replace(/^http/i, 'https'),
	);
	for (const { sign, words } of failures) {
		const found = sign.exec(reason);
		const said = found && words({ host, other, isSecure: protocol === 'https:', found });
		if (said)
			return isLinked
				? `${said.what} The link leads there: point at another one.`
				: `${said.what} ${said.todo}`;
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

interface Failure {
	what: string;
	/** For somebody who has entered the address. */
	todo: string;
}

/** How Node.js and Chromium name what happens between this machine and a site. */
const failures: { sign: RegExp; words: (opening: Opening) => Failure | undefined }[] = [
	{
		sign: /has a user name or password/,
		words: () => ({
			what: 'The address has a user name or password, which only a browser sends.',
			todo: 'Choose “in a browser”.',
		}),
	},
	{
		sign: /more than (\d+) elements\./,
		words: ({ found }) => ({
			what: `The page has more than ${Number(found[1]).toLocaleString('en-GB')} elements, too many to be read.`,
			todo: 'Look for a page of the site that shows less at once.',
		}),
	},
	{
		sign: /ENOTFOUND(?: (\S+))?|EAI_AGAIN|ERR_NAME_NOT_RESOLVED/,
		words: ({ host, found }) => ({
			what: `The site “${found[1] ?? host}” was not found.`,
			todo: 'Check the spelling, and whether this machine is online.',
		}),
	},
	{
		sign: /ECONNREFUSED|ERR_CONNECTION_REFUSED/,
		words: ({ host }) => ({
			what: `Nothing answers at ${host}.`,
			todo: 'Check whether the site is running, and whether the port in the address is right.',
		}),
	},
	{
		sign: /bad port|ERR_UNSAFE_PORT/,
		words: ({ host }) => ({
			what: `No page is opened at ${host}: its port belongs to another kind of service.`,
			todo: 'Check the port.',
		}),
	},
	{
		sign: /no TLS connection|ERR_SSL_/,
		words: ({ host, other, isSecure }) =>
			isSecure ? { what: `${host} does not answer over https.`, todo: `Try ${other}` } : undefined,
	},
	{
		sign: /certificate|ERR_CERT_\w+/i,
		words: ({ host, other, isSecure }) =>
			isSecure
				? {
						what: `The certificate of ${host} is not trusted by this machine, so its page is not opened.`,
						todo: `If the site is there without https, try ${other}`,
					}
				: undefined,
	},
	{
		sign: /ECONNRESET|EPIPE|other side closed|ERR_(CONNECTION_(RESET|CLOSED)|EMPTY_RESPONSE)/,
		words: ({ host, other, isSecure }) => ({
			what: `${host} closes the connection without an answer.`,
			todo: `Try again in a while${isSecure ? '.' : `, or try ${other}`}`,
		}),
	},
	{
		sign: /Connect Timeout|ETIMEDOUT|E(HOST|NET)UNREACH|ERR_(CONNECTION_TIMED_OUT|ADDRESS_UNREACHABLE|INTERNET_DISCONNECTED)/,
		words: ({ host }) => ({
			what: `${host} cannot be reached.`,
			todo: 'Check whether the address is right, and whether this machine is online.',
		}),
	},
];
