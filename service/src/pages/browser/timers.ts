/// <reference lib="dom" />

// What scripts of a page have the browser do later: at a time, with a frame, in a moment of leisure.

/** What is kept of that in each document, where its own scripts cannot come. */
export interface Timers {
	/** Resolves to the time of the next frame. */
	nextFrame: () => Promise<number>;
	/** How often scripts have asked for a time, a frame and a moment of leisure, by numbers that all worlds share. */
	asked: () => number[];
	/** Whether any of these may be still to come; of frames and leisure, only that they were asked for is known. */
	mayCome: () => boolean;
	/** Milliseconds until the last short time has come that scripts wait for, and go on with something; 0 if there is none. */
	timeLeft: () => number;
}

/**
 * Runs in a document before its own scripts, in their world: tells the other one by events of a name that no page can
 * guess for what times scripts wait, which nothing else says.
 */
export function tellTimers(told: string): void {
	// Frames are not read.
	if (window !== window.top) return;
	const { apply } = Reflect;
	const Told = CustomEvent;
	const dispatch: unknown = Reflect.get(EventTarget.prototype, 'dispatchEvent');
	const tell = (detail: string) => {
		if (dispatch instanceof Function) apply(dispatch, window, [new Told(told, { detail })]);
	};
	/** How many timers have led to each other, up to the one whose turn it is. */
	let depth = 0;
	const watch = (name: string, called: (given: unknown[], ask: () => unknown) => unknown) => {
		const real: unknown = Reflect.get(window, name);
		if (!(real instanceof Function)) return;
		const handler: ProxyHandler<typeof real> = {
			apply: (target, self, given: unknown[]) =>
				called(given, (): unknown => apply(target, self, given)),
		};
		// What a page puts into prototypes is no trap.
		Reflect.setPrototypeOf(handler, null);
		Reflect.set(window, name, new Proxy(real, handler));
	};
	watch('setTimeout', (given, ask) => {
		const [work, time] = given;
		const within = depth + 1;
		if (work instanceof Function) {
			given[0] = function (this: unknown, ...rest: unknown[]): unknown {
				const outer = depth;
				depth = within;
				tell(`end ${String(id)}`);
				try {
					const made: unknown = apply(work, this, rest);
					return made;
				} finally {
					depth = outer;
				}
			};
		}
		const id = ask();
		const delay = typeof time === 'string' ? Number(time) : time;
		tell(`once ${String(id)} ${typeof delay === 'number' ? delay : 0} ${within}`);
		return id;
	});
	watch('setInterval', (_, ask) => {
		const id = ask();
		tell(`again ${String(id)}`);
		return id;
	});
	for (const name of ['clearTimeout', 'clearInterval']) {
		watch(name, ([id], ask) => {
			if (typeof id === 'number') tell(`end ${id}`);
			return ask();
		});
	}
}

/** Runs in a document, so it can use nothing that is outside of it. `told`: the name of these events. */
export function keepTimers(told: string): Timers {
	/** Milliseconds: what is asked for later is no part of what a page shows first. */
	const longest = 2_000;
	/** Milliseconds for a time that has come to have its turn. */
	const late = 1_000;
	/** Timers that lead to one another more often than that go on for ever, as a clock does. */
	const deepest = 3;
	/** How often this has asked for these itself, and for frames alone. */
	let [own, ownFrames] = [0, 0];
	let timesTold = 0;
	/** Timers that have not had their turn: when they have it, and whether something is waited for by that. */
	const waiting = new Map<string, { at: number; isShort: boolean }>();
	const hear = (event: Event) => {
		if (!(event instanceof CustomEvent)) return;
		const [what = '', id = '', time = '', depth = ''] = String(event.detail).split(' ');
		if (what === 'end') return void waiting.delete(id);
		timesTold += 1;
		const delay = Math.max(Number(time) || 0, 0);
		const isShort = what === 'once' && delay <= longest && Number(depth) <= deepest;
		const at = what === 'once' ? performance.now() + delay : Infinity;
		waiting.set(id, { at, isShort });
	};
	/** Again each time: a page that is written anew has lost its listeners. */
	const listen = () => addEventListener(told, hear, true);
	listen();
	const stillWaiting = () => {
		listen();
		const now = performance.now();
		for (const [id, { at }] of waiting) if (now > at + late) waiting.delete(id);
		return [...waiting.values()];
	};
	const asked = () => {
		own += 1;
		const [time, frame, leisure] = [
			window.setTimeout(() => undefined),
			requestAnimationFrame(() => undefined),
			requestIdleCallback(() => undefined),
		];
		clearTimeout(time);
		cancelAnimationFrame(frame);
		cancelIdleCallback(leisure);
		return [time - own, frame - ownFrames - own, leisure - own];
	};
	return {
		nextFrame() {
			ownFrames += 1;
			return new Promise<number>(requestAnimationFrame);
		},
		asked,
		mayCome() {
			const [times = 0, ...others] = asked();
			const areUnknown = times > timesTold || others.some((count) => count > 0);
			return areUnknown || stillWaiting().length > 0;
		},
		timeLeft() {
			const now = performance.now();
			const short = stillWaiting().filter(({ isShort }) => isShort);
			return short.reduce((most, { at }) => Math.max(most, at - now, 1), 0);
		},
	};
}
