import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isByHttps } from '../settings/httpsHosts.ts';
import { keyHash } from '../store/apiKeyStore.ts';
import { sessionLength, type Session } from '../store/sessionStore.ts';
import type { ConsoleParts } from './consoleParts.ts';
import { entriesOf } from './entries.ts';
import { signInPage } from './signInPage.ts';
import { comeAgainPage, sendPage } from './layout.ts';

/** The routes that are there without a session: the way in, and the files that its page is made with. */
const open = new Set(['/console/sign-in', '/console/files/*', '/console/files/htmx/*']);

/** Bytes of what is sent to sign in, which is read before anybody is known. */
const maxSignIn = 16 * 1024;

/** Lets in who has a session: by the cookie that the link of the start, or an API key, has given. */
export function guard(server: FastifyInstance, parts: ConsoleParts): void {
	server.addHook('onRequest', async (request, reply) => {
		const { searchParams } = new URL(request.url, 'http://service');
		const token = searchParams.get('token');
		if (token !== null && request.method === 'GET') {
			return useLink(parts, request, reply, token);
		}
		const isOpen = open.has(request.routeOptions.url ?? '');
		return isOpen || (await hasSession(parts, request)) ? undefined : refuse(request, reply);
	});
}

/** The way in without the link of the start: with an API key. */
export function signInRoutes(server: FastifyInstance, parts: ConsoleParts): void {
	server.get<{ Querystring: { to?: string } }>('/sign-in', ({ query }, reply) =>
		sendPage(reply, signInPage({ to: query.to })),
	);
	server.post('/sign-in', { bodyLimit: maxSignIn }, async (request, reply) => {
		const entries = entriesOf(request.body);
		const to = entries.get('to');
		const apiKey = entries.get('apiKey') ?? '';
		const signedIn = await signIn(parts, request, reply, apiKey.trim());
		if (signedIn === 'accepted') return reply.redirect(ownPath(to), 303);
		const isWrong = signedIn === 'wrong';
		const mistake = isWrong
			? 'This is not an API key of the service. Try another one.'
			: 'Too many wrong keys came from here, so this one was not looked at. Try again in a minute.';
		return sendPage(reply.code(isWrong ? 401 : 429), signInPage({ to, mistake }));
	});
	server.post('/sign-out', async (request, reply) => {
		await signOut(parts, request, reply);
		return reply.redirect('/console/sign-in', 303);
	});
}

/** Whether a request comes from someone who was let in, and whose API key, if one let them in, counts still. */
export async function hasSession(parts: ConsoleParts, request: FastifyRequest): Promise<boolean> {
	return (await sessionOf(parts, request)) !== undefined;
}

/** The session of who was let in. */
export async function sessionOf(
	{ sessions, apiKeys }: ConsoleParts,
	request: FastifyRequest,
): Promise<Session | undefined> {
	const token = request.cookies[cookieName(request)];
	const session = token === undefined ? undefined : await sessions.find(token);
	const isOver = session?.apiKey && !(await apiKeys.acceptsHash(session.apiKey));
	return isOver ? undefined : session;
}

/** Opens a session for an API key that counts; says what is wrong with any other text. */
async function signIn(
	parts: ConsoleParts,
	request: FastifyRequest,
	reply: FastifyReply,
	apiKey: string,
): Promise<'accepted' | 'wrong' | 'refused'> {
	const { sessions, apiKeys } = parts;
	const checked = await apiKeys.check(apiKey, request.socket.remoteAddress);
	if (checked === 'accepted') {
		setSession(parts, request, reply, await sessions.begin(browserOf(request), keyHash(apiKey)));
	}
	return checked;
}

/** Where somebody wanted to go, if that is in the console. */
function ownPath(to = ''): string {
	const base = 'http://service';
	const url = URL.canParse(to, base) ? new URL(to, base) : undefined;
	const isOwn = url?.origin === base && url.pathname.startsWith('/console/');
	return isOwn ? `${url.pathname}${url.search}` : '/console/';
}

/** What a browser calls itself. */
function browserOf({ headers }: FastifyRequest): string {
	return headers['user-agent'] ?? '';
}

async function signOut(
	parts: ConsoleParts,
	request: FastifyRequest,
	reply: FastifyReply,
): Promise<void> {
	const session = await sessionOf(parts, request);
	if (session) await parts.sessions.end(session.id);
	reply.clearCookie(cookieName(request), { path: '/console/' });
}

async function useLink(
	parts: ConsoleParts,
	request: FastifyRequest,
	reply: FastifyReply,
	token: string,
): Promise<FastifyReply> {
	if (parts.link.use(token)) {
		setSession(parts, request, reply, await parts.sessions.begin(browserOf(request)));
	} else if (!(await hasSession(parts, request)) && !isFromElsewhere(request)) {
		return sendPage(reply.code(401), signInPage({ mistake: usedLink }));
	}
	return reply.redirect('/console/', 303);
}

const usedLink =
	'This link has been used, is older than ten minutes, or is of an earlier start or another process. Enter an API key instead, or start the service again for a new link.';

/** Answers who has no session. */
export function refuse(request: FastifyRequest, reply: FastifyReply): FastifyReply {
	// What a page asks for itself, such as its live parts, gets no other page.
	const isPart = request.headers['hx-request'] !== undefined;
	const isPage =
		request.method === 'GET' && !isPart && request.headers.accept?.includes('text/html');
	if (!isPage) {
		return reply.code(401).type('text/plain; charset=utf-8').send('Sign in to the console first.');
	}
	if (isFromElsewhere(request)) return sendPage(reply, comeAgainPage());
	return reply.redirect(`/console/sign-in?to=${encodeURIComponent(request.url)}`, 303);
}

/** A browser sends no cookie of this kind (SameSite=Strict) along a link on another site's page. */
function isFromElsewhere({ headers }: FastifyRequest): boolean {
	return headers['sec-fetch-site'] === 'cross-site';
}

function setSession(
	{ settings }: ConsoleParts,
	request: FastifyRequest,
	reply: FastifyReply,
	token: string,
): void {
	reply.setCookie(cookieName(request), token, {
		path: '/console/',
		httpOnly: true,
		sameSite: 'strict',
		secure: isByHttps(request, settings),
		maxAge: sessionLength / 1000,
	});
}

/**
 * Cookies know no ports: two services on one machine would take each other's. It is the port that the browser
 * asks: behind it there may be several processes, each with a port of its own.
 */
function cookieName({ port }: FastifyRequest): string {
	return `cloud-scraping-console-${port ?? 'usual'}`;
}
