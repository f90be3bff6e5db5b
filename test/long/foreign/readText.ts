/**
 * The elements whose text is compared: title, headings, table cells, list items and terms,
 * paragraphs, whole tables, whole lists.
 */
export const readText =
	'head > title, h1, h2, h3, h4, h5, h6, td, th, caption, li, dt, dd, p, table, ul, ol, dl';
