import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { plainText } from '../../support/service/plainText';
import { pointByRequests } from '../../support/service/pointByRequests';
import { useSiteAndService } from '../../support/inProcess/siteAndService';

// Pictures that are pointed at: wherever a page keeps their addresses, these are read.

/** Pictures that a script loads late, and what keeps their addresses; entries differ in them. */
const pictures = ['Lamp', 'Teapot', 'Chair'].map((name) => {
	const blank = 'data:image/gif;base64,R0lGODlhAQABAAAAACw=';
	const size = 'width="30" height="30"';
	return `<li class="entry"><h3>${name}</h3>
		<img class="a" ${size} src="${blank}" data-src="/${name}-a.png">
		<img class="b" ${size} data-original="${name}-b.png">
		<img class="c" ${size} src="/blank.png" data-lazy-src="//other.test/${name}-c.png">
		<img class="d" ${size} src="${blank}" data-srcset="/${name}-d.png, /${name}-d2.png 2x">
		<img class="e" ${size} src="/${name}-e.png" srcset="/${name}-e2.png 2x">
		<img class="f" ${size} ${name === 'Lamp' ? '' : 'data-'}src="/${name}-f.png">
		<img class="g" ${size} ${name === 'Lamp' ? '' : `src="/${name}-g.png"`}></li>`;
});

const { site, service } = useSiteAndService(
	() => `<title>Late</title><ul>${pictures.join('')}</ul>`,
);

test('of a picture that is loaded late, the address is read that is meant', async () => {
	const { pointAt, panel, saveAndRun } = await pointByRequests(service, '/console/new', {
		url: `${site.baseUrl}/pictures`,
	});
	await pointAt('Lamp');
	expect(await pointAt('Teapot')).toContain('3 entries');
	for (const name of ['a', 'b', 'c', 'd', 'e', 'f', 'g']) {
		await pointAt(new RegExp(`^<img class="${name}"`));
	}
	expect(plainText(panel()).match(/in \d of 3/g)).toEqual([
		...Array.from({ length: 7 }, () => 'in 3 of 3'),
		'in 2 of 3',
	]);
	const rows = await saveAndRun();
	expect(rows.map((row) => row.slice(1))).toEqual(
		['Lamp', 'Teapot', 'Chair'].map((name) => [
			`${site.baseUrl}/${name}-a.png`,
			`${site.baseUrl}/${name}-b.png`,
			`http://other.test/${name}-c.png`,
			`${site.baseUrl}/${name}-d.png`,
			`${site.baseUrl}/${name}-e.png`,
			`${site.baseUrl}/${name}-f.png`,
			name === 'Lamp' ? '' : `${site.baseUrl}/${name}-g.png`,
		]),
	);
	const file = await readFile(join(service.folder, 'tasks', 'late.json'), 'utf8');
	const { taskID } = JSON.parse(file) as { taskID: string };
	const changed = (await pointByRequests(service, `/console/tasks/${taskID}/point`)).panel();
	expect(changed).toContain('3 entries');
	expect(changed.slice(changed.lastIndexOf('What to read for'))).toMatch(/value="src" selected/);
});

test('a task that names the attribute of a picture keeps it when it is changed by pointing', async () => {
	const file = join(service.folder, 'tasks', 'named.json');
	const id = (digit: number) => `${digit}`.repeat(8) + '-1111-4111-8111-111111111111';
	const fields = [{ id: id(1), name: 'Picture', selector: 'img.f', attribute: 'data-src' }];
	const task = {
		taskID: id(2),
		name: 'Named',
		page: 'http',
		steps: [
			{ id: id(3), type: 'navigate', config: { url: `${site.baseUrl}/pictures` } },
			{ id: id(4), type: 'extractData', config: { selector: '.entry', fields } },
		],
	};
	await writeFile(file, JSON.stringify(task));
	await service.logged({ msg: 'task file loaded', taskID: id(2) });
	const { panel, save } = await pointByRequests(service, `/console/tasks/${id(2)}/point`);
	expect(plainText(panel())).toContain('in 2 of 3');
	await save();
	expect(JSON.parse(await readFile(file, 'utf8'))).toEqual(task);
});
