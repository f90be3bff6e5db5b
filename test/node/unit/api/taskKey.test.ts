import { taskKey } from '../../../../nodes/CloudScraping/api/startAndStop/taskKey';

describe('the key of a task', () => {
	const keyOf = (address: string, taskID: string) => taskKey({ baseUrl: new URL(address) }, taskID);
	const key = keyOf('https://api.example/v1', 'abcdef00-1111-4111-8111-111111111111');

	test('is the same for a UUID in capitals, and for an address with a slash behind it', () => {
		expect(keyOf('https://API.example/v1/', 'ABCDEF00-1111-4111-8111-111111111111')).toBe(key);
	});

	test('is another one for another task, another service and another spelling of any other ID', () => {
		expect(keyOf('https://api.example/v1', 'abcdef00-1111-4111-8111-111111111112')).not.toBe(key);
		expect(keyOf('https://api.example/v2', 'abcdef00-1111-4111-8111-111111111111')).not.toBe(key);
		expect(keyOf('https://api.example', 'Offers')).not.toBe(keyOf('https://api.example', 'offers'));
	});
});
