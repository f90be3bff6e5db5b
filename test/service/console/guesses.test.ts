import { KeyGuesses } from '../../../service/src/keys/keyGuesses.ts';
import { cloudClient } from '../../support/service/cloudClient';
import { startService } from '../../support/inProcess/startService';

describe('whoever guesses', () => {
	test('has ten wrong keys; after them no key is looked at that they have not used before', async () => {
		const own = await startService({ env: { SERVICE_API_KEYS: 'test-key,other-key' } });
		const signIn = (apiKey: string) =>
			fetch(`${own.baseUrl}/console/sign-in`, {
				method: 'POST',
				redirect: 'manual',
				body: new URLSearchParams({ apiKey }),
			});
		const ask = async (apiKey: string) => {
			const query = {
				taskID: '11111111-1111-4111-8111-111111111111',
				page: 1,
				size: 1,
				orderBy: 0,
			};
			const client = cloudClient({ baseUrl: own.baseUrl, apiKey });
			return (await client.call('/cloud/batches', { query })).httpStatus;
		};
		expect(await ask('other-key')).toBe(200);
		for (let number = 0; number < 5; number += 1) {
			expect((await signIn(`guess ${number}`)).status).toBe(401);
			expect(await ask(`guess-at-the-API-${number}`)).toBe(401);
		}
		const refused = await signIn('test-key');
		expect(refused.status).toBe(429);
		expect(refused.headers.getSetCookie()).toEqual([]);
		expect(await refused.text()).toContain('Try again in a minute');
		expect(await ask('test-key')).toBe(429);
		expect(await ask('other-key')).toBe(200);
		await own.stop();
	});

	test('may try again after a minute, from another address at once, and one wrong key for ever', () => {
		let time = 0;
		const guesses = new KeyGuesses(() => time);
		for (let number = 0; number < 100; number += 1) guesses.note('b', 'the same', false);
		for (let number = 0; number < 10; number += 1) {
			expect(guesses.isRefused('a', 'right')).toBe(false);
			guesses.note('a', `wrong ${number}`, false);
		}
		expect(guesses.isRefused('a', 'right')).toBe(true);
		expect(guesses.isRefused('b', 'right')).toBe(false);
		time = 59_999;
		expect(guesses.isRefused('a', 'right')).toBe(true);
		time = 60_000;
		expect(guesses.isRefused('a', 'right')).toBe(false);
	});
});
