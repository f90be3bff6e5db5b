import { useSiteAndService } from '../support/inProcess/siteAndService';
import { cloudClient } from '../support/service/cloudClient';
import { extract, step, task, uuidOf } from '../support/service/taskFiles';

// Cloudflare writes e-mail addresses into pages so that only its script shows them.

const hidden = (email: string, key: number) =>
	Buffer.from([key, ...Buffer.from(email).map((byte) => byte ^ key)]).toString('hex');

const path = '/cdn-cgi/l/email-protection';
const inText = (hex: string) =>
	`<a href="${path}" class="__cf_email__" data-cfemail="${hex}">[email&#160;protected]</a>`;
const asLink = (hex: string) =>
	`<a href="${path}#${hex}" class="__cf_email__" data-cfemail="${hex}">[email&#160;protected]</a>`;
const inLink = (hex: string) =>
	`<a href="http://shop.example${path}#${hex}"><b>Mail</b> <span class="__cf_email__" data-cfemail="${hex}">[email&#160;protected]</span></a>`;

const entries = [
	asLink(hidden('ann@shop.example', 0x2f)),
	inLink(hidden('jürgen@shop.example', 0xa1).toUpperCase()),
	`Write to ${inText(hidden('bob@shop.example', 0))}!`,
	`<a href="${path}#${hidden('eve@shop.example?subject=Hi', 7)}">Write</a>`,
	asLink('no address'),
];

const { site, service } = useSiteAndService(
	() => `<ul>${entries.map((each) => `<li>${each}</li>`).join('')}</ul>`,
	() => {
		const columns = { Text: {}, Link: { selector: 'a', attribute: 'href' } };
		const reading = task('emails', [
			step('navigate', { url: site.baseUrl }),
			extract(columns, 'li'),
		]);
		return { tasks: { [reading.taskID]: reading } };
	},
);

test('e-mail addresses that Cloudflare hides are read as its script shows them', async () => {
	const { rows } = await cloudClient(service).run(uuidOf('emails'));
	expect(rows).toEqual([
		{ Text: 'ann@shop.example', Link: 'mailto:ann@shop.example' },
		{ Text: 'Mail jürgen@shop.example', Link: 'mailto:j%C3%BCrgen@shop.example' },
		{ Text: 'Write to bob@shop.example!', Link: `${site.baseUrl}${path}` },
		{ Text: 'Write', Link: 'mailto:eve@shop.example?subject=Hi' },
		{ Text: '[email protected]', Link: `${site.baseUrl}${path}#no%20address` },
	]);
});
