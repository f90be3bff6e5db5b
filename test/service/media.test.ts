import { setTimeout as sleep } from 'node:timers/promises';
import { useSiteAndService } from '../support/inProcess/siteAndService';
import { concurrentTestWithBrowser } from '../support/service/browser';
import { cloudClient } from '../support/service/cloudClient';
import { extract, loop, step, task, uuidOf } from '../support/service/taskFiles';

// How long a sound is, the page knows once that has come: then it is read.

const seconds = [3, 6, 9];
const rate = 8_000;

/** A WAV file that is silent for so long. */
function silence(length: number): Buffer {
	const size = rate * length;
	const file = Buffer.alloc(44 + size, 128);
	file.write('RIFF', 0);
	file.writeUInt32LE(36 + size, 4);
	file.write('WAVEfmt ', 8);
	[16, 0x0001_0001, rate, rate, 0x0008_0001].forEach((value, index) =>
		file.writeUInt32LE(value, 16 + 4 * index),
	);
	file.write('data', 36);
	file.writeUInt32LE(size, 40);
	return file;
}

const tellLength = `({ target }) => (target.nextElementSibling.textContent = Math.round(target.duration) + ' s')`;
const pages: Record<string, string> = {
	list: `${seconds.map((length) => `<p><b>Part ${length}</b><audio controls preload="metadata" src="sound?${length}"></audio><i>–:–</i></p>`).join('')}
		<script>for (const each of document.querySelectorAll('audio')) each.onloadedmetadata = ${tellLength};</script>`,
	player: `${seconds.map((length) => `<button>${length}</button>`).join('')}<h1></h1><audio controls></audio><i></i>
		<script>
		const audio = document.querySelector('audio');
		audio.onloadedmetadata = ${tellLength};
		onclick = ({ target: { localName, textContent } }) => {
			if (localName !== 'button') return;
			document.querySelector('h1').textContent = 'Part ' + textContent;
			audio.src = 'sound?' + textContent;
		};
		</script>`,
};
const choose = () => [
	loop({ loopType: 'list', listType: 'elements', selector: 'button' }, [
		step('click', { useLoopItem: true }),
		extract({ Name: { selector: ':root h1' }, Length: { selector: ':root i' } }),
	]),
];
const steps: Record<string, () => object[]> = {
	list: () => [extract({ Name: 'b', Length: 'i' }, 'p')],
	player: choose,
};

const { site, service } = useSiteAndService(
	async ({ url: { pathname, search } }) => {
		if (pathname !== '/sound') return `<!doctype html>${pages[pathname.slice(1)]}`;
		await sleep(600);
		return { body: silence(Number(search.slice(1))), headers: { 'Content-Type': 'audio/wav' } };
	},
	() => ({
		tasks: Object.fromEntries(
			Object.entries(steps).map(([name, made]) => {
				const open = step('navigate', { url: `${site.baseUrl}/${name}` });
				const whole = task(name, [open, ...made()], { page: 'browser', requestsPerHost: 4 });
				return [whole.taskID, whole];
			}),
		),
		env: { SERVICE_AGENTS: '2' },
	}),
);

concurrentTestWithBrowser.each(Object.keys(pages))('in a %s', async (name) => {
	const { batch, rows } = await cloudClient(service).run(uuidOf(name));
	await service.logged({ batchID: batch.batchID, msg: 'batch successful', failedPages: 0 });
	expect(rows).toEqual(
		seconds.map((length) => ({ Name: `Part ${length}`, Length: `${length} s` })),
	);
});
