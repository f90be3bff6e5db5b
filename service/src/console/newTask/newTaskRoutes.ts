import { basename } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ServiceError } from '../../errors/serviceError.ts';
import { startRun } from '../../runs/runs.ts';
import { act, actAfterResuming } from '../../picker/actions.ts';
import { draftOf, newDraft, pointedFor, taskOf, type Draft } from '../../picker/draft.ts';
import { save } from '../../picker/saving.ts';
import { shownMarks, type PickerSession } from '../../picker/session.ts';
import { goneDraft, PickerSessions } from '../../picker/sessions.ts';
import { shownPicture, shownFrame } from '../../picker/shownFrame.ts';
import type { Task } from '../../tasks/task.ts';
import { isPageUrl, noPageUrl } from '../../tasks/values.ts';
import type { ConsoleParts } from '../consoleParts.ts';
import { hasSession, refuse } from '../access.ts';
import { entriesOf, type Entries } from '../entries.ts';
import type { Html } from '../../text/html.ts';
import { policy, sendPage } from '../layout.ts';
import { untilUnwanted } from '../live.ts';
import { batchPath, taskPath } from '../paths.ts';
import { typedAddress } from '../typedAddress.ts';
import { addressPage } from './addressPage.ts';
import { firstRows } from './firstRows.ts';
import { goneDraftPage } from './goneDraftPage.ts';
import { HeldDrafts } from './heldDrafts.ts';
import { panel } from './panel.ts';
import { sessionPath } from './panelForms.ts';
import { pointingPage } from './pointingPage.ts';

type SessionRoute = { Params: { id: string } };

/** A task is made by pointing at a page: no selector is written by hand. */
export function newTaskRoutes(server: FastifyInstance, parts: ConsoleParts): void {
	const sessions = new PickerSessions(parts);
	beginRoutes(server, parts, sessions);
	sessionRoutes(server, parts, sessions);
	saveRoute(server, parts, sessions);
}

function beginRoutes(server: FastifyInstance, parts: ConsoleParts, sessions: PickerSessions): void {
	/** Opens the session of an address that was entered, or asks for another one, and says why. */
	const begin = async (
		reply: FastifyReply,
		{ url, page: kind, changed }: Pick<Draft, 'url' | 'page'> & { changed?: Task },
		open: (site: string) => Promise<PickerSession>,
	): Promise<FastifyReply> => {
		const site = parts.site();
		try {
			if (!isPageUrl(url)) throw new ServiceError('invalid', noPageUrl(url));
			return await reply.redirect(sessionPath(await open(site)), 303);
		} catch (error) {
			if (!(error instanceof ServiceError)) throw error;
			const { message: mistake } = error;
			return sendPage(reply.code(400), addressPage({ site, url, kind, mistake, changed }));
		}
	};

	server.get<{ Querystring: { url?: unknown } }>('/new', ({ query: { url } }, reply) =>
		sendPage(reply, addressPage({ site: parts.site(), url: typeof url === 'string' ? url : '' })),
	);
	server.post('/new', ({ body }, reply) => {
		const entered = addressIn(entriesOf(body));
		return begin(reply, entered, async (site) => {
			const draft = newDraft(entered.url, entered.page, nameOf(entered.url));
			const session = await sessions.begin(draft, site);
			const title = await parts.readers.ask(session.list, 'title');
			if (title !== '') draft.name = title.slice(0, maxNameLength);
			return session;
		});
	});
	server.post<{ Params: { taskID: string } }>('/tasks/:taskID/point', async (request, reply) => {
		const loaded = parts.tasks.findLoaded(request.params.taskID);
		const draft = loaded && draftOf(loaded.task);
		const file = loaded && (await parts.tasks.open(basename(loaded.file)));
		if (!draft || !file) {
			throw new ServiceError(
				'badRequest',
				'This task does more than can be pointed at. Edit its file instead.',
			);
		}
		// The site may have moved: another address is entered where the one in the file has failed.
		const entered = addressIn(entriesOf(request.body), draft);
		return begin(reply, { ...entered, changed: loaded.task }, async (site) => {
			const session = await sessions.begin({ ...draft, ...entered }, site, file.hash);
			session.saved = pointedFor(draft);
			return session;
		});
	});
}

/** The address that was entered, and how to open it; what was not is that of the draft. */
function addressIn(entries: Entries, draft?: Draft): Pick<Draft, 'url' | 'page'> {
	const kind = entries.get('page') ?? draft?.page;
	return {
		url: typedAddress(entries.get('url') ?? draft?.url ?? ''),
		page: kind === 'browser' ? 'browser' : 'http',
	};
}

/** Characters of a title that become the task's name. */
const maxNameLength = 100;

function nameOf(url: string): string {
	return url.replace(/^https?:\/\//i, '').replace(/[/?#]+$/, '');
}

function sessionRoutes(
	server: FastifyInstance,
	parts: ConsoleParts,
	sessions: PickerSessions,
): void {
	const held = new HeldDrafts(parts, sessions);
	const heldBy = ({ params, body }: FastifyRequest<SessionRoute>) =>
		held.session(params.id, entriesOf(body), parts.site());
	const panelOf = async (session: PickerSession): Promise<Html> =>
		panel(session, await shownMarks(parts.readers, session));

	server.get<SessionRoute>('/new/:id', async ({ params }, reply) => {
		const session = sessions.find(params.id);
		if (!session) return sendPage(reply.code(404), goneDraftPage(sessionPath(params), goneDraft));
		// The only page with a frame in it.
		reply.header('content-security-policy', `${policy}; frame-src 'self'`);
		return sendPage(reply, pointingPage(session, await panelOf(session)));
	});
	server.get<SessionRoute>('/new/:id/frame/:shown', async ({ params, host, protocol }, reply) => {
		const session = sessions.get(params.id);
		const pictures = `${protocol}://${host}${sessionPath(session)}/picture`;
		const html = await shownFrame(session, parts, pictures);
		return reply
			.header('content-security-policy', framePolicy(pictures))
			.header('referrer-policy', 'no-referrer')
			.type('text/html; charset=utf-8')
			.send(html);
	});
	server.get<SessionRoute>('/new/:id/picture', async ({ params, query }, reply) => {
		const url = entriesOf(query).get('url') ?? '';
		const picture = await shownPicture(sessions.get(params.id), parts, url);
		// A drawing may have scripts, for whoever opens it by itself.
		reply.header('content-security-policy', "sandbox; default-src 'none'");
		return picture ? reply.type(picture.type).send(picture.body) : reply.code(404).send();
	});
	server.post<SessionRoute>('/new/:id/resume', async (request, reply) => {
		const session = await heldBy(request);
		return reply.redirect(sessionPath(session), 303);
	});
	server.post<SessionRoute>('/new/:id/act', async (request, reply) => {
		const { params, query, body, headers } = request;
		const path = sessionPath(params);
		const isPart = headers['hx-request'] !== undefined;
		const isThere = sessions.find(params.id) !== undefined;
		const session = await heldBy(request).catch((error: unknown) => {
			if (error instanceof ServiceError && error.kind === 'notFound') return undefined;
			throw error;
		});
		// The page that this is a part of tells why there is nothing any more.
		if (!session && isPart) return reply.header('hx-redirect', path).send();
		if (session) {
			const entries = new Map([...entriesOf(query), ...entriesOf(body)]);
			await (isThere ? act(session, entries, parts) : actAfterResuming(session, entries, parts));
			if (isPart) return sendPage(reply, await panelOf(session));
		}
		return reply.redirect(path, 303);
	});
	server.post<SessionRoute>('/new/:id/rows', async (request, reply) => {
		const session = await heldBy(request);
		const signal = untilUnwanted(parts, reply);
		const rows = await firstRows(parts, session, { signal, site: parts.site() });
		return (await hasSession(parts, request)) ? sendPage(reply, rows) : refuse(request, reply);
	});
}

/**
 * The page in the frame runs nothing, sends nothing and leads nowhere; its pictures come from the service, and from nowhere
 * else. It has the origin of the console, so that its elements can be pointed at, and no script that could make use of that.
 */
function framePolicy(pictures: string): string {
	return [
		'sandbox allow-same-origin',
		"default-src 'none'",
		`img-src data: ${pictures}`,
		"style-src 'unsafe-inline'",
		"form-action 'none'",
		"frame-ancestors 'self'",
	].join('; ');
}

function saveRoute(server: FastifyInstance, parts: ConsoleParts, sessions: PickerSessions): void {
	const held = new HeldDrafts(parts, sessions);
	server.post<SessionRoute>('/new/:id/save', async (request, reply) => {
		const { id } = request.params;
		const entries = entriesOf(request.body);
		const saved = held.draft(id, entries);
		const name = entries.get('name')?.trim();
		if (name) saved.draft.name = name;
		const task = taskOf(saved.draft);
		if (!task) throw new ServiceError('invalid', 'Nothing was saved: point at a column first.');
		try {
			await save(saved, task, { tasks: parts.tasks, log: request.log });
		} catch (error) {
			const session = sessions.find(id);
			if (!session || !(error instanceof ServiceError)) throw error;
			session.mistake = error.message;
			return reply.redirect(sessionPath(session), 303);
		}
		if (!entries.has('run')) return reply.redirect(`${taskPath(task.taskID)}?saved`, 303);
		const batch = await startRun(
			parts,
			{ taskID: task.taskID, nodeCount: 1, jobCount: 1 },
			request,
		);
		return reply.redirect(`${batchPath(batch)}?saved`, 303);
	});
}
