import type { IDataObject } from 'n8n-workflow';

import { hasAnswered } from './connection';
import type { Connection } from './connection';
import type { Refusal } from './envelope';
import { UNAUTHORIZED, explainCode, isListedCode, rejectsKey } from './errors';
import type { Failure, SentValues } from './errors';
import type { Unreachable } from './networkErrors';

/** What error texts say of a request. */
export interface RequestTexts {
	query?: Record<string, string | number | boolean>;
	body?: IDataObject;
	/** What the user must know when the request may have arrived without an answer. */
	doubt?: string;
	/** What the user may rely on when the request surely did not arrive. */
	certainty?: string;
}

/** What the user reads of a request that failed for good, after `tries` tries. */
export function describeFailure(
	connection: Connection,
	request: RequestTexts,
	outcome: Refusal | Unreachable,
	tries: number,
): Omit<Failure, 'requestId'> {
	const triesMade = tries > 1 ? [`Tried ${tries} times.`] : [];
	return outcome.kind === 'unreachable'
		? describeUnreachable(connection, request, outcome, triesMade)
		: describeRefusal(connection, request, outcome, triesMade);
}

function describeUnreachable(
	{ baseUrl }: Connection,
	{ certainty, doubt }: RequestTexts,
	{ reason, surelyNeverArrived, tooLarge }: Unreachable,
	triesMade: string[],
): Omit<Failure, 'requestId'> {
	if (tooLarge) {
		return {
			message: 'The answer is too large',
			details: [reason, ...(doubt ? [doubt] : []), 'Ask for fewer rows per request.'],
			mayHaveArrived: true,
			tooLarge,
		};
	}
	const known = surelyNeverArrived ? certainty : doubt;
	return {
		message: `Could not reach ${baseUrl.host}`,
		details: [
			reason,
			...triesMade,
			...(known ? [known] : []),
			'Check the base URL of the credential and whether the service is up.',
		],
		mayHaveArrived: !surelyNeverArrived,
	};
}

function describeRefusal(
	connection: Connection,
	request: RequestTexts,
	{ status, code, msg, excerpt }: Refusal,
	triesMade: string[],
): Omit<Failure, 'requestId'> {
	if (status === 429) {
		const said = msg === '' ? [] : [`The service says: ${msg}`];
		return {
			message: 'The service is busy',
			details: ['HTTP 429: too many requests.', ...said, ...triesMade, 'Try again later.'],
			status,
			code,
		};
	}
	const meaning = rejectsKey({ code, status }) ? UNAUTHORIZED : code;
	const mayHaveArrived = !isListedCode(meaning) || status === 408 || status >= 500;
	const doubt = mayHaveArrived && request.doubt ? [request.doubt] : [];
	if (meaning !== undefined) {
		const { message, advice } = explainCode(meaning, sentValues(request));
		const said = code === undefined ? `HTTP ${status}: ${excerpt}` : `The service says: ${msg}`;
		const details = [
			...(code !== undefined && msg === '' ? [] : [said]),
			// What was refused can be corrected; what may have been done must not be done again.
			...(doubt.length > 0 ? doubt : [advice]),
			...triesMade,
		];
		return { message, details, status, code, mayHaveArrived };
	}
	if (status >= 500) {
		return {
			message: 'The service failed',
			details: [`HTTP ${status}: ${excerpt}`, ...triesMade, ...doubt, 'Try again later.'],
			status,
			mayHaveArrived,
		};
	}
	return {
		message: 'The address answered, but not as a Cloud Scraping service',
		details: [
			`HTTP ${status} from ${connection.baseUrl.host}: ${excerpt}`,
			...triesMade,
			...doubt,
			hasAnswered(connection)
				? 'It has answered as one before: it, or what is in front of it, may be down for a moment. Try again later.'
				: 'Check the base URL of the credential.',
		],
		status,
		mayHaveArrived,
	};
}

function sentValues({ query, body }: RequestTexts): SentValues {
	const sent = Object.entries({ ...query, ...body });
	return {
		identifiers: sent
			.filter(([name]) => name === 'taskID' || name === 'batchID')
			.map(([name, value]) => `${name} ${JSON.stringify(value)}`)
			.join(', '),
		parameters: sent.map(([name]) => name).join(', '),
	};
}
