import type { FastifyInstance, FastifyReply } from 'fastify';
import { ServiceError } from '../errors/serviceError.ts';
import { faultsIn } from '../testControl/fault.ts';
import { jsonIn } from '../testControl/readJson.ts';
import { batchOf, seedBatches, seedOf } from '../testControl/seed.ts';
import { resetAll, type TestControl } from '../testControl/testControl.ts';
import { html, type Html } from '../text/html.ts';
import type { ConsoleParts } from './consoleParts.ts';
import { entriesOf } from './entries.ts';
import { httpStatusOf } from './failures.ts';
import { partOf, sendLive } from './live.ts';
import { page, sendPage, type WholePage } from './layout.ts';
import { batchPath } from './paths.ts';
import { counted } from './words.ts';

const path = '/console/test-control';

type Form = 'faults' | 'seed';

interface Shown {
	notice?: Html;
	/** What was entered into a form, and not taken. */
	entered?: Partial<Record<Form, string>>;
}

/** What tests of other programs ask for, for people: faults, batches that are said, and a fresh start. */
export function testControlRoutes(
	server: FastifyInstance,
	parts: ConsoleParts,
	control: TestControl,
): void {
	server.get('/test-control/live', (request, reply) =>
		sendLive(parts, request, reply, () => ({
			content: partOf('faults-on', faultsOn(control)),
			isOver: false,
		})),
	);
	server.get('/test-control', (_request, reply) => sendPage(reply, testControlPage(control)));
	server.post('/test-control/faults', ({ body, log }, reply) =>
		orMistake(control, reply, { what: 'faults', body }, () => {
			const faults = faultsIn(jsonIn(textIn(body)));
			control.faults.set(faults);
			log.info({ faults }, 'faults set');
			return reply.redirect(path, 303);
		}),
	);
	server.post('/test-control/seed', ({ body, log }, reply) =>
		orMistake(control, reply, { what: 'seed', body }, async () => {
			const ids = await seedBatches(control.batches, textIn(body));
			log.info({ batches: ids.length }, 'batches seeded');
			return sendPage(reply, testControlPage(control, { notice: storedNotice(ids) }));
		}),
	);
	server.post('/test-control/reset', async ({ log }, reply) => {
		await resetAll(control);
		log.info('all batches and faults forgotten');
		return reply.redirect(path, 303);
	});
	server.get<{ Querystring: { id?: unknown } }>('/test-control/batch', async (request, reply) => {
		const id = String(request.query.id);
		const batch = await batchOf(control.batches, id);
		return sendPage(reply, seedPage(id, await seedOf(control.rows, batch)));
	});
}

/** What is wrong is said above what was entered, which stays. */
async function orMistake(
	control: TestControl,
	reply: FastifyReply,
	{ what, body }: { what: Form; body: unknown },
	work: () => FastifyReply | Promise<FastifyReply>,
): Promise<FastifyReply> {
	try {
		return await work();
	} catch (error) {
		if (!(error instanceof ServiceError)) throw error;
		const notice = html`<p class="notice bad" role="alert">${error.message}</p>`;
		const entered = { [what]: entriesOf(body).get('json') };
		return sendPage(reply.code(httpStatusOf(error)), testControlPage(control, { notice, entered }));
	}
}

function storedNotice(ids: bigint[]): Html {
	return html`<div class="notice good" role="status">
		<p>${counted(ids.length, 'batch')} stored:</p>
		<ul>
			${ids.map((id) => html`<li><a href="${batchPath({ id })}">${id}</a></li>`)}
		</ul>
	</div>`;
}

/** What was entered; an empty text is no fault and no batch. */
function textIn(body: unknown): string {
	return entriesOf(body).get('json')?.trim() || '[]';
}

/** How many are on now, which others may change. */
function faultsOn({ faults }: TestControl): Html {
	const { length } = faults.list;
	return length === 0
		? html`None is on: the service answers as it should.`
		: html`${counted(length, 'fault')} on, each with the times that are left (0: until it is
			deleted).`;
}

function testControlPage(control: TestControl, { notice, entered = {} }: Shown = {}): WholePage {
	const { faults } = control;
	return page({
		title: 'Test control',
		section: 'test',
		follows: 'its own',
		content: html`
			${notice}
			<div hx-sse:connect="${path}/live" hx-swap="none" hidden></div>
			<p class="muted">
				For tests of programs that use this service. The same is there over HTTP, with an API key:
				<code>/test/faults</code>, <code>/test/seed</code>, <code>/test/batches/…</code>,
				<code>/test/reset</code>.
			</p>
			<section>
				<h2>Faults</h2>
				<p id="faults-on">${faultsOn(control)}</p>
				${jsonForm('faults', 'Faults, as JSON', entered.faults ?? JSON.stringify(faults.list, undefined, '\t'), 'Put these on')}
				${faults.list.length > 0 && allOff}
				<details>
					<summary>Examples</summary>
					<ul>
						${examples.map((each) => html`<li><code>${JSON.stringify(each)}</code></li>`)}
					</ul>
				</details>
			</section>
			<section>
				<h2>Batches</h2>
				${jsonForm('seed', 'Batches to store, as JSON', entered.seed ?? JSON.stringify(seedExample, undefined, '\t'), 'Store them')}
				<form class="inline" action="${path}/batch">
					<label for="id">Show a batch in this form: batch ID</label>
					<input id="id" name="id" required inputmode="numeric" />
					<button>Show</button>
				</form>
			</section>
			<section>
				<h2>Fresh start</h2>
				<form
					method="post"
					action="${path}/reset"
					data-confirm="Stop all batches, and delete all of them with their rows? This cannot be undone."
					data-once
				>
					<button class="danger">Forget all batches and faults</button>
				</form>
			</section>
		`,
	});
}

const allOff = html`<form method="post" action="${path}/faults">
	<button>Switch all off</button>
</form>`;

const examples = [
	{ path: '/cloud/data', page: 2, status: 503, headers: { 'retry-after': '1' } },
	{ path: '/cloud/start', drop: 'after' },
	{ path: '/cloud/batches', times: 0, delay: 2000 },
	{ path: '/cloud/stop', code: 9000002, msg: 'Nothing to stop.' },
	{ path: '/cloud/data', shorten: 1 },
	{ path: '/cloud/data', cut: true },
	{ run: { taskID: '11111111-1111-4111-8111-111111111111', endAfterRows: 3, status: 4 } },
];

const seedExample = {
	batches: [
		{
			taskID: '11111111-1111-4111-8111-111111111111',
			status: 3,
			fields: [{ id: 'name', name: 'Name' }],
			rows: [{ name: 'Emma' }],
		},
	],
};

function seedPage(id: string, seed: object): WholePage {
	return page({
		title: `Batch ${id}`,
		section: 'test',
		above: [{ name: 'Test control', path }],
		content: html`<form class="editor">
			<label for="json">As a seed takes it</label>
			${area(JSON.stringify({ batches: [seed] }, undefined, '\t'), html`readonly rows="26"`)}
		</form>`,
	});
}

function jsonForm(what: Form, label: string, json: string, button: string): Html {
	return html`<form class="editor" method="post" action="${path}/${what}" autocomplete="off">
		<label for="${what}">${label}</label>
		${area(json, html`rows="8"`, what)}
		<div class="inline"><button class="primary">${button}</button></div>
	</form>`;
}

function area(json: string, attributes: Html, id = 'json'): Html {
	return html`<textarea id="${id}" name="json" wrap="off" spellcheck="false" ${attributes}>
${json}</textarea>`;
}
