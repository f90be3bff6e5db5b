import { useSiteAndService } from '../support/inProcess/siteAndService';
import { concurrentTestWithBrowser } from '../support/service/browser';
import { cloudClient } from '../support/service/cloudClient';
import { extract, loop, step, task, uuidOf } from '../support/service/taskFiles';

// Lists that are scrolled through, whose rows are filled in, or change, as they come into sight.

const count = 24;
const numbers = Array.from({ length: count }, (_, index) => index + 1);

/** Adds eight rows at a time; `onSight` is run for the row that comes into sight, as `row`, with its `number`. */
const feed = ({ cell = '', onSight = '', onMore = '' }) => `<main></main><script>
	const list = document.querySelector('main');
	let [length, isBusy] = [0, false];
	const seen = new IntersectionObserver((entries) => entries.forEach(async ({ isIntersecting, target: row }) => {
		if (!isIntersecting) return;
		seen.unobserve(row);
		const number = row.dataset.number;
		${onSight}
	}));
	async function more() {
		if (isBusy || length === ${count}) return;
		isBusy = true;
		await new Promise((resolve) => setTimeout(resolve, 100));
		for (let number = length + 1; number <= length + 8; number += 1) {
			list.insertAdjacentHTML('beforeend', '<div class="row" style="height: 110px" data-number="' + number + '"><b>row ' + number + '</b>${cell}</div>');
			seen.observe(list.lastElementChild);
		}
		length += 8;
		${onMore}
		isBusy = false;
	}
	onscroll = () => innerHeight + scrollY > document.body.scrollHeight - 400 && more();
	more();
</script>`;
const price = `row.querySelector('i').textContent = await (await fetch('price?' + number)).text();`;
const still = `<script>
	const seen = new IntersectionObserver((entries) => entries.forEach(async ({ isIntersecting, target: row }) => {
		if (!isIntersecting) return;
		seen.unobserve(row);
		const number = row.dataset.number;
		${price}
	}));
	document.querySelectorAll('.row').forEach((row) => seen.observe(row));
</script>`;
const stillRows = numbers
	.map(
		(number) =>
			`<div class="row" style="height: 110px" data-number="${number}"><b>row ${number}</b><i></i></div>`,
	)
	.join('');

/** Rows in chunks, of which three are there at a time; farther on, other ones. */
const chunks = `<div id="box" style="height: 300px; overflow: auto"><div id="all"></div></div><script>
	let now = -1;
	const draw = () => {
		const chunk = Math.floor(box.scrollTop / 800);
		if (chunk === now) return;
		now = chunk;
		const [first, end] = [chunk * 20, Math.min(200, chunk * 20 + 60)];
		const rows = Array.from({ length: end - first }, (_, index) => '<div class="row" style="height: 40px"><b>row ' + (first + index + 1) + '</b></div>');
		all.innerHTML = '<div style="height: ' + first * 40 + 'px"></div>' + rows.join('') + '<div style="height: ' + (200 - end) * 40 + 'px"></div>';
	};
	box.onscroll = draw;
	draw();
</script>`;
/** Shows others in the place of those before, once it has been scrolled to its end. */
const pages = `<main></main><script>
	let [page, isBusy] = [0, false];
	const draw = () => (document.querySelector('main').innerHTML = Array.from({ length: 20 }, (_, index) => '<div class="row" style="height: 110px"><b>row ' + (page * 20 + index + 1) + '</b></div>').join(''));
	onscroll = () => {
		if (isBusy || page === 2 || innerHeight + scrollY < document.body.scrollHeight - 5) return;
		isBusy = true;
		setTimeout(() => { page += 1; draw(); scrollTo(0, 0); isBusy = false; }, 100);
	};
	draw();
</script>`;

interface Case {
	page: string;
	columns: Parameters<typeof extract>[0];
	selector?: string;
	times?: number;
	rows: Record<string, string>[];
}

const named = (length: number) =>
	Array.from({ length }, (_, index) => ({ Name: `row ${index + 1}` }));
const priced = numbers.map((number) => ({ Name: `row ${number}`, Price: `€ ${number}` }));
const Name = 'b';

const cases: Record<string, Case> = {
	'a price that comes as its row comes into sight': {
		page: feed({ cell: '<i></i>', onSight: price }),
		columns: { Name, Price: 'i' },
		rows: priced,
	},
	'an attribute in the place of another one': {
		page: feed({
			cell: '<i title="to come"></i>',
			onSight: `row.querySelector('i').title = 'price of ' + number;`,
		}),
		columns: { Name, Price: { selector: 'i', attribute: 'title' } },
		rows: numbers.map((number) => ({ Name: `row ${number}`, Price: `price of ${number}` })),
	},
	'an attribute in rows that get higher with it': {
		page: feed({
			cell: '<i title="to come"></i>',
			onSight: `row.querySelector('i').title = 'price of ' + number; row.style.height = '180px';`,
		}),
		columns: { Name, Price: { selector: 'i', attribute: 'title' } },
		rows: numbers.map((number) => ({ Name: `row ${number}`, Price: `price of ${number}` })),
	},
	'several columns in rows that get higher with them': {
		page: feed({
			cell: '<i>Loading…</i><u>--</u><s>Loading…</s>',
			onSight: `for (const each of 'ius') row.querySelector(each).innerHTML = each + ' of ' + number; row.style.height = '180px';`,
		}),
		columns: { Name, Price: 'i', Stock: 'u', Delivery: 's' },
		rows: numbers.map((number) => ({
			Name: `row ${number}`,
			Price: `i of ${number}`,
			Stock: `u of ${number}`,
			Delivery: `s of ${number}`,
		})),
	},
	'a price in rows that are all there, in the window': {
		page: stillRows + still,
		columns: { Name, Price: 'i' },
		rows: priced,
	},
	'a price in rows that are all there, in an element': {
		page: `<div id="box" style="height: 300px; overflow: auto">${stillRows}</div>${still}`,
		columns: { Name, Price: 'i' },
		selector: '#box',
		rows: priced,
	},
	'the address, which says how far the list has come': {
		page: feed({
			cell: '<i></i>',
			onSight: price,
			onMore: `history.replaceState(0, '', '?rows=' + length);`,
		}),
		columns: { Name, Price: 'i', Address: { source: 'pageUrl' } },
		rows: priced,
	},
	'how many rows there are, in each': {
		page: feed({
			cell: '<u></u>',
			onMore: `document.querySelectorAll('u').forEach((each, index) => (each.textContent = index + 1 + ' of ' + length));`,
		}),
		columns: { Name, Number: 'u' },
		rows: named(count),
	},
	'nothing, in rows out of sight that others take the place of': {
		page: chunks,
		columns: { Name },
		selector: '#box',
		rows: named(200),
	},
	'all that they say': {
		page: `<div id="box" style="height: 300px; overflow: auto">${stillRows.replaceAll(/<b>.*?<\/b><i><\/i>/g, '')}</div>${still.replace(price, "row.innerHTML = '<b>row ' + number + '</b>';")}`,
		columns: { Name },
		selector: '#box',
		rows: named(count),
	},
	'nothing, in a list that shows page after page': {
		page: pages,
		columns: { Name },
		rows: named(60),
	},
	'nothing, where it is not scrolled at all': {
		page: stillRows,
		columns: { Name },
		times: 1,
		rows: named(count),
	},
};

const { site, service } = useSiteAndService(
	({ url: { pathname, search } }) => {
		const [, name = '', file] = decodeURIComponent(pathname).split('/');
		if (file === 'price') return `€ ${search.slice(1)}`;
		return file ? { status: 404 } : `<!doctype html>${cases[name]?.page}`;
	},
	() => ({
		tasks: Object.fromEntries(
			Object.entries(cases).map(([name, { columns, selector, times }]) => {
				const how = times === undefined ? { timesMode: 'all' } : { timesMode: 'custom', times };
				const steps = [
					step('navigate', { url: `${site.baseUrl}/${encodeURIComponent(name)}/` }),
					loop({ loopType: 'scroll', ...how, ...(selector && { selector }) }, [
						extract(columns, '.row'),
					]),
				];
				const made = task(name, steps, { page: 'browser', requestsPerHost: 4 });
				return [made.taskID, made];
			}),
		),
		env: { SERVICE_AGENTS: '4' },
	}),
);

concurrentTestWithBrowser.each(Object.keys(cases))(
	'each row is stored once, and as it is when it has come into sight: %s',
	async (name) => {
		const { batch, rows } = await cloudClient(service).run(uuidOf(name));
		await service.logged({ batchID: batch.batchID, msg: 'batch successful', failedPages: 0 });
		expect(rows.map((row) => row.Name)).toEqual(cases[name]?.rows.map((row) => row.Name));
		expect(rows).toMatchObject(cases[name]?.rows ?? []);
	},
);
