import { setTimeout as sleep } from 'node:timers/promises';
import { sample } from '../support/length';
import { concurrentTestWithBrowser } from '../support/service/browser';
import { cloudClient } from '../support/service/cloudClient';
import { useSiteAndService } from '../support/inProcess/siteAndService';
import { extract, loop, step, task, uuidOf } from '../support/service/taskFiles';

// Lists that scripts begin only when their page has come to rest, and then make piece by piece.

const whole = [1, 2, 3, 4].map((number) => ({ Name: `row ${number}`, Price: `${number}.50` }));

/** What is done after a while: `add` a row, `ask` the site, which takes some time. */
const pieces: Record<string, string> = {
	'one row after the other is asked for': 'for (const n of all) add(n, await ask(n))',
	'a price is asked for when its row is there': `await ask(1);
		for (const n of all) { const price = add(n, '…'); ask(n).then((text) => (price.textContent = text)); }`,
	'other rows take the place of the first ones': `for (const n of all) add(n, '0.99');
		const texts = await Promise.all(all.map(ask));
		list.innerHTML = '';
		for (const n of all) add(n, texts[n - 1]);`,
	'a timer makes one row after the other': `for (const n of all) { add(n, n + '.50'); await after(120); }`,
	'a frame makes one row after the other': `for (const n of all) {
		add(n, n + '.50');
		for (let frames = 0; frames < 6; frames += 1) await new Promise(requestAnimationFrame);
	}`,
	'a timer fills in what they say': `const prices = all.map((n) => add(n, '…'));
		await after(120);
		for (const n of all) prices[n - 1].textContent = n + '.50';`,
	'their site takes longer than elements are waited for': `const text = await (await fetch('/slow')).text();
		for (const n of all) add(n, n + '.50');`,
};

const pageOf = (name: string) => `<ul id="list"></ul><script>
	const all = [1, 2, 3, 4];
	const after = (time) => new Promise((resolve) => setTimeout(resolve, time));
	const ask = async (n) => (await fetch('/price?' + n)).text();
	const add = (n, price) => {
		list.insertAdjacentHTML('beforeend', '<li><b>row ' + n + '</b><i>' + price + '</i></li>');
		return list.lastElementChild.querySelector('i');
	};
	setTimeout(async () => { ${pieces[name]} }, 500);
</script>`;

/** What takes longer than a page is waited for to come to rest. */
const slowPages: Record<string, string> = {
	'/skeletons': `<ul>${'<li><b></b><i> </i></li>'.repeat(3)}</ul><script>
		setTimeout(() => {
			document.querySelector('ul').innerHTML = ${JSON.stringify(
				whole
					.map(({ Name: name, Price: price }) => `<li><b>${name}</b><i>${price}</i></li>`)
					.join(''),
			)};
		}, 1_200);
	</script>`,
	'/follows': `<ul></ul><script>
		const list = document.querySelector('ul');
		(async () => {
			list.innerHTML = await (await fetch('/data?rows')).text();
			const prices = (await (await fetch('/data?prices')).text()).split(' ');
			for (const [at, price] of [...list.querySelectorAll('i')].entries()) price.textContent = prices[at];
		})();
	</script>`,
	'/ahead': `<link rel="preload" as="fetch" crossorigin="anonymous" href="/data?prices">
		<ul>${whole.map(({ Name: name }) => `<li><b>${name}</b><i>…</i></li>`).join('')}</ul><script type="module">
		const prices = (await (await fetch('/data?prices')).text()).split(' ');
		for (const [at, price] of document.querySelectorAll('i').entries()) price.textContent = prices[at];
	</script>`,
};

/** Rows of another list are shown until its own data has come. */
const replaced = `<ul></ul><script>
	const list = document.querySelector('ul');
	const show = (prices) => {
		list.innerHTML = prices.map((price, at) => '<li><b>row ' + (at + 1) + '</b><i>' + price + '</i></li>').join('');
	};
	setTimeout(async () => {
		show([9, 9, 9, 9]);
		show((await (await fetch('/data?prices')).text()).split(' '));
	}, 500);
</script>`;

const names = new Map(Object.keys(pieces).map((name) => [`/${uuidOf(name)}`, name]));
const read = extract({ Name: 'b', Price: 'i' }, 'li');

/** How such a page is come to. */
const ways: Record<string, (url: string) => object[]> = {
	'is opened': (url) => [step('navigate', { url }), read],
	'is opened, and its first row waited for': (url) => [
		step('navigate', { url }),
		step('wait', { selector: 'li' }),
		read,
	],
	'is opened, and given some time': (url) => [
		step('navigate', { url }),
		step('wait', { milliseconds: 350 }),
		read,
	],
	'is one of several': (url) => [
		loop({ loopType: 'list', listType: 'urlList', urls: [url, `${url}?again`] }, [
			step('navigate', { useLoopItem: true }),
			read,
		]),
	],
};

const variants = Object.keys(pieces).flatMap((name) =>
	Object.keys(ways).map((way): [string, string] => [way, name]),
);

const { site, service } = useSiteAndService(
	async ({ url: { pathname, search } }) => {
		if (pathname === '/slow') await sleep(6_500);
		if (pathname === '/data') await sleep(3_500);
		if (search === '?rows')
			return whole.map(({ Name: name }) => `<li><b>${name}</b><i>…</i></li>`).join('');
		if (search === '?prices') return whole.map(({ Price: price }) => price).join(' ');
		if (pathname === '/price') {
			await sleep(400);
			return `${search.slice(1)}.50`;
		}
		if (pathname === '/replaced') return replaced;
		const name = names.get(pathname);
		return name === undefined ? (slowPages[pathname] ?? '') : pageOf(name);
	},
	() => {
		const tasks = variants.map(([way, name]) => {
			const steps = ways[way]?.(`${site.baseUrl}/${uuidOf(name)}`) ?? [];
			return task(way + name, steps, { page: 'browser', requestsPerHost: 8 });
		});
		for (const path of Object.keys(slowPages)) {
			const steps = [step('navigate', { url: site.baseUrl + path }), read];
			tasks.push(task(path, steps, { page: 'browser' }));
		}
		const url = `${site.baseUrl}/replaced`;
		const steps = [step('navigate', { url }), step('wait', { milliseconds: 1_500 }), read];
		tasks.push(task('/replaced', steps, { page: 'browser' }));
		return {
			tasks: Object.fromEntries(tasks.map((each) => [each.taskID, each])),
			env: { SERVICE_AGENTS: '4' },
		};
	},
);

concurrentTestWithBrowser.each(sample(variants))(
	'a page that %s is read whole where %s',
	async (way, name) => {
		const { rows } = await cloudClient(service).run(uuidOf(way + name));
		expect(rows).toEqual(way === 'is one of several' ? [...whole, ...whole] : whole);
	},
);

concurrentTestWithBrowser.each(Object.keys(slowPages))(
	'what takes long is waited for: %s',
	async (path) => {
		const { rows } = await cloudClient(service).run(uuidOf(path));
		expect(rows).toEqual(whole);
	},
);

concurrentTestWithBrowser(
	'a page that has changed, and asks for data, is read once it has come',
	async () => {
		const { rows } = await cloudClient(service).run(uuidOf('/replaced'));
		expect(rows).toEqual(whole);
	},
);
