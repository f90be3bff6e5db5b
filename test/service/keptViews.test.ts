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
/** A pager for each width, of which the first is not shown. */
const twoPagers = `<style>.narrow { display: none }</style><p>0</p>
	<nav class="narrow"><button class="next">Next</button></nav><nav><button class="next">Next</button></nav><script>
	const [all, shown] = [document.querySelectorAll('.next'), document.querySelector('p')];
	for (const next of all)
		next.onclick = () => {
			shown.textContent = Number(shown.textContent) + 1;
			for (const each of all) each.disabled = shown.textContent === '9';
		};
</script>`;
/** Each click opens a panel of its own beside the list, and hides those before. */
const keptPanels = `<ul>${names.map((name) => `<li>${name}</li>`).join('')}</ul><script>
	const panels = [];
	for (const entry of document.querySelectorAll('li')) entry.onclick = () => {
		for (const panel of panels) panel.hidden = true;
		const panel = document.createElement('section');
		panel.innerHTML = '<p>about ' + entry.textContent + '</p>';
		panels.push(panel);
		document.body.append(panel);
	};
</script>`;

/** Entries that come into sight when they are scrolled to. */
const coming = `<style>li { height: 200px; visibility: hidden } li.seen { visibility: visible }</style>
	<ul>${Array.from({ length: 10 }, (_, number) => `<li>${number}</li>`).join('')}</ul><script>
	const watch = new IntersectionObserver((all) => {
		for (const { target, isIntersecting } of all) if (isIntersecting) target.className = 'seen';
	});
	for (const each of document.querySelectorAll('li')) watch.observe(each);
</script>`;
const style = '<style>.off { display: none }</style>';
const pagers = Object.entries(hiding).flatMap(([how, hides]) =>
	Object.entries(inPages(hides)).map(([where, html]): [string, string, string] => [
		where,
		how,
		style + html,
	]),
);

const numbers = Array.from({ length: 10 }, (_, number) => String(number));
const pages: Record<string, string> = { twoPagers, keptPanels, coming };

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
		const eachText = loop({ loopType: 'page', selector: '.next', timesMode: 'all' }, [
			extract({ Text: 'p' }),
		]);
		const ofKept = task(
			'kept panels',
			[
				open('keptPanels'),
				loop({ loopType: 'list', listType: 'elements', selector: 'li' }, [
					extract({ Name: {} }, undefined, { emit: false }),
					step('click', { useLoopItem: true }),
					extract({ Text: ':root section p' }),
				]),
			],
			options,
		);
		const scrolled = loop({ loopType: 'scroll', timesMode: 'all' }, [rows]);
		const ofComing = task('coming', [open('coming'), scrolled], options);
		const ofTwo = task('two pagers', [open('twoPagers'), eachText], options);
		const ofPagers = pagers.map(([where, how], number) =>
			task(`${where}, ${how}`, [open(`pager/${number}`), eachPage], options),
		);
		const tasks = [...ofPagers, ofTwo, ofKept, ofComing];
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

concurrentTestWithBrowser(
	'of panels that are kept, a column beside the list reads the last',
	async () => {
		expect(await textsOf('kept panels')).toEqual(names.map((name) => `about ${name}`));
	},
);

concurrentTestWithBrowser('entries that are still to come into sight are read', async () => {
	expect(await textsOf('coming')).toEqual(numbers);
});

concurrentTestWithBrowser('of two pagers, the one that is seen leads on', async () => {
	expect(await textsOf('two pagers')).toEqual(numbers);
});
