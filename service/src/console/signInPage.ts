import type { FastifyInstance } from 'fastify';
import { html, type Html } from '../text/html.ts';
import { signIn, signOut } from './access.ts';
import type { ConsoleParts } from './consoleParts.ts';
import { entriesOf } from './entries.ts';
import { page, sendPage } from './layout.ts';

/** The way in without the link of the start: with an API key. */
export function signInRoutes(server: FastifyInstance, parts: ConsoleParts): void {
	server.get<{ Querystring: { to?: string } }>('/sign-in', ({ query }, reply) =>
		sendPage(reply, signInPage({ to: query.to })),
	);
	server.post('/sign-in', (request, reply) => {
		const entries = entriesOf(request.body);
		const to = entries.get('to');
		const apiKey = entries.get('apiKey') ?? '';
		const signedIn = signIn(parts, request, reply, apiKey.trim());
		if (signedIn === 'accepted') return reply.redirect(ownPath(to), 303);
		const isWrong = signedIn === 'wrong';
		const mistake = isWrong
			? 'This is not an API key of the service. Try another one.'
			: 'Too many wrong keys came from here, so this one was not looked at. Try again in a minute.';
		return sendPage(reply.code(isWrong ? 401 : 429), signInPage({ to, mistake }));
	});
	server.post('/sign-out', (request, reply) => {
		signOut(parts, request, reply);
		return reply.redirect('/console/sign-in', 303);
	});
}

/** The form for an API key; `to`: the page that was asked for. */
export function signInPage({ to, mistake }: { to?: string; mistake?: string }): Html {
	return page({
		title: 'Sign in',
		isOutside: true,
		content: html`
			<form class="card sign-in" method="post" action="/console/sign-in">
				${mistake && html`<p class="notice bad" role="alert">${mistake}</p>`}
				<p>Open the link that the service printed when it started, or enter one of its API keys.</p>
				<input type="hidden" name="to" value="${to ?? ''}" />
				<label for="api-key">API key</label>
				<input
					id="api-key"
					name="apiKey"
					type="password"
					autocomplete="current-password"
					required
					autofocus
				/>
				<button class="primary">Sign in</button>
			</form>
		`,
	});
}

/** Where somebody wanted to go, if that is in the console. */
function ownPath(to = ''): string {
	const base = 'http://service';
	const url = URL.canParse(to, base) ? new URL(to, base) : undefined;
	const isOwn = url?.origin === base && url.pathname.startsWith('/console/');
	return isOwn ? `${url.pathname}${url.search}` : '/console/';
}
