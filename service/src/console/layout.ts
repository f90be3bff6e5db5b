import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { cutAtPlace, Html, html } from '../text/html.ts';
import { counted } from './words.ts';

/** A page of the console. */
export interface ConsolePage {
	/** Its heading, and the name of its tab. */
	title: string;
	/** The entry of the navigation that it belongs to. */
	section?: 'tasks' | 'agents' | 'keys' | 'api' | 'test';
	/** Where it stands: the pages above it. */
	above?: { name: string; path: string }[];
	/** What stands beside the heading: what can be done here. */
	actions?: Html;
	content: Html;
	/** The address of a script, a module, that this page alone has. */
	script?: string;
	/** For people who are not let in yet. */
	isOutside?: boolean;
	/**
	 * What it follows: something of its own, or, as its people may be at work for long, only whether the service
	 * is there. Absent: nothing but the faults, where there may be some.
	 */
	follows?: 'its own' | 'the service';
}

/** What all pages of a console have around what each of them says. */
export interface AroundPages {
	/** Whether tests of other programs may control the service. */
	hasTestControl: boolean;
	/** How many faults are on. */
	faults: number;
}

/** A page that still lacks what is around it. */
export type WholePage = (around: AroundPages) => Html;

/** Nothing from elsewhere, no script and no style but those of our files, and no frame around it. */
export const policy = [
	"default-src 'none'",
	"script-src 'self'",
	"style-src 'self'",
	"img-src 'self'",
	"connect-src 'self'",
	"form-action 'self'",
	"base-uri 'none'",
	"frame-ancestors 'none'",
].join('; ');

/** Headers of all that the console answers with. */
export const securityHeaders = {
	'content-security-policy': policy,
	'cross-origin-opener-policy': 'same-origin',
	// Pages on other ports of this machine count as the same site: their scripts must not load ours.
	'cross-origin-resource-policy': 'same-origin',
	'referrer-policy': 'same-origin',
	'x-content-type-options': 'nosniff',
	'cache-control': 'no-store',
};

/** Settings of htmx: no style of its own, no time limit of its own, and only the one extension. */
const htmxSettings = JSON.stringify({
	includeIndicatorCSS: false,
	history: false,
	defaultTimeout: 0,
	extensions: 'sse',
});

/**
 * Not deferred: htmx would then begin with the page before its extension is there, now and then, and what
 * is pressed as soon as it is seen would be done without ours.
 */
const scripts = html`<script src="/console/files/htmx/htmx.min.js"></script>
	<script src="/console/files/htmx/ext/hx-sse.min.js"></script>
	<script src="/console/files/forms.js"></script>
	<script src="/console/files/console.js"></script>`;

/** A whole page: navigation, heading and content. */
export function page({
	title,
	section,
	above = [],
	actions,
	content,
	script,
	isOutside,
	follows,
}: ConsolePage): WholePage {
	return (around) => {
		const hasFaults = !isOutside && around.hasTestControl;
		const isWatching = follows === 'the service' || (follows === undefined && hasFaults);
		return html`<!doctype html>
			<html lang="en">
				<head>
					<meta charset="utf-8" />
					<meta name="viewport" content="width=device-width, initial-scale=1" />
					<meta name="color-scheme" content="light dark" />
					<meta name="htmx-config" content="${htmxSettings}" />
					<title>${title} · Cloud Scraping console</title>
					<link rel="icon" href="/console/files/icon.svg" type="image/svg+xml" />
					<link rel="stylesheet" href="/console/files/console.css" />
					${scripts}
					${script !== undefined && html`<script src="${script}" type="module"></script>`}
				</head>
				<body>
					<a class="skip" href="#content">Skip to the content</a>
					<header class="bar">
						<a class="brand" href="/console/"
							><img src="/console/files/icon.svg" alt="" width="28" height="28" />Cloud Scraping</a
						>
						${!isOutside && navigation(section, around)}
					</header>
					<p id="connection" class="connection" role="alert" hidden></p>
					${hasFaults && html`<div id="faults-notice" role="status">${faultsNotice(around.faults)}</div>`}
					<main id="content">
						${
							above.length > 0 &&
							html`<nav class="above" aria-label="Above this page">
								${above.map(({ name, path }) => html`<a href="${path}">${name}</a>`)}
							</nav>`
						}
						<div class="head">
							<h1>${title}</h1>
							${actions && html`<div class="actions">${actions}</div>`}
						</div>
						${content} ${isWatching && watch}
					</main>
					<div id="announcement" class="unseen" role="status"></div>
				</body>
			</html>`;
	};
}

/** What such pages follow. */
const watch = html`<div hx-sse:connect="/console/alive" hx-swap="none" hidden></div>`;

/** Who looks for what is wrong must not take a fault for it. */
export function faultsNotice(faults: number): Html {
	if (faults === 0) return html`<p hidden></p>`;
	return html`<p class="connection">
		${counted(faults, 'fault')} ${faults === 1 ? 'is' : 'are'} on: answers and runs go wrong on
		purpose. <a href="/console/test-control">Test control</a>
	</p>`;
}

function navigation(section: ConsolePage['section'], { hasTestControl }: AroundPages): Html {
	const entry = (name: string, path: string, isHere: boolean) =>
		html`<a href="${path}" ${isHere && html`aria-current="page"`}>${name}</a>`;
	return html`<nav aria-label="Console">
			${entry('Tasks', '/console/', section === 'tasks')}
			${entry('Agents', '/console/agents', section === 'agents')}
			${entry('Keys', '/console/keys', section === 'keys')}
			${entry('API', '/console/api', section === 'api')}
			${hasTestControl && entry('Test control', '/console/test-control', section === 'test')}
		</nav>
		<form method="post" action="/console/sign-out"><button class="plain">Sign out</button></form>`;
}

/**
 * A page that has the browser ask once more for what it asked for: this time by itself, and so with its
 * cookie.
 */
export function comeAgainPage(): Html {
	return html`<!doctype html>
		<html lang="en">
			<head>
				<meta charset="utf-8" />
				<meta http-equiv="refresh" content="0" />
				<title>Cloud Scraping console</title>
			</head>
			<body></body>
		</html>`;
}

/** A page that says what has gone wrong; `isOutside`: to someone who is not let in. */
export function errorPage(title: string, message: string, isOutside = false): WholePage {
	return page({
		title,
		isOutside,
		content: html`<p class="notice bad">${message}</p>
			<p><a href="/console/">To the tasks</a></p>`,
	});
}

/** Sends a page, or what takes the place of a part of one. */
export function sendPage(reply: FastifyReply, page: Html | WholePage): FastifyReply {
	const whole = page instanceof Html ? page : page(around(reply));
	return reply.type('text/html; charset=utf-8').send(whole.toString());
}

/** Sends a page of which the content is large: it is made part by part, as whoever reads it takes them. */
export function sendPageInParts(
	reply: FastifyReply,
	pageAround: (place: string) => WholePage,
	content: AsyncIterable<Html>,
): FastifyReply {
	const [before, behind] = cutAtPlace((place) => pageAround(place)(around(reply)));
	const parts = async function* () {
		yield before.toString();
		for await (const part of content) yield part.toString();
		if (behind) yield behind.toString();
	};
	return reply.type('text/html; charset=utf-8').send(Readable.from(parts(), { highWaterMark: 1 }));
}

function around(reply: FastifyReply): AroundPages {
	return reply.server.getDecorator<() => AroundPages>(aroundPages)();
}

const aroundPages = 'aroundPages';

/** Says what all pages of a server have around them, when one is sent. */
export function putAroundPages(server: FastifyInstance, around: () => AroundPages): void {
	server.decorate(aroundPages, around);
}
