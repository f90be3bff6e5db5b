import { describeNetworkError as describeError } from '../../../nodes/CloudScraping/api/networkErrors';

const describeNetworkError = (error: unknown) => describeError(error, 'sk-secret-1234');

const coded = (code: string, message = 'failed') => Object.assign(new Error(message), { code });

describe('describeNetworkError', () => {
	test.each(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'])(
		'is sure that nothing arrived after %s',
		(code) => {
			const { surelyNeverArrived, reason } = describeNetworkError(coded(code));
			expect(surelyNeverArrived).toBe(true);
			expect(reason).toContain(`(${code})`);
		},
	);

	test.each(['ECONNRESET', 'ECONNABORTED', 'ETIMEDOUT', 'EPIPE', 'ERR_BAD_RESPONSE', 'EPROTO'])(
		'is not sure after %s',
		(code) => {
			const { surelyNeverArrived, reason } = describeNetworkError(coded(code));
			expect(surelyNeverArrived).toBe(false);
			expect(reason).toContain(`(${code})`);
		},
	);

	test('finds the code below the errors that wrap it', () => {
		const cause = new Error('request failed', { cause: coded('ECONNREFUSED') });
		const wrapped = new Error('n8n failed', { cause });
		expect(describeNetworkError(wrapped).surelyNeverArrived).toBe(true);
	});

	test('does not follow causes for ever', () => {
		const loop: { cause?: unknown } = {};
		loop.cause = loop;
		expect(describeNetworkError(loop)).toMatchObject({ surelyNeverArrived: false });
	});

	test('says what an unknown error says', () => {
		expect(describeNetworkError(new Error('odd')).reason).toBe('odd');
		expect(describeNetworkError(coded('EODD', 'very odd')).reason).toBe('very odd (EODD)');
	});

	test('hides the API key in what an unknown error says', () => {
		const { reason } = describeNetworkError(coded('EODD', 'No header "Bearer sk-secret-1234"'));
		expect(reason).toBe('No header "Bearer [API key]" (EODD)');
	});

	test.each([undefined, null, 'text', 5])('says something about %j', (error) => {
		expect(describeNetworkError(error)).toEqual({
			kind: 'unreachable',
			reason: 'The request failed',
			surelyNeverArrived: false,
		});
	});
});
