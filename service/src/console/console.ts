import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fastifyCookie from '@fastify/cookie';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { refuseEndlessBodies } from '../errors/refuseEndlessBodies.ts';
import { guard, signInRoutes } from './access.ts';
import { agentsRoutes } from './agentsPage.ts';
import { apiRoutes } from './apiPage.ts';
import { batchActionRoutes } from './batch/batchActions.ts';
import { failureRoutes } from './batch/batchFailures.ts';
import { batchRoutes } from './batch/batchPage.ts';
import type { ConsoleParts } from './consoleParts.ts';
import { downloadRoutes } from './batch/download.ts';
import { answerFailures } from './failures.ts';
import { takeForms } from './formBody.ts';
import { putAroundPages, securityHeaders } from './layout.ts';
import { keyRoutes } from './keysPage.ts';
import { watchRoute } from './live.ts';
import { rowRoutes } from './batch/rowPage.ts';
import { newTaskRoutes } from './newTask/newTaskRoutes.ts';
import { taskEditorRoutes } from './editor/taskEditor.ts';
import { fileActionRoutes } from './task/fileActions.ts';
import { taskRoutes } from './task/taskPage.ts';
import { taskListRoutes } from './tasksPage.ts';
import { testControlRoutes } from './testControlPage.ts';

const files = join(import.meta.dirname, 'files');
const htmx = dirname(fileURLToPath(import.meta.resolve('htmx.org')));

/** The web console below /console/: what a person looks at. */
export function webConsole(parts: Omit<ConsoleParts, 'closing'>) {
	return async (server: FastifyInstance): Promise<void> => {
		server.get('/', (request, reply) => {
			// Who types the address of the service wants to see something; who calls the API does not.
			if (request.headers.accept?.includes('text/html')) return reply.redirect('/console/', 303);
			return reply.callNotFound();
		});
		server.get('/console', (_request, reply) => reply.redirect('/console/', 303));
		const closing = new AbortController();
		server.addHook('preClose', (done) => {
			closing.abort();
			done();
		});
		await server.register(pages({ ...parts, closing: closing.signal }), { prefix: '/console' });
	};
}

function pages(parts: ConsoleParts) {
	return async (server: FastifyInstance): Promise<void> => {
		refuseEndlessBodies(server);
		await server.register(fastifyCookie);
		takeForms(server);
		server.addHook('onRequest', (_request, reply, done) => {
			reply.headers(securityHeaders);
			done();
		});
		const { control } = parts;
		putAroundPages(server, () => ({
			hasTestControl: control !== undefined,
			faults: control?.faults.list.length ?? 0,
		}));
		guard(server, parts);
		answerFailures(server);
		await server.register(fastifyStatic, { root: files, prefix: '/files/' });
		await server.register(fastifyStatic, {
			root: htmx,
			prefix: '/files/htmx/',
			decorateReply: false,
		});
		signInRoutes(server, parts);
		taskListRoutes(server, parts);
		taskRoutes(server, parts);
		taskEditorRoutes(server, parts);
		fileActionRoutes(server, parts);
		newTaskRoutes(server, parts);
		agentsRoutes(server, parts);
		keyRoutes(server, parts);
		apiRoutes(server);
		if (control) testControlRoutes(server, parts, control);
		batchRoutes(server, parts);
		batchActionRoutes(server, parts);
		rowRoutes(server, parts);
		downloadRoutes(server, parts);
		failureRoutes(server, parts);
		watchRoute(server, parts);
	};
}
