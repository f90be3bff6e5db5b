import type { HtmlDocument } from './htmlDocument.ts';
import { matchesIn } from './matches.ts';

/** What an agent asks of a document, in the thread that has it: what it answers, and nothing else of it. */
type Asked = Exclude<keyof HtmlDocument, 'page' | 'base' | 'resolved' | 'values'>;

type DocumentCommands = {
	[Name in Asked]: (
		document: HtmlDocument,
		...parameters: Parameters<HtmlDocument[Name]>
	) => ReturnType<HtmlDocument[Name]>;
};

const documentCommands: DocumentCommands = {
	count: (document, ...parameters) => document.count(...parameters),
	links: (document, ...parameters) => document.links(...parameters),
	said: (document, ...parameters) => document.said(...parameters),
	isMeant: (document, ...parameters) => document.isMeant(...parameters),
	presence: (document, ...parameters) => document.presence(...parameters),
	asksPassword: (document) => document.asksPassword(),
	rows: (document, ...parameters) => document.rows(...parameters),
	enteredText: (document, ...parameters) => document.enteredText(...parameters),
	enteredLink: (document, ...parameters) => document.enteredLink(...parameters),
	checkTypable: (document, ...parameters) => document.checkTypable(...parameters),
	requestOfClick: (document, ...parameters) => document.requestOfClick(...parameters),
	requestOfSubmit: (document, ...parameters) => document.requestOfSubmit(...parameters),
	refresh: (document) => document.refresh(),
	referrer: (document) => document.referrer(),
};

/** What can be asked of each thread that reads documents. */
export const readingCommands = {
	...documentCommands,
	/** What an expression keeps of texts, whatever document they are of. */
	matches: (_: HtmlDocument, texts: string[][], match: string): string[][] =>
		texts.map((each) => matchesIn(each, match)),
};

export type ReadingCommands = typeof readingCommands;
