import { once } from 'node:events';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { LargeAnswers } from '../../service/src/api/largeAnswers.ts';
import { useSiteAndService } from '../support/inProcess/siteAndService';
import { cloudClient } from '../support/service/cloudClient';
import { extract, step, task, uuidOf } from '../support/service/taskFiles';
import { idleReader } from './idleReader';

const mebibyte = 1024 * 1024;

describe('large answers', () => {
	const responseOf = () => new ServerResponse(new IncomingMessage(new Socket()));
	/** Ten of eight MiB, and how many of them are made by now. */
	function ten() {
		const large = new LargeAnswers();
		const responses = Array.from({ length: 10 }, responseOf);
		const made: number[] = [];
		const waits = responses.map((response, index) =>
			large.make(response, async () => {
				await nextTurn();
				made.push(index);
				return { bytes: 8 * mebibyte };
			}),
		);
		const settled = Promise.allSettled(waits);
		const rest = async () => {
			for (let turn = 0; turn < 100; turn += 1) await nextTurn();
			return made;
		};
		return { large, responses, waits, settled, rest };
	}

	test('are made as long as there is room for the largest besides', async () => {
		const { responses, settled, rest } = ten();
		expect(await rest()).toEqual([0, 1, 2, 3, 4]);
		responses[0]?.emit('close');
		expect(await rest()).toEqual([0, 1, 2, 3, 4, 5]);
		for (const response of responses.slice(1, 6)) response.emit('close');
		expect(await rest()).toHaveLength(10);
		await settled;
	});

	test('are not made for who has gone', async () => {
		const { large, responses, waits, settled, rest } = ten();
		await rest();
		for (const response of responses.slice(5, 9)) response.emit('close');
		await expect(waits[8]).rejects.toThrow('Nobody waits');
		const gone = responseOf();
		gone.destroyed = true;
		await expect(large.make(gone, () => Promise.reject(new Error()))).rejects.toThrow('Nobody');
		responses[0]?.emit('close');
		expect(await rest()).toEqual([0, 1, 2, 3, 4, 9]);
		await settled;
	});

	test('keep no place where they fail', async () => {
		const large = new LargeAnswers();
		const fail = () => large.make(responseOf(), () => Promise.reject(new Error('as it does')));
		for (let time = 0; time < 10; time += 1) await expect(fail()).rejects.toThrow('as it does');
		expect(await large.make(responseOf(), () => Promise.resolve({ bytes: 1 }))).toEqual({
			bytes: 1,
		});
	});
});

describe('readers that take nothing of large pages', () => {
	const { site, service } = useSiteAndService(
		() => `<div>${'x'.repeat(mebibyte)}</div>${'<p>row</p>'.repeat(30)}`,
		() => {
			const open = step('navigate', { url: `${site.baseUrl}/` });
			return {
				tasks: {
					large: task('large', [open, extract({ Text: ':root div', Row: {} }, 'p')]),
					small: task('small', [open, extract({ Row: {} }, 'p')]),
				},
			};
		},
	);

	const ask = (batchID: string) =>
		idleReader(service, `/cloud/data?batchID=${batchID}&page=1&size=30&preview=false`);

	test('keep other large ones waiting until they go, and small ones not at all', async () => {
		const client = cloudClient(service);
		const [large, small] = await Promise.all(
			['large', 'small'].map(async (name) => (await client.run(uuidOf(name))).batch.batchID),
		);
		const held = [ask(large), ask(large)];
		await Promise.all(held.map((socket) => once(socket, 'readable')));
		const waiting = ask(large);
		const begun = once(waiting, 'readable');
		for (let time = 0; time < 100; time += 1) {
			expect((await client.data(small)).list).toHaveLength(30);
		}
		expect(waiting.bytesRead).toBe(0);
		held[0]?.destroy();
		await begun;
		expect(waiting.bytesRead).toBeGreaterThan(0);
		for (const socket of [...held, waiting]) socket.destroy();
	}, 60_000);
});
