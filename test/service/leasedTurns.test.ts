import { setTimeout as sleep } from 'node:timers/promises';
import { LeasedTurns } from '../../service/src/agents/leasedTurns.ts';
import { slotTime, type SlotNews } from '../../service/src/store/machines.ts';

// Turns by slots that a database leases, when it does not answer in time. It gives two each time.

const { signal } = new AbortController();

/** Of those who hear nothing of others. */
const alone = { tell: () => undefined, onTold: () => undefined };

/** Answers when it is let: `answer` settles the question that was asked last. */
function slowSlots() {
	const asked: ((slots: number) => void)[] = [];
	return {
		asked,
		slots: {
			...alone,
			lease: () => new Promise<number>((resolve) => void asked.push(resolve)),
		},
		answer: (slots: number) => asked.at(-1)?.(slots),
	};
}

/** So many turns, each of which ends when it is let, and how many have begun. */
function takeTurns(turns: LeasedTurns, count: number, limit = 2) {
	const begun: (() => void)[] = [];
	const work = () => new Promise<void>((resolve) => void begun.push(resolve));
	for (let each = 0; each < count; each += 1) void turns.take({ key: 'key', limit, signal }, work);
	return begun;
}

test('none begins by slots that others may have by now, though nothing has been heard', async () => {
	const { slots, asked, answer } = slowSlots();
	const begun = takeTurns(new LeasedTurns(slots), 4);
	answer(2);
	await expect.poll(() => begun.length).toBe(2);
	// As a process that was frozen: its time has passed, and what was under way comes to an end.
	const now = performance.now();
	const clock = vi.spyOn(performance, 'now').mockImplementation(() => now + slotTime);
	try {
		begun[0]?.();
		await sleep(50);
		expect(begun).toHaveLength(2);
		await expect.poll(() => asked.length).toBe(2);
	} finally {
		clock.mockRestore();
	}
	answer(2);
	await expect.poll(() => begun.length).toBe(3);
});

test('none begins while it is asked for slots again by those that are not in use', async () => {
	const { slots, asked, answer } = slowSlots();
	const turns = new LeasedTurns(slots);
	const begun = takeTurns(turns, 1);
	answer(2);
	await expect.poll(() => begun.length).toBe(1);
	await expect.poll(() => asked.length).toBe(2);
	const more = takeTurns(turns, 1);
	await sleep(50);
	expect(more).toHaveLength(0);
	answer(2);
	await expect.poll(() => more.length).toBe(1);
});

test('none begins by slots that were leased when there were more of them', async () => {
	const { slots, asked, answer } = slowSlots();
	const turns = new LeasedTurns(slots);
	const begun = takeTurns(turns, 2);
	answer(2);
	await expect.poll(() => asked.length).toBe(2);
	answer(2);
	await expect.poll(() => begun.length).toBe(2);
	for (const end of begun) end();
	const later = takeTurns(turns, 2, 1);
	await expect.poll(() => asked.length).toBe(3);
	await sleep(50);
	expect(later).toHaveLength(0);
	answer(1);
	await expect.poll(() => later.length).toBe(1);
	await sleep(50);
	expect(later).toHaveLength(1);
});

test('nor by those that were asked for then', async () => {
	const { slots, asked, answer } = slowSlots();
	const turns = new LeasedTurns(slots);
	const before = takeTurns(turns, 1);
	const later = takeTurns(turns, 1, 1);
	answer(2);
	await expect.poll(() => asked.length).toBe(2);
	await sleep(50);
	expect(before.length + later.length).toBe(0);
	answer(1);
	await expect.poll(() => before.length).toBe(1);
	await sleep(50);
	expect(later).toHaveLength(0);
});

test('who waits for slots that there will never be fails by the reason', async () => {
	const lease = () => Promise.reject(new Error('key too long'));
	const turns = new LeasedTurns({ ...alone, lease });
	const work = vi.fn();
	const waiting = [1, 2, 3].map(() => turns.take({ key: 'key', limit: 2, signal }, work));
	for (const each of waiting) await expect(each).rejects.toThrow('key too long');
	expect(work).not.toHaveBeenCalled();
});

describe('what is not in use', () => {
	/** Gives as many as are wanted, and has others tell. */
	function generousSlots() {
		const asked: { wanted: number; using: number }[] = [];
		const told: SlotNews[] = [];
		let hear: (key: string, news: SlotNews) => void = () => undefined;
		const slots = {
			lease: (_: string, { wanted, using }: { wanted: number; using: number }) => {
				asked.push({ wanted, using });
				return Promise.resolve(wanted);
			},
			tell: (_: string, news: SlotNews) => void told.push(news),
			onTold: (heard: typeof hear) => (hear = heard),
		};
		return { asked, told, slots, wait: () => hear('key', 'wanted') };
	}

	const turn = { key: 'key', limit: 1, signal };

	test('stays for the next turn as long as nobody else waits, who is not asked for', async () => {
		const { slots, asked, told } = generousSlots();
		const turns = new LeasedTurns(slots);
		for (let each = 0; each < 2; each += 1) {
			await turns.take(turn, () => Promise.resolve());
			await sleep(300);
		}
		expect(asked).toEqual([{ wanted: 1, using: 0 }]);
		expect(told).toEqual([]);
	});

	test('is given back when others wait, once what was called off has ended as well', async () => {
		const { slots, asked, told, wait } = generousSlots();
		const turns = new LeasedTurns(slots);
		const stop = new AbortController();
		let end = () => undefined as void;
		const work = () => new Promise<void>((resolve) => (end = resolve));
		const taken = turns.take({ ...turn, signal: stop.signal }, work);
		await expect.poll(() => asked).toHaveLength(1);
		stop.abort(new Error('called off'));
		await expect(taken).rejects.toThrow('called off');
		wait();
		await sleep(300);
		expect(asked).toHaveLength(1);
		end();
		await expect.poll(() => asked.slice(1)).toEqual([{ wanted: 0, using: 0 }]);
		expect(told).toEqual(['given']);
	});
});
