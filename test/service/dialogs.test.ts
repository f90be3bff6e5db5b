import { concurrentTestWithBrowser, describeWithBrowser } from '../support/service/browser';
import { cloudClient, type CloudClient } from '../support/service/cloudClient';
import { startService, type RunningService } from '../support/inProcess/startService';
import { startSite, type Site } from '../support/service/startSite';
import { extract, loop, step, task, uuidOf } from '../support/service/taskFiles';

// A "quick view" stays open over the entries of its list, or a question over a search, until somebody presses Escape.

const list = `<main>${['one', 'two', 'three'].map((name) => `<p><b>${name}</b> <button>Look</button></p>`).join('')}</main>`;
const each = (does: string) => `<script>
	for (const entry of document.querySelectorAll('main p'))
		entry.querySelector('button').onclick = () => {
			const name = entry.querySelector('b').textContent;
			${does}
		};
</script>`;

const cover = 'position: fixed; inset: 0; background: white';
const pages: Record<string, string> = {
	'of HTML': `${list}<dialog><p></p></dialog>${each(`
		document.querySelector('dialog p').textContent = 'About ' + name;
		document.querySelector('dialog').showModal();`)}`,
	'of a script': `${list}<div role=dialog aria-modal=true hidden><p></p></div>
		<div id=cover style="${cover}" hidden></div>${each(`
		const [dialog, main, cover] = ['[role=dialog]', 'main', '#cover'].map((each) => document.querySelector(each));
		dialog.querySelector('p').textContent = 'About ' + name;
		const isOpen = (value) => { dialog.hidden = cover.hidden = !value; main.inert = value; };
		isOpen(true);
		onkeydown = ({ key }) => key === 'Escape' && isOpen(false);`)}`,
};

/** As Radix makes them: the page below takes no clicks, and nothing but its role says what it is. */
pages['of a role alone'] = `${list}${each(`
	const dialog = document.createElement('div');
	dialog.innerHTML = '<div style="${cover}"></div><div role=dialog style="position: fixed">About ' + name + '</div>';
	dialog.style.pointerEvents = 'auto';
	document.body.append(dialog);
	document.body.style.pointerEvents = 'none';
	document.querySelector('main').ariaHidden = 'true';
	onkeydown = ({ key }) => {
		if (key !== 'Escape') return;
		dialog.remove();
		document.body.style.pointerEvents = '';
	};`)}`;

const search = `<main><input><p></p></main><script>
	document.querySelector('input').oninput = ({ target }) => (document.querySelector('p').textContent = target.value);
</script>`;
const searches: Record<string, string> = {
	'of HTML': `${search}<dialog>Cookies?</dialog><script>document.querySelector('dialog').showModal();</script>`,
	'of a script': `${search}<div role=dialog aria-modal=true>Cookies?</div><script>
		const [dialog, main] = ['[role=dialog]', 'main'].map((each) => document.querySelector(each));
		main.inert = true;
		onkeydown = ({ key }) => { if (key === 'Escape') [dialog.hidden, main.inert] = [true, false]; };
	</script>`,
	'that takes the focus': `${search}<div role=dialog aria-modal=true>Letters? <input></div><script>
		const dialog = document.querySelector('[role=dialog]');
		addEventListener('focusin', ({ target }) => {
			if (!dialog.hidden && !dialog.contains(target)) dialog.querySelector('input').focus();
		});
		onkeydown = ({ key }) => { if (key === 'Escape') dialog.hidden = true; };
	</script>`,
};

/** A list that is added to as it is scrolled, but not while a dialog is shown, which comes after the third part. */
const feed = (
	leaving: string,
	says = 'role=dialog aria-modal=true',
) => `<ul></ul><div ${says} hidden style="${cover}">Letters?</div><script>
	const [list, dialog] = ['ul', 'div'].map((each) => document.querySelector(each));
	let rows = 0;
	const add = () => {
		for (let part = 0; part < 10; part += 1)
			list.insertAdjacentHTML('beforeend', '<li style="height: 100px">' + (rows += 1) + '</li>');
		if (rows === 30) dialog.hidden = false;
	};
	onscroll = () => {
		if (dialog.hidden && rows < 60 && innerHeight + scrollY > document.body.scrollHeight - 50) add();
	};
	${leaving}
	add();
</script>`;
const leaving = `onkeydown = ({ key }) => { if (key === 'Escape') dialog.hidden = true; };`;
const feeds: Record<string, string> = {
	'that Escape leaves': feed(leaving),
	'that does not say so': feed(leaving, ''),
	'that stays': feed(''),
};

describeWithBrowser('an entry under a dialog', () => {
	let site: Site;
	let service: RunningService;
	let client: CloudClient;

	beforeAll(async () => {
		site = await startSite(({ url }) => {
			const [, kind, name = ''] = decodeURIComponent(url.pathname).split('/');
			return ({ search: searches, feed: feeds }[kind ?? ''] ?? pages)[name] ?? '';
		});
		const open = (kind: string, name: string) =>
			step('navigate', { url: `${site.baseUrl}/${kind}/${encodeURIComponent(name)}` });
		const texts = { loopType: 'list', listType: 'textList', texts: ['one', 'two'] };
		const searching = Object.keys(searches).map((name) =>
			task(
				`search ${name}`,
				[
					open('search', name),
					loop(texts, [
						step('inputText', { selector: 'main input', useLoopItem: true }),
						extract({ Said: 'p' }),
					]),
				],
				{ page: 'browser' },
			),
		);
		const feeding = Object.keys(feeds).map((name) =>
			task(
				`feed ${name}`,
				[
					open('feed', name),
					loop({ loopType: 'scroll', timesMode: 'all' }, [extract({ Number: {} }, 'li')]),
				],
				{ page: 'browser' },
			),
		);
		const looking = Object.keys(pages).map((name) =>
			task(
				name,
				[
					open('list', name),
					loop({ loopType: 'list', listType: 'elements', selector: 'main p' }, [
						extract({ Name: 'b' }, undefined, { emit: false }),
						step('click', { selector: 'button' }),
						extract({ Url: { source: 'pageUrl' } }),
					]),
				],
				{ page: 'browser' },
			),
		);
		const tasks = [...looking, ...searching, ...feeding].map(
			(each) => [each.taskID, each] as const,
		);
		service = await startService({ tasks: Object.fromEntries(tasks) });
		client = cloudClient(service);
	});

	afterAll(async () => {
		await service?.stop();
		await site?.stop();
	});

	concurrentTestWithBrowser.each(Object.keys(pages))('is clicked: one %s', async (name) => {
		const { batch, rows } = await client.run(uuidOf(name));
		const { batchID } = batch;
		await service.logged({ batchID, msg: 'batch successful' });
		const failed = service.log.filter((line) => line.batchID === batchID && line.level === 40);
		expect(failed).toEqual([]);
		expect(rows.map(({ Name }) => Name)).toEqual(['one', 'two', 'three']);
	});

	concurrentTestWithBrowser.each(Object.keys(searches))('is typed into: one %s', async (name) => {
		const { batch, rows } = await client.run(uuidOf(`search ${name}`));
		const { batchID } = batch;
		await service.logged({ batchID, msg: 'batch successful' });
		const failed = service.log.filter((line) => line.batchID === batchID && line.level === 40);
		expect(failed).toEqual([]);
		expect(rows).toEqual([{ Said: 'one' }, { Said: 'two' }]);
	});

	concurrentTestWithBrowser.each([
		['that Escape leaves', 60],
		['that does not say so', 60],
		['that stays', 30],
	])('is scrolled to under a dialog %s: %i of 60 rows', async (name, count) => {
		const { batch, rows } = await client.run(uuidOf(`feed ${name}`));
		expect(rows).toEqual(Array.from({ length: count }, (_, at) => ({ Number: String(at + 1) })));
		const { batchID } = batch;
		await service.logged({ batchID, msg: 'batch successful' });
		const told = service.log.filter((line) => line.batchID === batchID && line.level === 40);
		const missing: unknown = expect.stringContaining('A dialog has come over the page meanwhile');
		expect(told).toMatchObject(count === 60 ? [] : [{ msg: 'loop ended', reason: missing }]);
	});
});
