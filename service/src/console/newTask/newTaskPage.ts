import type { FastifyInstance } from 'fastify';
import { ServiceError } from '../../errors/serviceError.ts';
import { startRun } from '../../runs/runs.ts';
import { html, type Html } from '../../text/html.ts';
import { fetchStyles } from '../../picker/fetchStyles.ts';
import { openTextFile } from '../../tasks/textFile.ts';
import { isPageUrl, noPageUrl } from '../../tasks/values.ts';
import type { ConsoleParts } from '../consoleParts.ts';
import { page, policy, sendPage } from '../layout.ts';
import { watch } from '../live.ts';
import { entriesOf } from '../entries.ts';
import { act, shownPage } from './actions.ts';
import { draftOf, newDraft, pointedFor, taskOf } from './draft.ts';
import { firstRows } from './firstRows.ts';
import { frameAddress, guardOf, panel } from './panel.ts';
import { actAddress } from './panelForms.ts';
import { Pointings, type Pointing } from './pointings.ts';
import { saveDraft } from './saveDraft.ts';
import { typedAddress } from '../typedAddress.ts';
import { batchPath, taskPath } from '../paths.ts';
import { shortened } from '../words.ts';

/** Characters of a title that become the task's name. */
const longestName = 100;

type PointingRoute = { Params: { id: string } };

/** A task is made by pointing at a page: no selector is written by hand. */
export function newTaskRoutes(server: FastifyInstance, parts: ConsoleParts): void {
	const pointings = new Pointings(parts);
	const marksOf = ({ draft, ...pointing }: Pointing) => {
		const isDetail = pointing.shown === 'detail';
		const columns = isDetail ? (draft.detail?.columns ?? []) : draft.columns;
		return parts.readers.ask(shownPage({ draft, ...pointing }), 'marks', {
			entries: isDetail ? undefined : draft.entries,
			columns: columns.map(({ selector }) => selector),
			next: isDetail ? undefined : draft.next?.selector,
		});
	};

	server.get<{ Querystring: { url?: unknown } }>('/new', ({ query: { url } }, reply) =>
		sendPage(
			reply,
			addressPage({ site: server.listeningOrigin, url: typeof url === 'string' ? url : '' }),
		),
	);
	server.post('/new', async (request, reply) => {
		const entries = entriesOf(request.body);
		const url = typedAddress(entries.get('url') ?? '');
		const kind = entries.get('page') === 'browser' ? 'browser' : 'http';
		const again = (mistake: string) =>
			sendPage(reply.code(400), addressPage({ site: server.listeningOrigin, url, kind, mistake }));
		if (!isPageUrl(url)) return again(noPageUrl(url));
		try {
			const pointing = await pointings.begin(
				newDraft(url, kind, nameOf(url)),
				server.listeningOrigin,
			);
			const title = await parts.readers.ask(pointing.list, 'title');
			if (title !== '') pointing.draft.name = title.slice(0, longestName);
			return await reply.redirect(`/console/new/${pointing.id}`, 303);
		} catch (error) {
			if (error instanceof ServiceError) return again(error.message);
			throw error;
		}
	});
	server.post<{ Params: { taskID: string } }>('/tasks/:taskID/point', async (request, reply) => {
		const loaded = parts.tasks.findLoaded(request.params.taskID);
		const draft = loaded && draftOf(loaded.task);
		const file = loaded && (await openTextFile(loaded.file));
		if (!draft || !file) {
			throw new ServiceError(
				'badRequest',
				'This task does more than can be pointed at. Edit its file instead.',
			);
		}
		const pointing = await pointings.begin(draft, server.listeningOrigin, file.hash);
		return reply.redirect(`/console/new/${pointing.id}`, 303);
	});
	server.get<PointingRoute>('/new/:id', async ({ params }, reply) => {
		const pointing = pointings.get(params.id);
		// The only page with a frame in it.
		reply.header('content-security-policy', `${policy}; frame-src 'self'`);
		return sendPage(reply, pointingPage(pointing, panel(pointing, await marksOf(pointing))));
	});
	server.get<PointingRoute>('/new/:id/frame/:shown', async ({ params }, reply) => {
		const pointing = pointings.get(params.id);
		const shown = shownPage(pointing);
		const sheets = await parts.readers.ask(shown, 'styleSheets');
		const styles = await fetchStyles(sheets, pointing.draft.settings, parts.closing);
		const framed = await parts.readers.ask(shown, 'framed', styles);
		return reply
			.header('content-security-policy', framePolicy)
			.header('referrer-policy', 'no-referrer')
			.type('text/html; charset=utf-8')
			.send(framed);
	});
	server.post<PointingRoute>('/new/:id/act', async ({ params, query, body, headers }, reply) => {
		const pointing = pointings.find(params.id);
		const path = `/console/new/${params.id}`;
		const isPart = headers['hx-request'] !== undefined;
		// The page that this is a part of tells why there is nothing any more.
		if (!pointing && isPart) return reply.header('hx-redirect', path).send();
		if (pointing) {
			const entries = new Map([...entriesOf(query), ...entriesOf(body)]);
			await act(pointing, entries, { readers: parts.readers, pointings });
			if (isPart) return sendPage(reply, panel(pointing, await marksOf(pointing)));
		}
		return reply.redirect(path, 303);
	});
	server.post<PointingRoute>('/new/:id/rows', async ({ params }, reply) =>
		sendPage(
			reply,
			await firstRows(parts, pointings.get(params.id), reply, server.listeningOrigin),
		),
	);
	server.post<PointingRoute>('/new/:id/save', async (request, reply) => {
		const pointing = pointings.get(request.params.id);
		const entries = entriesOf(request.body);
		const name = entries.get('name')?.trim();
		if (name) pointing.draft.name = name;
		const task = taskOf(pointing.draft);
		if (!task) throw new ServiceError('invalid', 'Nothing was saved: point at a column first.');
		try {
			pointing.fileHash = await saveDraft(parts, task, pointing.fileHash, request.log);
			pointing.saved = pointedFor(pointing.draft);
		} catch (error) {
			if (!(error instanceof ServiceError)) throw error;
			pointing.mistake = error.message;
			return reply.redirect(`/console/new/${pointing.id}`, 303);
		}
		if (!entries.has('run')) return reply.redirect(`${taskPath(task.taskID)}?saved`, 303);
		const batch = startRun(parts, { taskID: task.taskID, nodeCount: 1, jobCount: 1 }, request);
		return reply.redirect(`${batchPath(batch)}?saved`, 303);
	});
}

/**
 * The page in the frame runs nothing, sends nothing and leads nowhere; its pictures come from where they
 * are. It has the origin of the console, so that its elements can be pointed at, and no
 * script that could make use of that.
 */
const framePolicy = [
	'sandbox allow-same-origin',
	"default-src 'none'",
	'img-src http: https: data:',
	"style-src 'unsafe-inline'",
	"form-action 'none'",
	"frame-ancestors 'self'",
].join('; ');

/** `site`: the address of the service, which has pages to try pointing at. */
function addressPage({
	site,
	url = '',
	kind = 'http',
	mistake,
}: {
	site: string;
	url?: string;
	kind?: string;
	mistake?: string;
}): Html {
	const demoPage = `${site}/shop/products`;
	return page({
		title: 'New task',
		section: 'tasks',
		above: [{ name: 'Tasks', path: '/console/' }],
		content: html`<form class="card address" method="post" action="/console/new" data-once>
			${mistake !== undefined && html`<p class="notice bad" role="alert">${mistake}</p>`}
			<label for="url">Address of the page with the data</label>
			<input id="url" name="url" value="${url}" placeholder="https://" required autofocus />
			<fieldset>
				<legend>Open it</legend>
				<label
					><input type="radio" name="page" value="http" ${kind === 'http' && html`checked`} /> as
					plain HTML (fast)</label
				>
				<label
					><input type="radio" name="page" value="browser" ${kind === 'browser' && html`checked`} />
					in a browser (for JavaScript pages)</label
				>
			</fieldset>
			<p class="inline">
				<button class="primary">Open</button> <span role="status" data-says="Opening …"></span>
			</p>
			<p class="muted">
				Then point at what you want to read. Try it with the demo shop:
				<a href="/console/new?url=${encodeURIComponent(demoPage)}"><code>${demoPage}</code></a>
			</p>
		</form>`,
	});
}

function pointingPage(pointing: Pointing, beside: Html): Html {
	const { draft, id } = pointing;
	const isNew = pointing.fileHash === undefined;
	return page({
		title: isNew ? draft.name : 'Change by pointing',
		section: 'tasks',
		above: [
			{ name: 'Tasks', path: '/console/' },
			isNew
				? { name: 'New task', path: '/console/new' }
				: { name: shortened(draft.name), path: taskPath(draft.taskID) },
		],
		script: '/console/files/pointing.js',
		content: html`<div class="pointing" data-act="${actAddress(pointing)}">
			<div class="pointing-page">
				<div class="between">
					<p class="muted" id="keys-help">
						Click or tap what you want to read. By keyboard: arrow keys move, Enter selects.
					</p>
					<label id="width-switch" hidden
						><input id="desktop" type="checkbox" autocomplete="off" /> As wide as on a
						desktop</label
					>
				</div>
				<div
					id="pad"
					tabindex="0"
					role="application"
					aria-label="The page to point at"
					aria-describedby="keys-help"
					aria-busy="true"
				>
					<iframe
						id="frame"
						src="${frameAddress(pointing)}"
						sandbox="allow-same-origin"
						title="The page to point at"
						tabindex="-1"
					></iframe>
				</div>
				<p id="pointed" class="pointed" aria-live="polite"></p>
			</div>
			<div>
				${beside} ${watch}
				<form
					id="save"
					class="card"
					method="post"
					action="/console/new/${id}/save"
					data-once
					data-guard="${guardOf(pointing)}"
					${!taskOf(draft) && html`hidden`}
				>
					${
						!isNew &&
						html`<p class="hint">
							Saving changes this task: batches that start from then on use it, also those from n8n.
						</p>`
					}
					<label for="name">Name of the task</label>
					<input id="name" name="name" value="${draft.name}" required />
					<div class="inline">
						<button class="primary" name="run" value="1">Save and run</button>
						<button>Save</button>
					</div>
				</form>
			</div>
		</div>`,
	});
}

function nameOf(url: string): string {
	return url.replace(/^https?:\/\//i, '').replace(/[/?#]+$/, '');
}
