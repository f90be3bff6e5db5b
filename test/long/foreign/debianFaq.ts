import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { startSite, type Site } from '../../support/service/startSite';

/** Where Debian's package debian-faq puts the HTML pages of the Debian GNU/Linux FAQ. */
const folder = '/usr/share/doc/debian/FAQ';

/** The taskIDs of the two tasks that scrape it. */
export const faqTasks = {
	/** One row an entry of the table of contents: Title, Address. */
	contents: 'deb1a000-0000-4000-8000-000000000001',
	/** One row a section of the 16 chapters: Title, Anchor, First paragraph. */
	sections: 'deb1a000-0000-4000-8000-000000000002',
};

export interface DebianFaq {
	/** The FAQ on loopback, as its package installed it. */
	site: Site;
	/** The two task files for this address: hand them to `startService({ tasks })`. */
	tasks: Record<string, string>;
}

/** Serves the pages of the installed package and makes the tasks for them. */
export async function startDebianFaq(): Promise<DebianFaq> {
	const site = await startSite(({ url }) => {
		const name = basename(url.pathname);
		return name.endsWith('.html') && existsSync(join(folder, name))
			? faqPage(name)
			: { status: 404 };
	});
	const task = async (name: string) => {
		const text = await readFile(join(__dirname, `${name}.task.json`), 'utf8');
		return text.replaceAll('{docs}', site.baseUrl);
	};
	const [contents, sections] = [await task('faqContents'), await task('faqSections')];
	return { site, tasks: { contents, sections } };
}

/** The HTML of a page of the FAQ. */
export function faqPage(name: string): Promise<string> {
	return readFile(join(folder, name), 'utf8');
}
