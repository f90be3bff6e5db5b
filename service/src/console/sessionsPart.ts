import type { FastifyInstance, FastifyRequest } from 'fastify';
import { html, type Html } from '../text/html.ts';
import type { Session } from '../store/sessionStore.ts';
import { sessionOf } from './access.ts';
import type { ConsoleParts } from './consoleParts.ts';
import { table } from './table.ts';
import { shortened, timeOf } from './words.ts';

/** Sessions are ended one by one, or all, the own one among them. */
export function sessionRoutes(server: FastifyInstance, { sessions }: ConsoleParts): void {
	server.post<{ Params: { id: string } }>('/sessions/:id/end', async (request, reply) => {
		await sessions.end(Number(request.params.id));
		request.log.info('session of the console ended');
		return reply.redirect('/console/keys', 303);
	});
	server.post('/sessions/end', async (request, reply) => {
		await sessions.endAll();
		request.log.info('all sessions of the console ended');
		return reply.redirect('/console/sign-in', 303);
	});
}

/** Who has come into the console, for the Keys page. */
export async function sessionsPart(parts: ConsoleParts, request: FastifyRequest): Promise<Html> {
	const own = await sessionOf(parts, request);
	const valid: Session[] = [];
	for (const session of await parts.sessions.list()) {
		const { apiKey } = session;
		if (!apiKey || (await parts.apiKeys.acceptsHash(apiKey))) valid.push(session);
	}
	return html`<section>
		<h2>Who is signed in</h2>
		${table(
			'Sessions',
			['Signed in', 'By', 'Browser', { name: 'End', isUnseen: true }],
			valid.map((session) => sessionRow(session, session.id === own?.id)),
		)}
		<form
			method="post"
			action="/console/sessions/end"
			data-confirm="End all sessions? You will then need an API key as well."
		>
			<button class="danger">End all sessions</button>
		</form>
	</section>`;
}

function sessionRow({ id, apiKey, browser, createTime }: Session, isOwn: boolean): Html {
	return html`<tr>
		<th scope="row">${timeOf(createTime)}${isOwn && ' (this one)'}</th>
		<td data-label="By">${apiKey ? 'an API key' : 'the link printed at start'}</td>
		<td>${browser === '' ? html`<span class="muted">not said</span>` : shortened(browser, 120)}</td>
		<td class="number">
			<form method="post" action="/console/sessions/${id}/end">
				<button class="danger" aria-label="End the session ${id}">End</button>
			</form>
		</td>
	</tr>`;
}
