import { useSiteAndService } from '../support/inProcess/siteAndService';
import { concurrentTestWithBrowser } from '../support/service/browser';
import { cloudClient } from '../support/service/cloudClient';
import { extract, loop, step, task, uuidOf } from '../support/service/taskFiles';

// Lists in which other entries come while theirs are clicked.

const words = ['red', 'blue', 'green', 'white', 'black'];

/** A list whose elements stay where they are: what each says goes to the next one as soon as the mouse comes to it. */
const byPlace = `<main></main><aside></aside><script>
	const [main, aside] = document.querySelectorAll('main, aside');
	const [said, seen] = [${JSON.stringify(words)}, new Set()];
	const write = () => said.forEach((word, at) => {
		if (!main.children[at]) main.insertAdjacentHTML('beforeend', '<div><h2></h2><button>show</button></div>');
		main.children[at].firstChild.textContent = word;
	});
	write();
	const newer = ['grey', 'pink', 'brown', 'violet', 'orange'];
	main.onpointerover = ({ target }) => {
		const word = target.previousSibling?.textContent;
		if (!target.matches('button') || seen.has(word) || newer.length === 0) return;
		seen.add(word);
		said.unshift(newer.pop());
		write();
	};
	main.onclick = ({ target }) => {
		if (target.matches('button')) aside.innerHTML = '<p>' + target.previousSibling.textContent + '</p>';
	};
</script>`;

/** How entries are written: as new elements, or into those that are there. */
const writing = {
	anew: `main.innerHTML = words.map((word) => '<div>' + entry(word) + '</div>').join('');`,
	inPlace: `words.forEach((word, at) => {
		if (!main.children[at]) main.append(document.createElement('div'));
		main.children[at].innerHTML = entry(word);
	});`,
};

/** A list in whose place another one comes behind the first click, each entry with its link. */
const replacedBy = (others: string[], { list = words.slice(0, 3), how = writing.anew } = {}) =>
	`<main></main><aside></aside><script>
	const main = document.querySelector('main');
	const entry = (word) => '<h2>' + word + '</h2><a href="/item?' + word + '">more</a><button>show</button>';
	const write = (words) => { ${how} };
	write(${JSON.stringify(list)});
	main.onclick = ({ target }) => {
		if (!target.matches('button')) return;
		document.querySelector('aside').innerHTML = '<p>' + target.parentElement.firstChild.textContent + '</p>';
		write(${JSON.stringify(others)});
	};
</script>`;
const [list, others] = [
	['red lamp', 'blue desk', 'green mug'],
	['red lamp', 'blue chair', 'green mug'],
];
/** Of what is clicked, the link has another address then, and the text is another one. */
const switched = `<main></main><aside></aside><script>
	const main = document.querySelector('main');
	main.innerHTML = ${JSON.stringify(list)}.map((word) => '<div><h2>' + word + '</h2><a href="?show=' + word + '">show more of it</a></div>').join('');
	main.onclick = (event) => {
		const { target } = event;
		if (!target.matches('a')) return;
		event.preventDefault();
		const word = target.previousSibling.textContent;
		target.href = target.href.replace('show', 'hide');
		target.textContent = 'hide all';
		document.querySelector('aside').innerHTML = '<p>' + word + '</p>';
	};
</script>`;

const pages: Record<string, string> = {
	byPlace,
	replaced: replacedBy(['grey', 'pink', 'brown']),
	replacedInPart: replacedBy(['red', 'pink', 'green']),
	likeIt: replacedBy(others, { list }),
	likeItInPlace: replacedBy(others, { list, how: writing.inPlace }),
	switched,
};

const { site, service } = useSiteAndService(
	({ url: { pathname } }) => pages[pathname.slice(1)] ?? { status: 404 },
	() => {
		const tasks = Object.keys(pages).map((path) =>
			task(
				path,
				[
					step('navigate', { url: `${site.baseUrl}/${path}` }),
					loop({ loopType: 'list', listType: 'elements', selector: 'div' }, [
						extract({ Name: 'h2' }, undefined, { emit: false }),
						step('click', { selector: path === 'switched' ? 'a' : 'button' }),
						extract({
							Detail: { selector: ':root aside p' },
							...(path === 'switched' && { Again: 'h2' }),
						}),
					]),
				],
				{ page: 'browser' },
			),
		);
		return { tasks: Object.fromEntries(tasks.map((each) => [each.taskID, each])) };
	},
);

concurrentTestWithBrowser(
	'an entry that goes to another element before the click is clicked there',
	async () => {
		const { rows } = await cloudClient(service).run(uuidOf('byPlace'));
		expect(rows).toEqual(words.map((read) => ({ Name: read, Detail: read })));
	},
);

concurrentTestWithBrowser('an entry whose link and text a click changes stays that', async () => {
	const { rows } = await cloudClient(service).run(uuidOf('switched'));
	expect(rows).toEqual(list.map((read) => ({ Name: read, Detail: read, Again: read })));
});

concurrentTestWithBrowser.each([
	['replaced', ['red'], 'blue'],
	['replacedInPart', ['red', 'green'], 'blue'],
	['likeIt', ['red lamp', 'green mug'], 'blue desk'],
	['likeItInPlace', ['red lamp', 'green mug'], 'blue desk'],
])('an entry in whose place another one has come is not that: %s', async (path, left, gone) => {
	const { rows, batch } = await cloudClient(service).run(uuidOf(path));
	expect(rows).toEqual(left.map((read) => ({ Name: read, Detail: read })));
	const reason = `Element 2 of div ("${gone} more show") is not on the page any more.`;
	await service.logged({ batchID: batch.batchID, msg: 'page failed, skipped', reason });
});
