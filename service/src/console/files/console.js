// What the console's pages do in a browser besides htmx and forms: copying, keeping the keyboard's place, and the editor's buttons.

document.addEventListener('click', (event) => {
	const button = event.target.closest('[data-copy]');
	if (button) void copy(button);
});

// Live updates may take away what has the keyboard: then it goes to the place that is said to take it.
let focused;
document.addEventListener('htmx:before:swap', () => (focused = document.activeElement));
document.addEventListener('htmx:after:swap', () => {
	if (focused && !focused.isConnected) document.querySelector('[data-takes-lost-focus]')?.focus();
});

// Cookies count for all ports of a host: a link of a row to another port here would take the session along.
for (const use of ['pointerdown', 'focusin', 'click', 'auxclick', 'contextmenu']) {
	addEventListener(use, disarm, { capture: true });
}

function disarm({ target }) {
	const link = target instanceof Element ? target.closest('a[target=_blank]') : null;
	if (!link || link.hostname !== location.hostname || link.origin === location.origin) return;
	link.title =
		'On the machine of this console: to open it, copy the address into a private window.';
	link.removeAttribute('href');
}

async function copy(button) {
	const text = button.dataset.copy;
	try {
		await navigator.clipboard.writeText(text);
		say(button, 'Copied');
	} catch {
		// Browsers have no such clipboard for pages of other machines without https.
		copyShown(button, text);
	}
}

/** Copies what a dialog shows, as people can do by hand where that is not to be: then it stays. */
function copyShown(button, text) {
	const dialog = document.createElement('dialog');
	dialog.className = 'editor';
	dialog.innerHTML = `<label for="to-copy">Copy this with Ctrl+C (Cmd+C on a Mac)</label>
		<textarea id="to-copy" rows="12" readonly spellcheck="false"></textarea>
		<form method="dialog"><button>Close</button></form>`;
	const area = dialog.querySelector('textarea');
	area.value = text;
	dialog.addEventListener('close', () => dialog.remove());
	document.body.append(dialog);
	dialog.showModal();
	area.select();
	if (!document.execCommand('copy')) return;
	dialog.close();
	say(button, 'Copied');
}

function say(button, text) {
	document.getElementById('announcement').textContent = text;
	const before = button.textContent;
	if (before === text) return;
	// What stands beside it stays where it is.
	button.style.minWidth = `${button.offsetWidth}px`;
	button.textContent = text;
	setTimeout(() => (button.textContent = before), 3000);
}

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
