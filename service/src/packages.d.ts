// What these packages export to ES modules, which their own types say wrongly, or not at all.

declare module 'html-encoding-sniffer' {
	/** The encoding that a page of HTML, or XML, says that it has; else `defaultEncoding`. */
	function encodingOf(
		body: Uint8Array,
		options: {
			xml?: boolean;
			transportLayerEncodingLabel?: string;
			defaultEncoding?: string;
			maxPrescanBytes?: number;
		},
	): string;
	export = encodingOf;
}

declare module 'robots-parser' {
	interface Robots {
		/** Undefined for an address of another site. */
		isAllowed(url: string, userAgent: string): boolean | undefined;
		/** Seconds. */
		getCrawlDelay(userAgent: string): number | undefined;
	}

	function robotsParser(url: string, text: string): Robots;
	export = robotsParser;
}
