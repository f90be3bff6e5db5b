// What forms do in a browser: they ask before what cannot be undone, send what starts or saves something once, and stay where they are while the service does not answer.

/** Milliseconds for the service to say that it is there. */
const patience = 5_000;

/** Forms that wait for that, and the one that is sent now. */
const waiting = new WeakSet();
let sentNow;
/** What is sent leads back to what was pointed together. */
let isComingBack = false;

document.addEventListener('submit', (event) => {
	const form = event.target;
	if (event.defaultPrevented) return;
	if (form === sentNow) return onSent(form);
	event.preventDefault();
	if (waiting.has(form) || form.dataset.isSent) return;
	const question = form.dataset.confirm;
	if (question && !window.confirm(question)) return;
	void send(form, event.submitter);
});

/** The browser sends the form once, and only if the service is there: else its own page about that would take the place of what was entered. */
async function send(form, button) {
	waiting.add(form);
	sayBusy(form, true);
	const isThere = await isAnswering();
	waiting.delete(form);
	if (isThere) {
		hideNotice();
		sentNow = form;
		form.requestSubmit(button);
		sentNow = undefined;
	} else {
		sayBusy(form, false);
		showNotice(
			'The service does not answer: nothing was sent. What you entered is still here; send it again when the service is running.',
		);
	}
}

/** What a form says while its answer takes long. */
function sayBusy(form, isBusy) {
	const status = form.querySelector('[data-says]');
	if (status) status.textContent = isBusy ? status.dataset.says : '';
}

async function isAnswering() {
	try {
		const signal = AbortSignal.timeout(patience);
		const { status } = await fetch('/console/files/icon.svg', { cache: 'no-store', signal });
		// A proxy before the service answers for it so.
		return status < 500;
	} catch {
		return false;
	}
}

// What is sent starts or saves something: a second click must not do it again.
function onSent(form) {
	isComingBack = form.matches('[data-comes-back]');
	if (!form.matches('[data-once]')) return;
	form.dataset.isSent = 'true';
	// After the browser has read the form: a button that is disabled is not sent.
	setTimeout(() => {
		for (const button of form.elements) if (button.type === 'submit') button.disabled = true;
	});
}

// A page that the browser has kept may be sent once more only with a new token.
window.addEventListener('pageshow', (event) => {
	if (event.persisted) window.location.reload();
});

// What was entered and not sent is not left unasked.
window.addEventListener('beforeunload', (event) => {
	const form = document.querySelector('[data-guard]');
	if (!form || form.dataset.isSent || isComingBack) return;
	const isChanged = ({ value, defaultValue }) =>
		defaultValue !== undefined && value !== defaultValue;
	const isUnsaved = form.dataset.guard === 'unsaved' || [...form.elements].some(isChanged);
	if (isUnsaved) event.preventDefault();
});

// A page that follows what happens says so when it does not any more.
document.addEventListener('htmx:sse:error', ({ detail: { status } }) => sayOutOfDate(status));
document.addEventListener('htmx:sse:after:message', hideNotice);

// Nor when it never began to: what a refusal says is no part of the page.
document.addEventListener('htmx:before:response', (event) => {
	const { ctx } = event.detail;
	if (ctx.response.status < 400 || !follows(ctx.sourceElement)) return;
	event.preventDefault();
	followLater(ctx.sourceElement, ctx.response.status);
});

// Parts of a page that are asked for say so in their place, or at the top.
document.addEventListener('htmx:error', ({ detail: { ctx } }) => {
	const target = ctx?.target;
	if (ctx && follows(ctx.sourceElement)) {
		followLater(ctx.sourceElement);
	} else if (target?.id === 'trial' || target?.id === 'check') {
		target.textContent = 'The service does not answer. Is it still running?';
	} else if (ctx) {
		showNotice('The service does not answer: nothing was done. Is it still running?');
	}
});

/** The address of what a part of the page follows; null if it follows nothing. */
function follows(part) {
	return part.getAttribute('hx-sse:connect');
}

/** The extension begins again by itself only what has begun once, and says only of that that it has ended. */
function followLater(part, status) {
	sayOutOfDate(status);
	setTimeout(() => {
		if (part.isConnected) void window.htmx.ajax('GET', follows(part), { source: part });
	}, 2000);
}

function sayOutOfDate(status) {
	if (status === 401) {
		showNotice('You are signed out: this page is out of date. Load it again to sign in.');
	} else if (document.getElementById('connection').hidden) {
		showNotice('The service does not answer: this page is out of date. Is it still running?');
	}
}

function showNotice(text) {
	const notice = document.getElementById('connection');
	if (notice.textContent !== text) notice.textContent = text;
	notice.hidden = false;
}

function hideNotice() {
	document.getElementById('connection').hidden = true;
}
