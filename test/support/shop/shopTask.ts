/** The task of the local service that reads its small shop's list of products, page by page. */
export const shopTask = {
	id: '11111111-1111-4111-8111-111111111111',
	steps: {
		/** Navigate: opens the first page. */
		open: '11111111-0000-4000-8000-100000000001',
		/** Loop by page, over all pages. */
		pages: '11111111-0000-4000-8000-100000000002',
	},
};

/** The task that opens one page of the shop every half second, long enough to be stopped. */
export const slowTask = '55555555-5555-4555-8555-555555555555';

/** The task that opens the pages of a list of addresses, products of the shop. */
export const pagesTask = '22222222-2222-4222-8222-222222222222';
