import type { ScrapedPage } from './scrapedTexts';
import type { ShownText } from './shownTexts';

/** A text that the service reads in another way than Chromium shows it. */
export interface Difference {
	file: string;
	/** Such as "td 3 of 20". */
	element: string;
	shown: string;
	scraped: string;
}

/** Compares a page's texts, white space folded on both sides. */
export function differencesOn(
	file: string,
	shown: ShownText[],
	{ texts, failure }: ScrapedPage,
): Difference[] {
	if (texts.length !== shown.length) {
		const scraped = `${texts.length} elements${failure === undefined ? '' : `: ${failure}`}`;
		return [{ file, element: 'page', shown: `${shown.length} elements`, scraped }];
	}
	return shown.flatMap(({ element, text }, index) => {
		const difference = { file, element, shown: folded(text), scraped: folded(texts[index] ?? '') };
		return difference.shown === difference.scraped ? [] : [difference];
	});
}

function folded(text: string): string {
	return text.replace(/\s+/g, ' ').trim();
}

/** Characters that are shown before and after the place where two texts part. */
const before = 30;
const after = 90;

/** The file, the element, and both texts from shortly before the place where they part. */
export function describeDifference({ file, element, shown, scraped }: Difference): string {
	let parting = 0;
	while (parting < shown.length && shown[parting] === scraped[parting]) parting += 1;
	const start = Math.max(0, parting - before);
	const excerpt = (text: string) =>
		JSON.stringify(
			`${start > 0 ? '…' : ''}${text.slice(start, parting + after)}${text.length > parting + after ? '…' : ''}`,
		);
	return `${file}\n  ${element}\n    shown:   ${excerpt(shown)}\n    scraped: ${excerpt(scraped)}`;
}
