import { useSiteAndService } from '../support/inProcess/siteAndService';
import { concurrentTestWithBrowser } from '../support/service/browser';
import { cloudClient } from '../support/service/cloudClient';
import { extract, loop, step, task, uuidOf } from '../support/service/taskFiles';

// Pages that keep what they have shown before, and hide it.

const names = ['red lamp', 'blue lamp', 'blue mug'];
const hiding: Record<string, string> = {
	'a style': "row.style.display = isLeft ? '' : 'none'",
	'the attribute hidden': 'row.hidden = !isLeft',
	'a class': "row.classList.toggle('off', !isLeft)",
	'no visibility': "row.style.visibility = isLeft ? '' : 'hidden'",
};
/** What still takes clicks. */
const hidingRows: typeof hiding = {
	transparency: "row.style.opacity = isLeft ? '' : '0'",
	'a place out of reach': "row.style.transform = isLeft ? '' : 'translateY(-9999px)'",
};

/** Ten entries on three pages, of which the last is shorter than those before it. */
const inPages = (hides: string) => ({
	'in rows that each page fills again': `<ul><li></li><li></li><li></li><li></li></ul><button class="next">Next</button><script>
		const next = document.querySelector('.next');
		let page = -1;
		const show = () => {
			page += 1;
			document.querySelectorAll('li').forEach((row, place) => {
				const number = page * 4 + place;
				const isLeft = number < 10;
				if (isLeft) row.textContent = String(number);
				${hides};
			});
			next.hidden = page === 2;
		};
		next.onclick = show;
		show();
	</script>`,
	'in views that are kept': `<body><script>
		const views = [];
		const show = (page) => {
			const view = document.createElement('section');
			view.innerHTML = '<ul></ul>' + (page < 2 ? '<button class="next">Next</button>' : '');
			for (let number = page * 4; number < Math.min(page * 4 + 4, 10); number += 1)
				view.firstChild.append(Object.assign(document.createElement('li'), { textContent: number }));
			view.onclick = ({ target }) => target.matches('button') && show(page + 1);
			views.push(view);
			document.body.append(view);
			views.forEach((row, at) => {
				const isLeft = at === page;
				${hides};
			});
		};
		show(0);
	</script>`,
	'all of them there from the beginning on': `<ul>${Array.from({ length: 10 }, (_, number) => `<li>${number}</li>`).join('')}</ul><button class="next">Next</button><script>
		let page = -1;
		const show = () => {
			page += 1;
			document.querySelectorAll('li').forEach((row, number) => {
				const isLeft = Math.floor(number / 4) === page;
				${hides};
			});
			document.querySelector('.next').hidden = page === 2;
		};
		document.querySelector('.next').onclick = show;
		show();
	</script>`,
});
/** Each click opens a panel of its own beside the list, and hides those before. */
const keptPanels = (
	shows: string,
) => `<ul>${names.map((name) => `<li>${name}</li>`).join('')}</ul><script>
	const panels = [];
	for (const entry of document.querySelectorAll('li')) entry.onclick = () => {
		for (const panel of panels) panel.hidden = true;
		const panel = document.createElement('section');
		panel.innerHTML = '<p>about ' + entry.textContent + '</p>';
		panels.push(panel);
		document.body.append(panel);
		${shows}
	};
</script>`;

/** How panels that are there from the beginning on are hidden. */
const unseen = {
	collapsed: 'max-height: 0; overflow: hidden',
	transparent: 'opacity: 0',
	aside: 'position: absolute; left: -9999px',
	slid: 'transform: translateX(100%)',
	clipped: 'clip-path: inset(100%)',
	right: 'position: fixed; right: 0; width: 200px; transform: translateX(100%)',
	below: 'position: fixed; bottom: 0; transform: translateY(100%)',
};
/** A search for each width, of which the first, within a menu that is not shown, leads elsewhere, and their pagers. */
const twice = (
	style: string,
) => `<style>nav { ${style} } aside { overflow: hidden }</style><ul></ul>
	<aside><nav><input><button class="next">Next</button></nav></aside>
	<input><button class="next">Next</button><script>
	const [[menuField, field], [menuNext, next]] = ['input', '.next'].map((each) => document.querySelectorAll(each));
	let at = 0;
	const show = (word) => (document.querySelector('ul').innerHTML = '<li>' + word + at + '</li>');
	show('');
	menuField.oninput = menuNext.onclick = () => show('other ');
	field.oninput = () => show(field.value + ' ');
	next.onclick = () => {
		at += 1;
		show(field.value + ' ');
		next.disabled = at === 3;
	};
</script>`;

/** Panels beside a list, of which each click opens one, in another order; `without`: whose panel says nothing. */
const exclusivePanels = (style: string, without?: string) =>
	`<style>section:not(.open) { ${style} } aside { overflow: hidden }</style>
	<ul>${names.map((name) => `<li>${name}</li>`).join('')}</ul>
	<aside>${names
		.toReversed()
		.map(
			(name) =>
				`<section><h2>${name}</h2>${name === without ? '' : `<p>about ${name}</p><p>more</p>`}</section>`,
		)
		.join('')}</aside><script>
	const panels = document.querySelectorAll('section');
	document.querySelectorAll('li').forEach((entry) => entry.onclick = () => panels.forEach((panel) =>
		panel.classList.toggle('open', panel.firstChild.textContent === entry.textContent)));
</script>`;
const unseenPanels = Object.entries({
	none: 'display: none',
	hidden: 'visibility: hidden',
	...unseen,
});
const panelPages = unseenPanels.flatMap(([how, style]) =>
	[undefined, ...names].map((without) => ({
		how,
		without,
		path: `panels/${how}/${without?.replace(' ', '') ?? ''}`,
		html: exclusivePanels(style, without),
	})),
);

/** Entries that come into sight when they are scrolled to. */
const coming = `<style>li { height: 200px; visibility: hidden } li.seen { visibility: visible }</style>
	<ul>${Array.from({ length: 10 }, (_, number) => `<li>${number}</li>`).join('')}</ul><script>
	const watch = new IntersectionObserver((all) => {
		for (const { target, isIntersecting } of all) if (isIntersecting) target.className = 'seen';
	});
	for (const each of document.querySelectorAll('li')) watch.observe(each);
</script>`;
const style = '<style>.off { display: none }</style>';
const pagers = Object.entries({ ...hiding, ...hidingRows }).flatMap(([how, hides]) =>
	Object.entries(inPages(hides))
		.filter(([where]) => how in hiding || where.includes('rows'))
		.map(([where, html]): [string, string, string] => [where, how, style + html]),
);

const numbers = Array.from({ length: 10 }, (_, number) => String(number));
const unseenMenus = Object.entries({ none: 'display: none', ...unseen });
const pages: Record<string, string> = {
	...Object.fromEntries(unseenMenus.map(([how, style]) => [`twice/${how}`, twice(style)])),
	keptPanels: keptPanels(''),
	...Object.fromEntries(panelPages.map(({ path, html }) => [path, html])),
	latePanels: keptPanels('panel.hidden = true; setTimeout(() => (panel.hidden = false), 400);'),
	unseenPanels: keptPanels('panel.hidden = true'),
	coming,
};
const ofPanels = ['keptPanels', 'latePanels', 'unseenPanels'];

const { site, service } = useSiteAndService(
	({ url: { pathname } }) => {
		const pager = pagers[Number(/^\/pager\/(\d+)$/.exec(pathname)?.[1])];
		return pager?.[2] ?? pages[pathname.slice(1)] ?? { status: 404 };
	},
	() => {
		const open = (path: string) => step('navigate', { url: `${site.baseUrl}/${path}` });
		const options = { page: 'browser', requestsPerHost: 8 } as const;
		const rows = extract({ Text: {} }, 'li');
		const eachPage = loop({ loopType: 'page', selector: '.next', timesMode: 'all' }, [rows]);
		const word = step('inputText', { selector: 'input', text: 'word' });
		const eachOf = (path: string, columns: Record<string, object> = {}) =>
			task(
				path,
				[
					open(path),
					loop({ loopType: 'list', listType: 'elements', selector: 'li' }, [
						extract({ Name: {} }, undefined, { emit: false }),
						step('click', { useLoopItem: true }),
						extract({ Text: ':root section p', ...columns }),
					]),
				],
				options,
			);
		const all = { selector: ':root section p', all: true };
		const ofKept = ofPanels.map((path) => eachOf(path));
		const ofExclusive = panelPages.map(({ path }) => eachOf(path, { All: all }));
		const scrolled = loop({ loopType: 'scroll', timesMode: 'all' }, [rows]);
		const ofComing = task('coming', [open('coming'), scrolled], options);
		const ofTwo = unseenMenus.map(([how]) =>
			task(`twice, ${how}`, [open(`twice/${how}`), word, eachPage], options),
		);
		const ofPagers = pagers.map(([where, how], number) =>
			task(`${where}, ${how}`, [open(`pager/${number}`), eachPage], options),
		);
		const tasks = [...ofPagers, ...ofTwo, ...ofKept, ...ofExclusive, ofComing];
		return {
			tasks: Object.fromEntries(tasks.map((each) => [each.taskID, each])),
			env: { SERVICE_AGENTS: '8' },
		};
	},
);

async function textsOf(name: string) {
	const { rows } = await cloudClient(service).run(uuidOf(name));
	return rows.map(({ Text }) => Text);
}

concurrentTestWithBrowser.each(pagers)(
	'of entries that are shown page by page, %s, each is read once, where those before are hidden by %s',
	async (where, how) => {
		expect(await textsOf(`${where}, ${how}`)).toEqual(numbers);
	},
);

concurrentTestWithBrowser.each(ofPanels)(
	'of panels that are kept, a column beside the list reads the last: %s',
	async (path) => {
		expect(await textsOf(path)).toEqual(names.map((name) => `about ${name}`));
	},
);

concurrentTestWithBrowser.each(panelPages)(
	'of panels that are there from the beginning on, the one that is shown is read: $how, without $without',
	async ({ how, without, path }) => {
		const { rows } = await cloudClient(service).run(uuidOf(path));
		const said = names.map((name) => (name === without ? [] : [`about ${name}`, 'more']));
		expect(rows.map(({ Text }) => Text)).toEqual(said.map(([first = '']) => first));
		// What is out of sight otherwise may be there to be moved into it, as in a carousel.
		if (how !== 'none' && how !== 'hidden') return;
		expect(rows.map(({ All }) => All)).toEqual(said.map((each) => each.join('\n')));
	},
);

concurrentTestWithBrowser('entries that are still to come into sight are read', async () => {
	expect(await textsOf('coming')).toEqual(numbers);
});

concurrentTestWithBrowser.each(unseenMenus)(
	'of two fields and pagers, those that are seen are used, not those of a menu that is not: %s',
	async (how) => {
		expect(await textsOf(`twice, ${how}`)).toEqual(['word 0', 'word 1', 'word 2', 'word 3']);
	},
);
