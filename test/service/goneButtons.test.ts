import { useSiteAndService } from '../support/inProcess/siteAndService';
import { concurrentTestWithBrowser } from '../support/service/browser';
import { cloudClient } from '../support/service/cloudClient';
import { extract, loop, step, task, uuidOf } from '../support/service/taskFiles';

// Lists whose button goes when what it has asked for is refused: only a page that comes anew has it again.

const parts = [1, 2, 3, 4];
const rowsOf = (part: number) => [`${part} a`, `${part} b`];
const html = parts.map((part) => `<p>${rowsOf(part).join('</p><p>')}</p>`);

/** How the page takes note of the part that it asks for. */
const notes = {
	nowhere: '',
	'in its address': "history.pushState(0, 0, '?part=' + (part + 1))",
	'in its address, in the place of the one before':
		"history.replaceState(0, 0, '?part=' + (part + 1))",
};
const answers = { 'refused once': [503], 'too many once': [429], 'not there': [404] };

const pageOf = (note: string) => `<main></main><button>Load more</button><script>
	const [list, button] = document.querySelectorAll('main, button');
	let part = Number(new URL(location).searchParams.get('part') ?? 1);
	list.innerHTML = ${JSON.stringify(html)}.slice(0, part).join('');
	button.hidden = part === ${parts.length};
	button.onclick = async () => {
		${note};
		const answer = await fetch(location.pathname + '/rows?' + (part + 1));
		if (!answer.ok) return void button.remove();
		list.insertAdjacentHTML('beforeend', await answer.text());
		part += 1;
		button.hidden = part === ${parts.length};
	};
</script>`;

const cases = Object.keys(notes).flatMap((note) =>
	Object.keys(answers).map((answer): [keyof typeof notes, keyof typeof answers] => [
		note as keyof typeof notes,
		answer as keyof typeof answers,
	]),
);
const nameOf = (note: string, answer: string) => `${note}, ${answer}`;
const left = new Map(
	cases.map(([note, answer]) => [uuidOf(nameOf(note, answer)), [...answers[answer]]]),
);

const { site, service } = useSiteAndService(
	({ url: { pathname, search } }) => {
		const [, id = '', rows] = pathname.split('/');
		if (rows === undefined) {
			const found = cases.find(([note, answer]) => uuidOf(nameOf(note, answer)) === id);
			return found ? pageOf(notes[found[0]]) : { status: 404 };
		}
		const part = Number(search.slice(1));
		const status = part === 3 ? left.get(id)?.shift() : undefined;
		return status === undefined ? (html[part - 1] ?? '') : { status };
	},
	() => {
		const more = loop({ loopType: 'page', selector: 'button', timesMode: 'all' }, [
			step('wait', { selector: 'p' }),
		]);
		const tasks = cases.map(([note, answer]) => {
			const name = nameOf(note, answer);
			const open = step('navigate', { url: `${site.baseUrl}/${uuidOf(name)}` });
			return task(name, [open, more, extract({ Text: {} }, 'p')], {
				page: 'browser',
				requestsPerHost: 8,
			});
		});
		return { tasks: Object.fromEntries(tasks.map((each) => [each.taskID, each])) };
	},
);

const run = async (note: string, answer: string) => {
	const { batch, rows } = await cloudClient(service).run(uuidOf(nameOf(note, answer)));
	await service.logged({ batchID: batch.batchID, msg: 'batch successful', failedPages: 0 });
	const ends = service.log.filter(
		(line) => line.batchID === batch.batchID && line.msg === 'loop by page ended',
	);
	return { texts: rows.map(({ Text }) => Text), reasons: ends.map(({ reason }) => String(reason)) };
};

concurrentTestWithBrowser.each(cases.filter(([, answer]) => answer !== 'not there'))(
	'all rows are read where the part is noted %s, and is %s',
	async (note, answer) => {
		expect((await run(note, answer)).texts).toEqual(parts.flatMap(rowsOf));
	},
);

concurrentTestWithBrowser.each(Object.keys(notes))(
	'that a part is not there is told where it is noted %s',
	async (note) => {
		const { texts, reasons } = await run(note, 'not there');
		expect(texts).toEqual([1, 2].flatMap(rowsOf));
		expect(reasons).toEqual([expect.stringMatching(/^no button.*HTTP 404/)]);
	},
);
