import { once } from 'node:events';
import { Hosts } from '../../service/src/agents/hosts.ts';
import { systemClock } from '../../service/src/pages/clock.ts';
import { PageError } from '../../service/src/pages/page.ts';
import type { HostNews } from '../../service/src/store/machines.ts';
import { stopwatch } from '../support/service/stopwatch';

const hour = 3_600_000;
const url = 'http://127.0.0.1:9/';
const asking = { tries: 5, signal: new AbortController().signal };
const failing = () =>
	Promise.reject(new PageError('down', { url, outage: { of: 'answer', retryAfter: 0 } }));

afterEach(() => vi.useRealTimers());

test.for([-hour, hour, -240 * hour, 240 * hour])(
	'a host rests as long as ever where the clock is set by %i milliseconds meanwhile',
	async (jump) => {
		vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
		const hosts = new Hosts(systemClock);
		const begun = performance.now();
		const watch = stopwatch();
		await expect(hosts.ask(url, failing, asking)).rejects.toThrow('down');
		vi.setSystemTime(Date.now() + jump);
		await hosts.ask(url, () => Promise.resolve(), asking);
		expect(performance.now() - begun).toBeGreaterThan(1_000);
		expect(watch()).toBeLessThan(60_000);
	},
);

test('what another process tells of a host is no longer than a minute, whatever its clock said', async () => {
	const told: ((key: string, news: HostNews | undefined) => void)[] = [];
	const hosts = new Hosts(
		{
			now: () => 0,
			sleep: (_, signal) => once(signal, 'abort').then(() => signal.throwIfAborted()),
		},
		{
			hosts: {
				tell: () => Promise.resolve(),
				known: () => Promise.resolve(undefined),
				onTold: (heard) => void told.push(heard),
			},
			turns: { take: (_, work) => work() },
			proxy: undefined,
		},
	);
	const news = { failures: 1, isSilent: false, addresses: [], rest: 240 * hour };
	told[0]?.(' 127.0.0.1:9', news);
	const rests: string[] = [];
	await hosts
		.ask(url, () => Promise.resolve(), {
			...asking,
			signal: AbortSignal.timeout(100),
			onRest: (reason) => void rests.push(reason),
		})
		.catch(() => undefined);
	expect(rests).toEqual(['127.0.0.1:9 has failed once: it is asked again in 60 seconds']);
});
