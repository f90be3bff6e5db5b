/// <reference lib="dom" />

// What scripts of a page have the browser do later: at a time, with a frame, in a moment of leisure; or have a worker do.

/** Milliseconds. */
export const timerLimits = {
	/** What is put off may be, as where a spinner is shown for a while: what is asked for later is no part of what a page shows first. */
	longest: 2_000,
	/** The same where a click has brought nothing so far. */
	longestOfClick: 10_000,
	/** For a worker to answer. */
	answerTime: 3_000,
	/** For what a timer has begun to be known, as that it asks for something. */
	moment: 100,
};

/** What is kept of that in each document, where its own scripts cannot come. */
export interface Timers {
	/** Resolves to the time of the next frame. */
	nextFrame: () => Promise<number>;
	/** How often scripts have asked for a time, a frame and a moment of leisure, by numbers that all worlds share. */
	asked: () => number[];
	/** Whether any of these may be still to come; of frames and leisure, only that they were asked for is known. */
	mayCome: () => boolean;
	timesLeft: () => TimesLeft;
	/** Whether scripts go on at once, but for turns of others, as those do that work in pieces. */
	goOnAtOnce: () => boolean;
	/** Scripts have changed what the document holds. */
	noteChange: () => void;
	/** A step of the task follows. */
	beginStep: () => void;
}

/** Milliseconds until the last time has come that scripts wait for, and go on with something; 0 if there is none. */
export interface TimesLeft {
	/** Of the short ones. */
	all: number;
	/** Of these, and of longer ones: what a click is to bring that has brought nothing so far. */
	ofClick: number;
	/**
	 * Of those that they have asked for since the step began, but not as they changed the document last: these may only take
	 * that away again, as the time of a message does.
	 */
	putOff: number;
	/**
	 * Of those that they have asked for once data had come since the step began, or the page: they may ask for more; turns
	 * of intervals among them.
	 */
	followUp: number;
	/** Of those that workers have to answer what they were sent since the step began. */
	ofWorkers: number;
	/** While scripts ask for frame after frame, as animations do, for as long as they may do that. */
	ofFrames: number;
}

/**
 * Runs in a document before its own scripts, in their world: tells the other one by events of a name that no page can
 * guess for what times scripts wait, which nothing else says. It is called by scripts that may have put anything in the
 * place of what the language brings: later, it uses nothing of that but what it has kept.
 */
export function tellTimers(told: string): void {
	'use strict';
	// Frames are not read.
	if (window !== window.top) return;
	const { apply } = Reflect;
	const Told = CustomEvent;
	const dispatch: unknown = Reflect.get(EventTarget.prototype, 'dispatchEvent');
	if (typeof dispatch !== 'function') return;
	const tell = (detail: string) => void apply(dispatch, window, [new Told(told, { detail })]);
	/** How many timers have led to each other, up to the one whose turn it is. */
	let depth = 0;
	const watch = (
		owner: object,
		name: string,
		called: (given: unknown[], ask: () => unknown, self: unknown) => unknown,
	) => {
		const real: unknown = Reflect.get(owner, name);
		if (typeof real !== 'function') return;
		const handler: ProxyHandler<typeof real> = {
			apply: (target, self, given: unknown[]) =>
				called(given, (): unknown => apply(target, self, given), self),
		};
		// What a page puts into prototypes is no trap.
		Reflect.setPrototypeOf(handler, null);
		Reflect.set(owner, name, new Proxy(real, handler));
	};
	const numberOf = (time: unknown) =>
		typeof time === 'number' || typeof time === 'string' ? +time : 0;
	/** Puts what tells its turn in the place of a function that is called later. `idNow`: of that, once it is known. */
	const withTurn = (given: unknown[], within: number, idNow: () => unknown) => {
		const work = given[0];
		if (typeof work !== 'function') return;
		given[0] = function (this: unknown, ...rest: unknown[]): unknown {
			const outer = depth;
			depth = within;
			const id = idNow();
			if (typeof id === 'number' || typeof id === 'string') tell(`turn ${id}`);
			try {
				const made: unknown = apply(work, this, rest);
				return made;
			} finally {
				depth = outer;
			}
		};
	};
	const kinds = { setTimeout: 'once', setInterval: 'again' };
	for (const [name, kind] of Object.entries(kinds)) {
		watch(window, name, (given, ask) => {
			const within = depth + 1;
			withTurn(given, within, () => id);
			const id = ask();
			if (typeof id === 'number') tell(`${kind} ${id} ${numberOf(given[1])} ${within}`);
			return id;
		});
	}
	let tasks = 0;
	const scheduler: unknown = Reflect.get(window, 'scheduler');
	if (typeof scheduler === 'object' && scheduler !== null) {
		watch(scheduler, 'postTask', (given, ask) => {
			const how = given[1];
			const isObject = typeof how === 'object' && how !== null;
			const delay = isObject && 'delay' in how ? numberOf(how.delay) : 0;
			if (!(delay > 0)) return ask();
			const within = depth + 1;
			const id = `task${(tasks += 1)}`;
			withTurn(given, within, () => id);
			tell(`task ${id} ${delay} ${within}`);
			return ask();
		});
	}
	const listen: unknown = Reflect.get(EventTarget.prototype, 'addEventListener');
	const numbers = new WeakMap<object, number>();
	const numberIn: unknown = Reflect.get(WeakMap.prototype, 'get');
	const note: unknown = Reflect.get(WeakMap.prototype, 'set');
	let [workers, messages] = [0, 0];
	watch(Worker.prototype, 'postMessage', (_given, ask, worker) => {
		const sent = ask();
		if (typeof worker !== 'object' || worker === null) return sent;
		if (typeof numberIn !== 'function' || typeof note !== 'function') return sent;
		if (typeof listen !== 'function') return sent;
		let number: unknown = apply(numberIn, numbers, [worker]);
		if (typeof number !== 'number') {
			const own = (number = workers += 1);
			apply(note, numbers, [worker, own]);
			apply(listen, worker, ['message', () => tell(`answer ${own}`)]);
		}
		tell(`message ${String(number)}:${(messages += 1)}`);
		return sent;
	});
	for (const name of ['clearTimeout', 'clearInterval']) {
		watch(window, name, (given, ask) => {
			tell(`end ${numberOf(given[0])}`);
			return ask();
		});
	}
}

/** Runs in a document, so it can use nothing that is outside of it. `told`: the name of these events. */
export function keepTimers(
	told: string,
	{ longest, longestOfClick, answerTime, moment }: typeof timerLimits,
): Timers {
	/** Milliseconds for a time that has come to have its turn. */
	const late = 1_000;
	/** The shortest time in which browsers go on with timers that lead to one another: whoever asks for it asks for none. */
	const shortest = 4;
	/** Timers that lead to one another more often than that go on for ever, as a clock does. */
	const deepest = 3;
	/** How often this has asked for these itself, and for frames alone. */
	let [own, ownFrames] = [0, 0];
	let timesTold = 0;
	interface Waiting {
		/** When it has its turn. */
		at: number;
		/** Whether something is waited for by that, and whether where a click has brought nothing so far. */
		isShort: boolean;
		isOfClick: boolean;
		kind: string;
		/** In which turn of a script it was asked for, and when. */
		turn: number;
		asked: number;
		/** Milliseconds between two turns. */
		delay: number;
	}
	const waiting = new Map<string, Waiting>();
	/** The last time that the present turn has asked for, and how many before it came after one another. */
	let series = { turn: 0, delay: 0, length: 0 };
	/** Whether it is the third at least of such times, as of rows that are drawn one after another: it is as short as what is between them. */
	const goesOn = (turn: number, delay: number) => {
		const isNext = series.turn === turn && delay > series.delay && delay - series.delay <= longest;
		series = { turn, delay, length: isNext ? series.length + 1 : 1 };
		return series.length > 2;
	};
	/** An interval may be there for its first turn alone, after which it is cleared. */
	const hadTurn = (id: string) => {
		const had = waiting.get(id);
		const now = performance.now();
		if (had?.isOfClick === true)
			waiting.set(`over ${id}`, { ...had, kind: 'over', at: now + moment });
		if (had?.kind === 'again') {
			const at = now + had.delay;
			waiting.set(id, { ...had, at, isShort: false, isOfClick: false });
		} else waiting.delete(id);
	};
	/** Workers answer what they were sent one after the other. */
	const hadAnswer = (worker: string) => {
		const message = [...waiting.keys()].find((key) => key.startsWith(`message ${worker}:`));
		if (message !== undefined) waiting.delete(message);
	};
	/** How many turns of scripts have asked for any: what one of them asks for and shows belongs together. */
	let [turn, isTurnOver] = [0, true];
	/** When the step began, the last one before that, and the one that has changed the document last, if it has asked for any. */
	let [begun, turnBefore, turnOfChange] = [0, 0, -1];
	const { port1: begin, port2: end } = new MessageChannel();
	end.onmessage = () => (isTurnOver = true);
	const turnNow = () => {
		if (!isTurnOver) return turn;
		isTurnOver = false;
		begin.postMessage(undefined);
		return (turn += 1);
	};
	const hear = (event: Event) => {
		if (!(event instanceof CustomEvent)) return;
		const [kind = '', id = '', time = '', depth = ''] = String(event.detail).split(' ');
		if (kind === 'turn') return hadTurn(id);
		if (kind === 'end') return void waiting.delete(id);
		if (kind === 'answer') return hadAnswer(id);
		if (kind !== 'task' && kind !== 'message') timesTold += 1;
		const delay = kind === 'message' ? answerTime : Math.max(Number(time) || 0, 0);
		const isOfClick = kind === 'message' || (delay <= longestOfClick && Number(depth) <= deepest);
		const turn = turnNow();
		const isNext = goesOn(turn, delay);
		const isShort = isOfClick && (kind === 'message' || delay <= longest || isNext);
		const key = kind === 'message' ? `message ${id}` : id;
		const asked = performance.now();
		waiting.set(key, { at: asked + delay, isShort, isOfClick, kind, turn, asked, delay });
	};
	/** Again each time: a page that is written anew has lost its listeners. */
	const listen = () => addEventListener(told, hear, true);
	listen();
	/** When the first data had come since the step began. */
	let answered = Infinity;
	const noteAnswers = (answers: PerformanceEntryList) => {
		for (const answer of answers) {
			if (!(answer instanceof PerformanceResourceTiming)) continue;
			const { initiatorType: type, startTime, responseStart, responseEnd } = answer;
			const isData = type === 'fetch' || type === 'xmlhttprequest';
			if (isData && startTime >= begun) answered = Math.min(answered, responseStart || responseEnd);
		}
	};
	const answers = new PerformanceObserver((list) => noteAnswers(list.getEntries()));
	answers.observe({ type: 'resource' });
	const isPutOff = ({ isShort, turn: of, kind }: Waiting) =>
		isShort && kind !== 'message' && of > turnBefore && of !== turnOfChange;
	/** How many frames scripts had asked for when the step began, and by now; and when there were more last. */
	let [framesBefore, frames, lastFrame] = [0, 0, -Infinity];
	const noteFrames = () => {
		const [, count = 0] = asked();
		if (count > frames) lastFrame = performance.now();
		frames = Math.max(count, frames);
	};
	const isOfWorker = ({ turn: of, kind }: Waiting) => kind === 'message' && of > turnBefore;
	const isFollowUp = ({ isShort, kind, delay, asked }: Waiting) =>
		(isShort || (kind === 'again' && delay <= longest)) && asked >= answered;
	const stillWaiting = () => {
		listen();
		const now = performance.now();
		for (const [id, { at, kind }] of waiting) {
			if (now <= at + ({ over: 0, message: 0 }[kind] ?? late)) continue;
			if (kind === 'again') hadTurn(id);
			else waiting.delete(id);
		}
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
		noteChange: () => (turnOfChange = isTurnOver ? -1 : turn),
		beginStep() {
			noteFrames();
			[turnBefore, begun, answered, framesBefore] = [turn, performance.now(), Infinity, frames];
		},
		goOnAtOnce: () =>
			stillWaiting().some(({ kind, delay }) => kind === 'once' && delay <= shortest),
		timesLeft() {
			noteAnswers(answers.takeRecords());
			noteFrames();
			const now = performance.now();
			const still = stillWaiting();
			const goOn = frames > framesBefore + 1 && now - lastFrame < moment;
			const lastOf = (isMeant: (each: Waiting) => boolean) =>
				still.filter(isMeant).reduce((most, { at }) => Math.max(most, at - now, 1), 0);
			return {
				all: lastOf(({ isShort }) => isShort),
				ofClick: lastOf(({ isOfClick }) => isOfClick),
				putOff: lastOf(isPutOff),
				followUp: lastOf(isFollowUp),
				ofWorkers: lastOf(isOfWorker),
				ofFrames: goOn ? moment : 0,
			};
		},
	};
}
