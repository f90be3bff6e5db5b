import type { FastifyInstance, FastifyRequest } from 'fastify';
import { v4 as newUuid } from 'uuid';
import { html, type Html } from '../text/html.ts';
import type { ShownKey } from '../keys/apiKeys.ts';
import { ServiceError } from '../errors/serviceError.ts';
import type { ConsoleParts } from './consoleParts.ts';
import { entriesOf } from './entries.ts';
import { page, sendPage, type WholePage } from './layout.ts';
import { baseUrlOf } from './paths.ts';
import { sessionRoutes, sessionsPart } from './sessionsPart.ts';
import { table } from './table.ts';
import { copyable, timeOf } from './words.ts';

/** Characters of a key's name. */
const maxName = 100;

/** What n8n needs to reach the service: its base URL and a key. Who may come in is said and ended here. */
export function keyRoutes(server: FastifyInstance, parts: ConsoleParts): void {
	sessionRoutes(server, parts);
	/** Keys that are shown once, by what stands in the address of the page that shows them. */
	const made = new Map<string, { name: string; key: string }>();
	server.get<{ Querystring: { made?: string } }>('/keys', async (request, reply) => {
		const { made: number = '' } = request.query;
		const shown = made.get(number);
		made.delete(number);
		const isPast = number !== '' && !shown;
		return sendPage(reply, await keysPage(parts, request, shown ?? (isPast ? 'past' : undefined)));
	});
	server.post('/keys', async (request, reply) => {
		const name = entriesOf(request.body).get('name')?.trim().slice(0, maxName);
		if (!name) throw new ServiceError('invalid', 'Give the key a name that says what it is for.');
		const key = await parts.apiKeys.make(name);
		request.log.info({ name }, 'API key made');
		const number = newUuid();
		made.set(number, { name, key });
		// Somebody who loads the page again makes no second key.
		return reply.redirect(`/console/keys?made=${number}`, 303);
	});
	server.post<{ Params: { id: string } }>('/keys/:id/revoke', async (request, reply) => {
		const name = await parts.apiKeys.revoke(Number(request.params.id));
		if (name !== undefined) request.log.info({ name }, 'API key revoked');
		return reply.redirect('/console/keys', 303);
	});
}

async function keysPage(
	parts: ConsoleParts,
	request: FastifyRequest,
	made?: { name: string; key: string } | 'past',
): Promise<WholePage> {
	const keys = await parts.apiKeys.list();
	return page({
		title: 'Keys',
		section: 'keys',
		content: html`
			${made === 'past' ? pastKey : made && newKey(made)}
			<section class="card">
				<h2>Connect n8n</h2>
				<p>
					In n8n, create a credential of the type <b>Cloud Scraping API</b> and paste these two
					values:
				</p>
				<dl>
					<dt>Base URL</dt>
					<dd>${copyable(baseUrlOf(request, parts.settings), 'the base URL')}</dd>
					<dt>API key</dt>
					<dd>a new one: you see it once, when you create it</dd>
				</dl>
				<p class="muted">
					If n8n runs in a container or on another machine, the base URL is the address at which it
					reaches this machine.
				</p>
			</section>
			<section>
				<h2>API keys</h2>
				${keyTable(keys)}
				<form class="inline" method="post" action="/console/keys">
					<label for="name">New key for</label>
					<input id="name" name="name" required maxlength="${maxName}" value="${freeName(keys)}" />
					<button>Create a key</button>
				</form>
			</section>
			${await sessionsPart(parts, request)}
		`,
	});
}

/** Most keys are for n8n: "n8n", "n8n 2". */
function freeName(keys: ShownKey[]): string {
	const taken = new Set(keys.map(({ name }) => name));
	let free = 'n8n';
	for (let number = 2; taken.has(free); number += 1) free = `n8n ${number}`;
	return free;
}

function newKey({ name, key }: { name: string; key: string }): Html {
	return html`<div class="notice good" role="status">
		<p>Key for <b>${name}</b> created. Copy it now; you won’t see it again.</p>
		<p>${copyable(key, 'the new key')}</p>
	</div>`;
}

/** Who has just made it is behind a balancer that leads the same person to several processes. */
const pastKey = html`<div class="notice warn">
	<p>
		A new key is shown once, by the process of the service that has made it, and this page has
		nothing to show. If you have not seen the key that you have just made, revoke it, and make
		another one where all of your requests come to the same process.
	</p>
</div>`;

function keyTable(keys: ShownKey[]): Html {
	return table(
		'API keys',
		['For', 'Key', 'Created', 'Last used', { name: 'Revoke', isUnseen: true }],
		keys.map(keyRow),
	);
}

const ofSettings = html`<p class="hint">
	It stands in <code>SERVICE_API_KEYS</code>, or is kept beside the database: it is revoked there.
</p>`;

function keyRow({ id, name, ending, createTime, lastUse }: ShownKey): Html {
	return html`<tr>
		<th scope="row">${name}${id === undefined && ofSettings}</th>
		<td data-label="Key"><code>••••${ending}</code></td>
		<td data-label="Created">
			${createTime === undefined ? html`<span class="muted">when the service was set up</span>` : timeOf(createTime)}
		</td>
		<td data-label="Last used">
			${lastUse ? html`${timeOf(lastUse.time)}, <code>${lastUse.request}</code>` : html`<span class="muted">never</span>`}
		</td>
		<td class="number">
			${
				id !== undefined &&
				html`<form
					method="post"
					action="/console/keys/${id}/revoke"
					data-confirm="Revoke the key “${name}”? What uses it is refused from then on."
				>
					<button class="danger" aria-label="Revoke the key ${name}">Revoke</button>
				</form>`
			}
		</td>
	</tr>`;
}
