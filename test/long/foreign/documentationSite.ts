import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { startSite, type Site, type SiteAnswer } from '../../support/service/startSite';

/** Where Debian's packages put their pages, and the styles and scripts that the pages share. */
const served = /^\/usr\/share\/[^\0]*$/;

/** No charset: the pages say it themselves, as they do on most servers. */
const contentTypes: Record<string, string> = {
	'.html': 'text/html',
	'.css': 'text/css',
	'.js': 'text/javascript',
	'.svg': 'image/svg+xml',
	'.png': 'image/png',
	'.gif': 'image/gif',
};

/** What the browser may load of a page: nothing from other servers, so that each run sees the same. */
const policies = {
	/** The page as it is. */
	whole: `default-src 'self' 'unsafe-inline' 'unsafe-eval' data: blob:`,
	/** Neither scripts nor style sheets: all that a program can know that has only the HTML. */
	bare: `default-src 'self' data:; script-src 'none'; style-src-elem 'none'; style-src-attr 'unsafe-inline'`,
};

export type Dress = keyof typeof policies;

/** Serves the installed documentation on loopback; the path of a page is that of its file. */
export function startDocumentationSite(dress: Dress): Promise<Site> {
	return startSite(async ({ url }): Promise<SiteAnswer> => {
		const file = decodeURIComponent(url.pathname);
		if (!served.test(file) || file.includes('/../')) return { status: 404 };
		try {
			const headers = {
				'content-type': contentTypes[extname(file)] ?? 'application/octet-stream',
				'content-security-policy': policies[dress],
			};
			return { headers, body: await readFile(file) };
		} catch {
			return { status: 404 };
		}
	});
}

/** The address of a page there. */
export function addressOf(site: Site, file: string): string {
	return site.baseUrl + file.split('/').map(encodeURIComponent).join('/');
}
