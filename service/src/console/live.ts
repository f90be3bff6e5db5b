import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { TestControl } from '../testControl/testControl.ts';
import { html, type Html, type HtmlValue } from '../text/html.ts';
import { ownTurn } from '../text/ownTurn.ts';
import { hasSession } from './access.ts';
import type { ConsoleParts } from './consoleParts.ts';
import { faultsNotice } from './layout.ts';

/** Milliseconds between two looks at what may have changed. */
const pause = 500;

/**
 * Streams that a browser has open at once. It has six connections to a server, and needs some of them
 * for pages: windows beyond these get the part once, and ask again later.
 */
const maxStreams = 3;
/** Milliseconds until then. */
const later = 1_500;
const streams = new Map<string, number>();

/** What pages follow that have nothing of their own to follow. */
export function watchRoute(server: FastifyInstance, parts: ConsoleParts): void {
	server.get('/alive', (request, reply) =>
		sendLive(parts, request, reply, () => ({ content: html``, isOver: false })),
	);
}

/** A part of a page as it is now, or several; `isOver`: it will not change any more. */
export interface LivePart {
	content: Html | Html[];
	isOver: boolean;
}

/** Makes it, whenever it is asked for. */
type Part = () => LivePart | Promise<LivePart>;

/** What a place of the page holds from now on; several of them can be one live part. */
export function partOf(id: string, content: HtmlValue): Html {
	return html`<hx-partial hx-target="#${id}" hx-swap="innerMorph">${content}</hx-partial>`;
}

/**
 * Makes each part, in a turn of its own, once for all who ask for it meanwhile: many windows may show the same. `key`: what
 * it shows.
 */
export function sharedParts(): (key: string, part: Part) => Part {
	const making = new Map<string, Promise<LivePart>>();
	return (key, part) => () => {
		const made =
			making.get(key) ??
			ownTurn()
				.then(part)
				.finally(() => making.delete(key));
		making.set(key, made);
		return made;
	};
}

/**
 * Sends a part of a page as server-sent events: as it is now, and again whenever it has changed; of
 * several, those that have. The stream ends with an event "over", when its reader is gone or signed out, and when the service ends.
 */
export function sendLive(
	parts: ConsoleParts,
	request: FastifyRequest,
	reply: FastifyReply,
	part: Part,
): FastifyReply {
	const who = request.headers.cookie ?? '';
	const others = streams.get(who) ?? 0;
	streams.set(who, others + 1);
	reply.raw.once('close', () => {
		const left = (streams.get(who) ?? 1) - 1;
		if (left === 0) streams.delete(who);
		else streams.set(who, left);
	});
	const signal = untilGone(parts, reply);
	const isAllowed = () => hasSession(parts, request);
	const whole = parts.control ? withFaults(part, parts.control) : part;
	const stream = Readable.from(events(whole, { isAllowed, signal, once: others >= maxStreams }));
	return reply.type('text/event-stream; charset=utf-8').send(stream);
}

/** Faults may be switched on and off when nothing else changes any more. */
function withFaults(part: Part, { faults }: TestControl): Part {
	return async () => {
		const notice = partOf('faults-notice', faultsNotice(faults.list.length));
		return { content: [(await part()).content, notice].flat(), isOver: false };
	};
}

async function* events(
	part: Part,
	{
		isAllowed,
		signal,
		once,
	}: { isAllowed: () => Promise<boolean>; signal: AbortSignal; once: boolean },
): AsyncGenerator<string> {
	const sent: string[] = [];
	while (!signal.aborted && (await isAllowed())) {
		const { content, isOver } = await part();
		for (const [index, each] of [content].flat().entries()) {
			const text = each.toString();
			if (text !== sent[index]) yield `${once ? `retry: ${later}\n` : ''}${eventOf(each)}`;
			sent[index] = text;
		}
		if (isOver) {
			yield 'event: over\ndata: \n\n';
			return;
		}
		if (once) return;
		await sleep(pause, undefined, { signal }).catch(() => undefined);
	}
}

/** Of markup that many windows show, once for all of them. */
const known = new WeakMap<Html, string>();

function eventOf(content: Html): string {
	const made = known.get(content);
	if (made !== undefined) return made;
	const lines = content.toString().split(/\r\n|\r|\n/);
	const event = `${lines.map((line) => `data: ${line}\n`).join('')}\n`;
	known.set(content, event);
	return event;
}

/** Aborted when nobody waits for an answer any more: its reader is gone, or the service ends. */
export function untilGone({ closing }: ConsoleParts, { raw }: FastifyReply): AbortSignal {
	const gone = new AbortController();
	raw.once('close', () => gone.abort());
	return AbortSignal.any([gone.signal, closing]);
}

/** The same, and aborted when who waits is signed out: what is done for an answer may take long. */
export function untilUnwanted(parts: ConsoleParts, reply: FastifyReply): AbortSignal {
	const signedOut = new AbortController();
	const signal = AbortSignal.any([untilGone(parts, reply), signedOut.signal]);
	const watch = async () => {
		// Where the database does not say, it is as it was a moment ago.
		while (!signal.aborted && (await hasSession(parts, reply.request).catch(() => true)))
			await sleep(pause, undefined, { signal }).catch(() => undefined);
		signedOut.abort();
	};
	void watch();
	return signal;
}
