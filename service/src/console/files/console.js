// What the console's pages do in a browser besides htmx: copying, asking before what cannot be undone, and keeping the keyboard's place.

document.addEventListener('click', (event) => {
	const button = event.target.closest('[data-copy]');
	if (button) void copy(button);
});

document.addEventListener('submit', (event) => {
	const question = event.target.dataset.confirm;
	if (question && !window.confirm(question)) event.preventDefault();
});

// Live updates may take away what has the keyboard: then it goes to the place that is said to take it.
let focused;
document.addEventListener('htmx:before:swap', () => (focused = document.activeElement));
document.addEventListener('htmx:after:swap', () => {
	if (focused && !focused.isConnected) document.querySelector('[data-takes-lost-focus]')?.focus();
});

// A page that follows what happens says so when it does not any more.
document.addEventListener('htmx:sse:error', ({ detail: { status } }) => {
	const isOut = status === 401;
	const notice = document.getElementById('connection');
	notice.textContent = isOut
		? 'You are signed out: this page shows what was. Load it again to sign in.'
		: 'The service does not answer: this page shows what was. Is it still running?';
	notice.hidden = false;
});
document.addEventListener('htmx:sse:after:message', () => {
	document.getElementById('connection').hidden = true;
});

async function copy(button) {
	const text = button.dataset.copy;
	try {
		await navigator.clipboard.writeText(text);
		say(button, 'Copied');
	} catch {
		// Browsers have no clipboard for pages of other machines without https: the text can be copied by hand.
		window.prompt('Copy this:', text);
	}
}

function say(button, text) {
	document.getElementById('announcement').textContent = text;
	const before = button.textContent;
	if (before === text) return;
	button.textContent = text;
	setTimeout(() => (button.textContent = before), 1500);
}

// What is sent starts or saves something: a second click must not do it again.
document.addEventListener('submit', (event) => {
	const form = event.target;
	if (!form.matches('[data-once]') || event.defaultPrevented) return;
	if (form.dataset.isSent) return event.preventDefault();
	form.dataset.isSent = 'true';
	// After the browser has read the form: a button that is disabled is not sent.
	setTimeout(() => {
		for (const button of form.elements) if (button.type === 'submit') button.disabled = true;
	});
});

// A page that the browser has kept may be sent once more only with a new token.
window.addEventListener('pageshow', (event) => {
	if (event.persisted) window.location.reload();
});

// The editor of a task file.
document.addEventListener('click', (event) => {
	const button = event.target.closest('[data-go-to], [data-cancel]');
	if (button?.dataset.goTo) goTo(Number(button.dataset.goTo), Number(button.dataset.length));
	if (button?.dataset.cancel) cancel(document.getElementById(button.dataset.cancel));
});

/** Puts the cursor into the text, with the mistake selected and in sight. */
function goTo(offset, length) {
	const area = document.getElementById('text');
	area.focus();
	area.setSelectionRange(offset, offset + length);
	const lines = area.value.split('\n').length;
	const line = area.value.slice(0, offset).split('\n').length;
	area.scrollTop = (line / lines) * area.scrollHeight - area.clientHeight / 2;
	area.scrollLeft = 0;
	area.scrollIntoView({ block: 'nearest' });
}

function cancel(button) {
	window.htmx.trigger(button, 'htmx:abort');
	document.getElementById('trial').textContent = 'The try was cancelled.';
	button.focus();
}

document.addEventListener('htmx:error', (event) => {
	const target = event.detail.ctx?.target;
	if (target?.id === 'trial' || target?.id === 'check') {
		target.textContent = 'The service does not answer. Is it still running?';
	}
});

window.addEventListener('beforeunload', (event) => {
	const form = document.querySelector('[data-guard]');
	if (!form || form.dataset.isSent) return;
	const area = form.querySelector('textarea');
	const isUnsaved = form.dataset.guard === 'unsaved' || area.value !== area.defaultValue;
	if (isUnsaved) event.preventDefault();
});
