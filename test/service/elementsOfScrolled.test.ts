import { useSiteAndService } from '../support/inProcess/siteAndService';
import { concurrentTestWithBrowser } from '../support/service/browser';
import { cloudClient } from '../support/service/cloudClient';
import { extract, loop, step, task, uuidOf } from '../support/service/taskFiles';

// Loops over the elements of a list that is scrolled through: of one that holds only a part of its rows, they go over these
// by their numbers.

const lists: Record<string, { script: string; holdsAPart: boolean }> = {
	'keeps its rows': {
		script: `let last = 0;
			const draw = () => {
				for (let more = 0; more < 10 && last < 40; more += 1)
					list.insertAdjacentHTML('beforeend', '<p>row ' + (last += 1) + '</p>');
			};
			onscroll = () => scrollY + innerHeight > document.body.scrollHeight - 100 && draw();`,
		holdsAPart: false,
	},
	'holds only a part of them': {
		script: `list.style.height = '4000px';
			const draw = () => {
				const first = Math.floor(scrollY / 100);
				list.innerHTML = '';
				for (let row = first; row < Math.min(first + 10, 40); row += 1)
					list.insertAdjacentHTML('beforeend',
						'<p style="position: absolute; top: ' + row * 100 + 'px">row ' + (row + 1) + '</p>');
			};
			onscroll = draw;`,
		holdsAPart: true,
	},
};

const { site, service } = useSiteAndService(
	({ url: { pathname } }) => `<!doctype html><style>p { margin: 0; height: 100px }</style>
		<body style="margin: 0"><div id="list" style="position: relative"></div><script>
		${lists[decodeURIComponent(pathname.slice(1))]?.script ?? ''}
		draw();
	</script></body>`,
	() => ({
		tasks: Object.fromEntries(
			Object.keys(lists).map((name) => {
				const each = loop({ loopType: 'list', listType: 'elements', selector: 'p' }, [
					extract({ Text: {} }),
				]);
				const made = task(
					name,
					[
						step('navigate', { url: `${site.baseUrl}/${encodeURIComponent(name)}` }),
						loop({ loopType: 'scroll', timesMode: 'all' }, [each]),
					],
					{ page: 'browser' },
				);
				return [made.taskID, made];
			}),
		),
	}),
);

concurrentTestWithBrowser.each(Object.entries(lists))(
	'a list that %s',
	async (name, { holdsAPart }) => {
		const { batch, rows } = await cloudClient(service).run(uuidOf(name));
		const { batchID } = batch;
		await service.logged({ batchID, msg: 'batch successful', failedPages: 0 });
		const warnings = service.log.filter((line) => line.batchID === batchID && line.level === 40);
		expect(warnings.map(({ msg }) => msg)).toEqual(holdsAPart ? ['list holds a part'] : []);
		const wanted = Array.from({ length: 40 }, (_, index) => `row ${index + 1}`);
		const read = rows.map(({ Text }) => Text);
		expect(holdsAPart ? [...new Set(read)] : read).toEqual(wanted);
	},
);
