// A draft that the service has lost, and this window has not: it is sent, and pointing goes on.

const form = document.getElementById('resume');
const kept = sessionStorage.getItem(`draft ${location.pathname}`);
if (kept !== null) {
	// Once: what the service does not take is no draft.
	sessionStorage.removeItem(`draft ${location.pathname}`);
	document.getElementById('gone').hidden = true;
	form.hidden = false;
	form.elements.draft.value = kept;
	form.requestSubmit();
}
