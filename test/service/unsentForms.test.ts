import { concurrentTestWithBrowser } from '../support/service/browser';
import { cloudClient } from '../support/service/cloudClient';
import { useSiteAndService } from '../support/inProcess/siteAndService';
import { extract, step, task, uuidOf } from '../support/service/taskFiles';

// Forms that Enter does not send, as the HTML Standard has it: only scripts may make something of it there.

const [all, found] = ['<li>lamp</li><li>mug</li>', '<li>mug</li>'];
const unsent: Record<string, { fields: string; lack: string }> = {
	'a disabled button': {
		fields: '<input name="q"><button disabled>Find</button>',
		lack: 'the button of its form is disabled',
	},
	'a disabled picture': {
		fields: '<input name="q"><input type="image" alt="Find" disabled><button>Other</button>',
		lack: 'the button of its form is disabled',
	},
	'no button, and two fields': {
		fields: '<input name="q"><input type="number">',
		lack: 'its form has no button and more than one field',
	},
};
const sent: Record<string, string> = {
	'no button, and a field alone': '<input name="q"><input type="checkbox">',
	'no button, and a date': '<input name="q"><input type="date">',
	'a button': '<input name="q"><input type="date"><button>Find</button>',
	'a button elsewhere': '<input name="q"><input type="date"></form><button form="f">Find</button>',
};
const scripts: Record<string, string> = {
	shows: `document.querySelector('ul').innerHTML = '${found}'`,
	asks: 'fetch("/found")',
};
const byKey = (work: string) =>
	`<input name="q"><input type="number"><script>
		document.querySelector('input').onkeyup = ({ key }) => { if (key === 'Enter') ${work}; };
	</script>`;
const fieldsOf: Record<string, string> = {
	...Object.fromEntries(Object.entries(unsent).map(([name, { fields }]) => [name, fields])),
	...sent,
	...Object.fromEntries(Object.entries(scripts).map(([name, work]) => [name, byKey(work)])),
};

const pages = new Map(
	Object.entries(fieldsOf).map(([name, fields]) => [`/${uuidOf(name)}`, fields]),
);
const { site, service } = useSiteAndService(
	({ url: { pathname, searchParams } }) => {
		const fields = pages.get(pathname);
		if (fields === undefined) return pathname === '/found' ? found : { status: 404 };
		return `<body><form id="f">${fields}</form><ul>${searchParams.get('q') ? found : all}</ul>`;
	},
	() => {
		const tasks = Object.keys(fieldsOf).map((name) =>
			task(
				name,
				[
					step('navigate', { url: `${site.baseUrl}/${uuidOf(name)}` }),
					step('inputText', { selector: '[name=q]', text: 'mug', submit: true }),
					extract({ Text: {} }, 'li'),
				],
				{ page: 'browser', requestsPerHost: 8 },
			),
		);
		return {
			tasks: Object.fromEntries(tasks.map((each) => [each.taskID, each])),
			env: { SERVICE_AGENTS: '8' },
		};
	},
);

async function run(name: string) {
	const { batch, rows } = await cloudClient(service).run(uuidOf(name));
	const { batchID } = batch;
	await service.logged({ batchID, msg: 'batch successful', failedPages: 0 });
	const warnings = service.log.filter(
		(line) => line.batchID === batchID && line.msg === 'step not answered',
	);
	return { texts: rows.map(({ Text }) => Text), reasons: warnings.map(({ reason }) => reason) };
}

concurrentTestWithBrowser.each(Object.entries(unsent))(
	'Enter with %s sends nothing, and the log warns',
	async (name, { lack }) => {
		const reason = `Enter in [name=q] has sent nothing, and nothing has changed on the page: ${lack}`;
		expect(await run(name)).toEqual({ texts: ['lamp', 'mug'], reasons: [reason] });
	},
);

concurrentTestWithBrowser.each(Object.keys(sent))('Enter with %s sends the form', async (name) => {
	expect(await run(name)).toEqual({ texts: ['mug'], reasons: [] });
});

concurrentTestWithBrowser.each([
	['shows', ['mug']],
	['asks', ['lamp', 'mug']],
])('nor is anything said where a script %s something on Enter', async (name, texts) => {
	expect(await run(name)).toEqual({ texts, reasons: [] });
});
