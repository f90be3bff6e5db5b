import { cloudClient } from '../service/cloudClient';
import { step, task, uuidOf } from '../service/taskFiles';
import { useSiteAndService } from './siteAndService';
import type { RunningService } from './startService';

/** Steps on a page, by a browser, and the rows that they are to give, the values of each joined by ": ". */
export interface PageCase {
	page: string;
	steps: object[];
	rows: string[];
	/** Those of the warnings. */
	reasons?: string[];
}

/**
 * Gives each of these cases a page and a task to the tests of a file, and what reads one. `serve`: what stands at other
 * addresses.
 */
export function usePageCases(
	cases: Record<string, PageCase>,
	serve: (url: URL) => string | undefined = () => undefined,
): { read: (name: string) => Promise<Pick<PageCase, 'rows' | 'reasons'>> } {
	const { site, service } = useSiteAndService(
		({ url }) =>
			serve(url) ?? cases[decodeURIComponent(url.pathname.slice(1))]?.page ?? { status: 404 },
		() => ({
			tasks: Object.fromEntries(
				Object.entries(cases).map(([name, { steps }]) => {
					const open = step('navigate', { url: `${site.baseUrl}/${encodeURIComponent(name)}` });
					const options = { page: 'browser', requestsPerHost: 8 };
					return [uuidOf(name), task(name, [open, ...steps], options)];
				}),
			),
			env: { SERVICE_AGENTS: '4' },
		}),
	);
	return {
		async read(name) {
			const { rows, warnings } = await wholeBatch(service, name);
			return {
				rows: rows.map((row) => Object.values(row).join(': ')),
				reasons: warnings.map(({ reason }) => String(reason)),
			};
		},
	};
}

/** Runs the task of a name, which loses no page: its rows, and its warnings. */
export async function wholeBatch(service: RunningService, name: string) {
	const { batch, rows } = await cloudClient(service).run(uuidOf(name));
	const { batchID } = batch;
	await service.logged({ batchID, msg: 'batch successful', failedPages: 0 });
	const warnings = service.log.filter((line) => line.batchID === batchID && line.level === 40);
	return { rows, warnings };
}
