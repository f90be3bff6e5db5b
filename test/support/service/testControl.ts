/** What a test of another program asks a service for that has SERVICE_TEST_CONTROL=true. */
export function testControl({ baseUrl, apiKey }: { baseUrl: string; apiKey: string }) {
	function answer(method: string, path: string, body?: unknown) {
		return fetch(`${baseUrl}/test/${path}`, {
			method,
			headers: {
				authorization: `Bearer ${apiKey}`,
				...(body !== undefined && { 'content-type': 'application/json' }),
			},
			body: typeof body === 'string' ? body : JSON.stringify(body),
		});
	}

	async function call(...request: Parameters<typeof answer>) {
		const response = await answer(...request);
		const text = await response.text();
		const json: unknown = JSON.parse(text.replace(/(?<=[[,:])\d{16,}/g, '"$&"'));
		return { httpStatus: response.status, json };
	}

	/** What is answered; rejects with what is said where it is refused. */
	async function succeed(...request: Parameters<typeof call>): Promise<unknown> {
		const { httpStatus, json } = await call(...request);
		if (httpStatus !== 200) throw new Error(`${httpStatus}: ${JSON.stringify(json)}`);
		return json;
	}

	return {
		call,
		/** The text of an answer. */
		text: async (method: string, path: string) => (await answer(method, path)).text(),
		reset: () => succeed('POST', 'reset'),
		/** Stores batches, and resolves to their identifiers. */
		async seed(...batches: object[]): Promise<string[]> {
			const answer = await succeed('POST', 'seed', { batches });
			return (answer as { batchIDs: unknown[] }).batchIDs.map(String);
		},
		batch: (batchID: string) => succeed('GET', `batches/${batchID}`),
		faults: () => succeed('GET', 'faults'),
		setFaults: (...faults: object[]) => succeed('PUT', 'faults', faults),
		deleteFaults: () => succeed('DELETE', 'faults'),
	};
}
