import { plainText } from '../service/plainText';

/** A row of the shop's list of products, under the column names of its task. */
export interface ShopRow {
	Name: string;
	Category: string;
	Price: string;
	Link: string;
}

/** Reads the shop's list of products from its pages, by other means than the service's agents. */
export async function readShop({ baseUrl }: { baseUrl: string }): Promise<ShopRow[]> {
	const rows: ShopRow[] = [];
	let next: string | undefined = `${baseUrl}/shop/products`;
	while (next) {
		const url: string = next;
		const html = await (await fetch(url)).text();
		for (const [card] of html.matchAll(/<li class="card">.*?<\/li>/gs)) {
			rows.push({
				Name: textIn(card, /<h2><a [^>]*>(.*?)<\/a>/s),
				Category: textIn(card, /class="category">(.*?)</s),
				Price: textIn(card, /class="price">(.*?)</s),
				Link: new URL(textIn(card, /<a href="(.*?)"/s), url).href,
			});
		}
		const link = /<a class="next"[^>]* href="(.*?)"/s.exec(html)?.[1];
		next = link && new URL(plainText(link), url).href;
	}
	return rows;
}

function textIn(html: string, pattern: RegExp): string {
	return plainText(pattern.exec(html)?.[1] ?? '');
}
