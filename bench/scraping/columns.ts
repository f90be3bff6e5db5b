/** A value that both contenders take of each page: of the first element that the selector finds. */
export interface Column {
	name: string;
	/** Absent: the element of the row itself. */
	selector?: string;
	/** An address, made absolute. Absent: the text. */
	attribute?: string;
	/** Of all elements that the selector finds, a line each. */
	all?: boolean;
	/** Whether both mean the same: then each value must be equal. */
	sameMeaning: boolean;
}

/** Crawlee's text is the DOM's `textContent`, where cells and blocks stick together. */
export const columns: Column[] = [
	{ name: 'Title', selector: 'title', sameMeaning: true },
	{ name: 'Style sheet', selector: 'link[href]', attribute: 'href', sameMeaning: true },
	{ name: 'Link', selector: 'a[href]', attribute: 'href', sameMeaning: true },
	{ name: 'Heading', selector: 'h1', sameMeaning: false },
	{ name: 'Paragraph', selector: 'p', sameMeaning: false },
	{ name: 'List', selector: 'ul', sameMeaning: false },
	{ name: 'Table', selector: 'table', sameMeaning: false },
];

/** Those of pages that scripts make. */
export const madeColumns: Column[] = [
	{ name: 'Heading', selector: 'h1', sameMeaning: true },
	{ name: 'Names', selector: '.card h2', all: true, sameMeaning: true },
	{ name: 'Prices', selector: '.card .price', all: true, sameMeaning: true },
];

/** Those of a row of each link. */
export const linkColumns: Column[] = [
	{ name: 'Text', sameMeaning: true },
	{ name: 'Address', attribute: 'href', sameMeaning: true },
];
