/** Makes n8n-core take the node for the tool of an AI agent. */
export const settings = { type: 'n8n-nodes-cloud-scraping.cloudScrapingTool' };

/** Rows with values of so many characters that begin with the number of the row. */
export const long = (count: number, characters: number, columns = 1) =>
	Array.from({ length: count }, (_row, n) =>
		JSON.stringify(
			Object.fromEntries(
				Array.from({ length: columns }, (_column, c) => [`c${c}`, `${n}`.padEnd(characters, 'x')]),
			),
		),
	);
