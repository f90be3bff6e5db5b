import { z } from 'zod';
import { isProxyUrl } from '../pages/proxy.ts';
import { isHeaderName, isHeaderValue } from './values.ts';

const otherHeader =
	'must be left out: it is no name of a header, or that of one that comes from elsewhere (userAgent, proxy, the request itself)';

/** How the pages of a task are asked for. */
export const pageSettings = {
	page: z
		.enum(['http', 'browser'])
		.describe(
			'What pages are read with: "http" fetches HTML without running its scripts, and is fast; "browser" is Chromium or Chrome, for pages that are made by scripts.',
		),
	delay: z
		.int()
		.min(0)
		.max(60_000)
		.optional()
		.describe(
			'Milliseconds that an agent waits before it asks for a page: 0 to 60,000; 0 unless set.',
		),
	requestsPerHost: z
		.int()
		.min(1)
		.max(100)
		.optional()
		.describe(
			'Pages that all agents of the task ask one host for at once: 1 to 100; 2 unless set.',
		),
	respectRobots: z
		.boolean()
		.optional()
		.describe('true: pages are left out that the robots.txt of their site forbids.'),
	userAgent: z
		.string()
		.min(1)
		.refine(isHeaderValue, { error: 'must be text that a header may hold' })
		.optional()
		.describe('The name by which the agents introduce themselves: the header User-Agent.'),
	headers: z
		.record(
			z.string(),
			z.string().refine(isHeaderValue, { error: 'must be text that a header may hold' }),
		)
		.superRefine((headers, context) => {
			const name = Object.keys(headers).find((each) => !isHeaderName(each));
			if (name === undefined) return;
			context.addIssue({ code: 'custom', path: [name], message: otherHeader });
		})
		.optional()
		.describe(
			'Headers of every request for a page, such as { "accept-language": "de" }; Authorization and Cookie go to the sites alone that the task names.',
		),
	proxy: z
		.string()
		.refine(isProxyUrl, { error: 'must be the http or https URL of a proxy, without a path' })
		.optional()
		.describe(
			'The proxy through which pages are asked for, such as http://user:password@host:8080.',
		),
	timeout: z
		.int()
		.min(1_000)
		.max(300_000)
		.optional()
		.describe('Milliseconds for a page to come: 1,000 to 300,000; 30,000 unless set.'),
	tries: z
		.int()
		.min(1)
		.max(10)
		.optional()
		.describe('How often a page is tried that may be there soon: 1 to 10; 5 unless set.'),
};
