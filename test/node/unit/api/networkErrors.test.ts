import { describeNetworkError as describeError } from '../../../../nodes/CloudScraping/api/networkErrors';

const describeNetworkError = (error: unknown) =>
	describeError(error, 'sk-secret-1234', new URL('https://service.example.com'));

const systemError = (code: string, message = 'failed') =>
	Object.assign(new Error(message), { code });

/** What an n8n makes of it that drops the cause. */
const withoutCause = (code: string, message = 'failed') =>
	Object.assign(new Error('n8n has words of its own'), { httpCode: code, messages: [message] });

describe.each([
	['the error of the system', systemError],
	['an error that has lost it', withoutCause],
])('describeNetworkError of %s', (_kind, coded) => {
	test.each(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'])(
		'is sure that nothing arrived after %s',
		(code) => {
			const { neverArrived, reason } = describeNetworkError(coded(code));
			expect(neverArrived).toBe(true);
			expect(reason).toContain(`(${code})`);
		},
	);

	test.each(['ECONNRESET', 'ECONNABORTED', 'ETIMEDOUT', 'EPIPE', 'ERR_BAD_RESPONSE', 'EPROTO'])(
		'is not sure after %s',
		(code) => {
			const { neverArrived, reason } = describeNetworkError(coded(code));
			expect(neverArrived).toBe(false);
			expect(reason).toContain(`(${code})`);
		},
	);

	test.each([
		['DEPTH_ZERO_SELF_SIGNED_CERT', 'not trusted'],
		['SELF_SIGNED_CERT_IN_CHAIN', 'not trusted'],
		['UNABLE_TO_GET_ISSUER_CERT', 'not trusted'],
		['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'not trusted'],
		['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'not trusted'],
		['CERT_HAS_EXPIRED', 'expired'],
		['CERT_NOT_YET_VALID', 'not valid yet'],
		['ERR_TLS_CERT_ALTNAME_INVALID', 'another host name'],
	])('is sure that nothing was sent to a host with a wrong certificate: %s', (code, said) => {
		const { neverArrived, reason } = describeNetworkError(coded(code));
		expect(neverArrived).toBe(true);
		expect(reason).toMatch(/^The certificate of the host /);
		expect(reason).toContain(said);
		expect(reason).toContain(`(${code})`);
	});

	test.each([
		['EPROTO', 'write EPROTO 80:error:0A00010B:SSL routines:ssl3_get_record:wrong version number'],
		[
			'ECONNRESET',
			'Client network socket disconnected before secure TLS connection was established',
		],
	])('is sure that nothing was sent before the handshake ended: %s', (code, message) => {
		expect(describeNetworkError(coded(code, message)).neverArrived).toBe(true);
	});

	test.each([
		['ERR_SSL_WRONG_VERSION_NUMBER', '80:error:0A00010B:SSL routines::wrong version number'],
		['EPROTO', 'write EPROTO 80:error:0A000096:SSL routines::encrypted length too long'],
		['ECONNRESET', 'read ECONNRESET'],
	])('is not sure after the handshake: %s', (code, message) => {
		expect(describeNetworkError(coded(code, message)).neverArrived).toBe(false);
	});

	test.each([
		['ECONNREFUSED', 'connect ECONNREFUSED 10.0.0.9:3128', '10.0.0.9:3128'],
		['ECONNREFUSED', 'connect ECONNREFUSED ::1:3128', '::1:3128'],
		['ENOTFOUND', 'getaddrinfo ENOTFOUND proxy.example.com', 'proxy.example.com'],
	])('names the proxy that does not answer: %s', (code, message, proxy) => {
		const { reason } = describeNetworkError(coded(code, message));
		expect(reason).toContain(`The proxy ${proxy} that n8n is set to use does not answer.`);
	});

	test.each([
		['ECONNREFUSED', 'connect ECONNREFUSED 10.0.0.9:443'],
		['ENOTFOUND', 'getaddrinfo ENOTFOUND service.example.com'],
		['EAI_AGAIN', 'getaddrinfo EAI_AGAIN service.example.com'],
	])('takes the service itself for no proxy: %s', (code, message) => {
		expect(describeNetworkError(coded(code, message)).reason).not.toContain('proxy');
	});

	test('says what an unknown error says', () => {
		expect(describeNetworkError(coded('EODD', 'very odd')).reason).toBe('very odd (EODD)');
	});

	test('hides the API key in what an unknown error says', () => {
		const { reason } = describeNetworkError(coded('EODD', 'No header "Bearer sk-secret-1234"'));
		expect(reason).toBe('No header "Bearer [API key]" (EODD)');
	});
});

describe('describeNetworkError', () => {
	test('finds the code below the errors that wrap it', () => {
		const cause = new Error('request failed', { cause: systemError('ECONNREFUSED') });
		const wrapped = new Error('n8n failed', { cause });
		expect(describeNetworkError(wrapped).neverArrived).toBe(true);
	});

	test('does not follow causes for ever', () => {
		const loop: { cause?: unknown } = {};
		loop.cause = loop;
		expect(describeNetworkError(loop)).toMatchObject({ neverArrived: false });
	});

	test('says what an error without a code says', () => {
		expect(describeNetworkError(new Error('odd')).reason).toBe('odd');
	});

	test('takes an HTTP status for no code of the system', () => {
		const error = Object.assign(new Error('odd'), { httpCode: '502' });
		expect(describeNetworkError(error).reason).toBe('odd');
	});

	test.each([undefined, null, 'text', 5])('says something about %j', (error) => {
		expect(describeNetworkError(error)).toEqual({
			kind: 'unreachable',
			reason: 'No answer came',
			neverArrived: false,
		});
	});
});
