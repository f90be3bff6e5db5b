import { useSiteAndService } from '../support/inProcess/siteAndService';
import { concurrentTestWithBrowser } from '../support/service/browser';
import { cloudClient } from '../support/service/cloudClient';
import { extract, loop, step, task, uuidOf } from '../support/service/taskFiles';

// What was switched before a round is switched again where its page has come anew, as for data that was refused once.

const colours = ['Red', 'Blue', 'Green'];
const sizes = ['S', 'M', 'L'];

/** A shop that says by `aria-pressed`, or by boxes, what is chosen: the first colour, as it comes. */
const pageOf = (kind: string) => `<body><h1>Shirt</h1><main></main><script>
	const chosen = { colour: 'Red', size: undefined };
	const main = document.querySelector('main');
	const choices = (name, all) => all.map((each) => ${
		kind === 'boxes'
			? "'<label class=' + name + '><input type=radio name=' + name + ' ' + (chosen[name] === each ? 'checked' : '') + '>' + each + '</label>'"
			: "'<button class=' + name + ' aria-pressed=' + (chosen[name] === each) + '>' + each + '</button>'"
	}).join('');
	const draw = (price = '') => {
		main.innerHTML = choices('colour', ${JSON.stringify(colours)}) + choices('size', ${JSON.stringify(sizes)})
			+ '<b>' + chosen.colour + ' ' + chosen.size + '</b><i>' + price + '</i>';
		for (const each of main.querySelectorAll('${kind === 'boxes' ? 'input' : 'button'}')) each.onclick = async () => {
			const choice = each.closest('.colour, .size');
			chosen[choice.className] = choice.textContent;
			if (choice.className === 'colour') chosen.size = undefined;
			draw();
			if (chosen.size === undefined) return;
			const answer = await fetch('/price?${kind}&' + chosen.colour + chosen.size);
			draw(answer.ok ? await answer.text() : '');
		};
	};
	draw();
</script></body>`;

const refused = new Set<string>();

const { site, service } = useSiteAndService(
	({ url: { pathname, search } }) => {
		if (pathname !== '/price') return pageOf(search.slice(1));
		const [kind = '', choice = ''] = search.slice(1).split('&');
		if (choice !== 'BlueM' || refused.has(kind)) return { body: `price of ${choice}` };
		refused.add(kind);
		return { status: 503 };
	},
	() => {
		const of = (selector: string, steps: object[]) =>
			loop({ loopType: 'list', listType: 'elements', selector }, [
				step('click', { useLoopItem: true }, `click on ${selector}`),
				...steps,
			]);
		const row = extract({ Choice: ':root b', Price: ':root i' });
		const tasks = ['buttons', 'boxes'].map((kind) =>
			task(
				kind,
				[
					step('navigate', { url: `${site.baseUrl}/?${kind}` }),
					of('.colour', [of(':root .size', [row])]),
				],
				{ page: 'browser' },
			),
		);
		return { tasks: Object.fromEntries(tasks.map((each) => [each.taskID, each])) };
	},
);

concurrentTestWithBrowser.each(['buttons', 'boxes'])(
	'a round goes on with what was chosen around it: %s',
	async (kind) => {
		const { batch, rows } = await cloudClient(service).run(uuidOf(kind));
		const { batchID } = batch;
		await service.logged({ batchID, msg: 'batch successful', failedPages: 0 });
		expect(refused).toContain(kind);
		expect(rows).toEqual(
			colours.flatMap((colour) =>
				sizes.map((size) => ({
					Choice: `${colour} ${size}`,
					Price: `price of ${colour}${size}`,
				})),
			),
		);
	},
);
