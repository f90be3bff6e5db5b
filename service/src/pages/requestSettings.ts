/** How pages are asked for, on both kinds of pages. */
export interface RequestSettings {
	/** Absent: that of the kind of page. */
	userAgent?: string | undefined;
	/** On top of those that each kind of page sends. */
	headers?: Record<string, string> | undefined;
	/** The sites (origins) that may get `Authorization` and `Cookie` of these; absent: none. */
	sites?: ReadonlySet<string> | undefined;
	/** The http or https URL of a proxy, with the user name and the password that it asks for. */
	proxy?: string | undefined;
	/** Milliseconds for a page to come. */
	timeout?: number | undefined;
	/** Is called before a page sends something that somebody may count, or as it does; where that waits, what it rejects with keeps a form from being sent. */
	onSend?: ((sent: Sent) => Promise<void>) | undefined;
}

/** What a page sends to anyone who may count it. */
export interface Sent {
	/** For people: `POST https://…`. */
	what: string;
	isForm: boolean;
	/** Whether it goes to another site, or is a beacon: most of these count visits. */
	isAside: boolean;
	/** Whether it has been refused by now: then nobody has counted it. */
	isRefused: () => boolean;
}

/** Milliseconds for a page to come, where nothing else is set. */
export const defaultTimeout = 30_000;

/** The name by which the service introduces itself, where it has no other one. */
export const defaultUserAgent = 'cloud-scraping-service';
