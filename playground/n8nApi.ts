import { isObject, objectAt, textAt } from './json.ts';
import type { JsonObject } from './json.ts';

export interface Login {
	email: string;
	password: string;
}

/** A request that n8n refused, with its own words. */
export class N8nRefused extends Error {
	readonly status: number;

	constructor(request: string, status: number, message: string) {
		super(`n8n refused "${request}" (HTTP ${status}): ${message}`);
		this.status = status;
	}
}

/** n8n's own REST interface, the one its editor uses, as one logged-in user. */
export class N8nApi {
	readonly #url: string;
	#cookie = '';

	/** As the user of a session that has begun elsewhere, or as nobody until `signIn`. */
	constructor(url: string, session = '') {
		this.#url = url;
		this.#cookie = session;
	}

	/** What the constructor takes to go on as the same user. */
	get session(): string {
		return this.#cookie;
	}

	/** Makes the owner of a new n8n, or logs in as the owner of one that was set up before. */
	async signIn({ email, password }: Login): Promise<void> {
		const settings = objectAt(await this.get('/rest/settings'));
		const isNew = objectAt(settings, 'userManagement').showSetupOnFirstLoad === true;
		if (isNew) {
			const owner = { email, password, firstName: 'Playground', lastName: 'Owner' };
			await this.post('/rest/owner/setup', owner);
		} else {
			await this.post('/rest/login', { emailOrLdapLoginId: email, password });
		}
	}

	get(path: string): Promise<unknown> {
		return this.#send('GET', path);
	}

	post(path: string, body: JsonObject): Promise<unknown> {
		return this.#send('POST', path, body);
	}

	patch(path: string, body: JsonObject): Promise<unknown> {
		return this.#send('PATCH', path, body);
	}

	/** The text of a file that n8n serves, such as one of an execution's binary data. */
	async getText(path: string): Promise<string> {
		const response = await this.#request(path, { method: 'GET' });
		const text = await response.text();
		if (!response.ok) throw new N8nRefused(`GET ${path}`, response.status, text);
		return text;
	}

	/** The JSON of a file that n8n serves to its editor, such as the list of node types. */
	async getFile(path: string): Promise<unknown> {
		return JSON.parse(await this.getText(path));
	}

	/** What n8n holds at a path, or nothing if there is no such thing. */
	async find(path: string): Promise<JsonObject | undefined> {
		try {
			return objectAt(await this.get(path));
		} catch (error) {
			if (error instanceof N8nRefused && error.status === 404) return undefined;
			throw error;
		}
	}

	/**
	 * Each request has a connection of its own. n8n closes one that is idle for five seconds, and who
	 * was busy for as long writes to it before it knows: "read ECONNRESET".
	 */
	#request(path: string, request: { method: string; body?: string }): Promise<Response> {
		const headers = {
			connection: 'close',
			cookie: this.#cookie,
			'content-type': 'application/json',
		};
		return fetch(`${this.#url}${path}`, { ...request, headers });
	}

	async #send(method: string, path: string, body?: JsonObject): Promise<unknown> {
		const response = await this.#request(path, { method, body: body && JSON.stringify(body) });
		const [session] = response.headers.getSetCookie();
		if (session) this.#cookie = session.split(';')[0];
		const answer: unknown = await response.json();
		if (response.ok) return objectAt(answer).data;
		throw new N8nRefused(`${method} ${path}`, response.status, messageOf(answer));
	}
}

function messageOf(answer: unknown): string {
	return isObject(answer) && 'message' in answer
		? textAt(answer, 'message')
		: JSON.stringify(answer);
}
