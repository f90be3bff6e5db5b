import { html, type Html } from '../../text/html.ts';
import { reasonOf } from '../../errors/thrown.ts';
import { withoutPasswords } from '../../log/withoutPasswords.ts';
import type { ConsoleParts } from '../consoleParts.ts';
import { trialResult } from '../trial/trialResult.ts';
import { Trials } from '../../runs/trial.ts';
import { taskOf } from '../../picker/draft.ts';
import type { PickerSession } from '../../picker/session.ts';

const rows = 5;
const trials = new Trials({ most: 4, milliseconds: 30_000 });

/** The first rows as the steps of a draft give them, until `signal`. `site`: what `{site}` stands for. */
export async function firstRows(
	parts: ConsoleParts,
	session: PickerSession,
	{ signal: unwanted, site }: { signal: AbortSignal; site: string },
): Promise<Html> {
	const task = taskOf(session.draft);
	if (!task) return html`<p class="muted">No column yet.</p>`;
	session.trial?.abort();
	const replaced = new AbortController();
	session.trial = replaced;
	try {
		const signal = AbortSignal.any([replaced.signal, unwanted]);
		const { browser } = parts.settings;
		const trial = await trials.run(task, { rows, signal, browser, site });
		if (!trial)
			return html`<p class="muted">
				Too many trials are running, so the first rows are not shown.
			</p>`;
		return trialResult(task, trial, {
			wanted: rows,
			seconds: trials.seconds,
			heading: 'First rows',
		});
	} catch (error) {
		return html`<p class="mistake">${withoutPasswords(reasonOf(error))}</p>`;
	}
}
