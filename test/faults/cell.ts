import { readFileSync } from 'node:fs';

import { logFile } from '../engine/engineEnvironment';
import { closedPort, startScriptedService } from '../engine/scriptedService';
import type { ScriptedService, SeenRequest } from '../engine/scriptedService';
import type { Fault } from './faults';
import type { Place } from './places';

export type Often = 'once' | 'always';

/** A run that is waited for outlives a fault that is over after so many requests. */
const WHILE_WAITING = 6;

const KEY = 'sk-of-the-fault-matrix-4711';

const TRIES = 4;

/** Whether there is such a cell: at a wrong address it is the first request that finds nobody, always. */
export function exists({ address }: Fault, { isFirst }: Place, often: Often): boolean {
	return address === undefined || (isFirst && often === 'always');
}

/**
 * Lets one fault hit one place, and checks everything that must hold. Returns what was seen, for the
 * printed matrix.
 */
export async function checkCell(fault: Fault, place: Place, often: Often): Promise<string> {
	const service = await startScriptedService({ apiKey: KEY });
	const elsewhere = await startScriptedService();
	try {
		place.prepare(service);
		const attempt = await place.begin(service);
		const seenBefore = service.requests.length;
		const lift = await inflict(service, elsewhere, fault, place, often);
		const outcome = await attempt();

		const requests = service.requests
			.slice(seenBefore)
			.filter(({ endpoint }) => endpoint === place.endpoint);
		const should = expected(fault, place, often, requests[place.before]);
		expect(requests).toHaveLength(should.requests);
		if (should.succeeds) {
			expect(outcome.error).toBeUndefined();
			expect(outcome.rows).toEqual(place.rows);
		} else {
			expect(outcome.error?.message).toContain(fault.message);
			expect(outcome.error?.description).toContain(fault.said);
			expect(outcome.rows).toEqual([]);
		}

		lift();
		if (place.comesLater) {
			expect((await attempt()).rows).toEqual(should.succeeds ? [] : place.rows);
			expect((await attempt()).rows).toEqual([]);
		}
		expect(service.batches.length).toBeLessThanOrEqual(1);
		expectNoKey(outcome.traces, elsewhere);
		return `${should.succeeds ? 'ok' : 'error'} ${requests.length}`;
	} finally {
		await service.stop();
		await elsewhere.stop();
	}
}

/** Returns how to end it. */
async function inflict(
	service: ScriptedService,
	elsewhere: ScriptedService,
	{ answer, address }: Fault,
	{ endpoint, before, kind }: Place,
	often: Often,
): Promise<() => void> {
	let isOver = false;
	if (answer) {
		const always = kind === 'wait' ? WHILE_WAITING : Infinity;
		const scripted = answer(elsewhere.baseUrl);
		service.script(endpoint, () => (isOver ? undefined : scripted), {
			skip: before,
			times: often === 'once' ? 1 : always,
		});
	}
	const { credential, baseUrl } = service;
	if (address === 'closed port') credential.baseUrl = await closedPort();
	if (address === 'unknown host') credential.baseUrl = 'http://service.invalid';
	return () => {
		isOver = true;
		credential.baseUrl = baseUrl;
	};
}

/** How many requests the place's endpoint gets, and whether the operation succeeds all the same. */
function expected(
	fault: Fault,
	{ kind, endpoint, before, inAll }: Place,
	often: Often,
	hit: SeenRequest | undefined,
): { requests: number; succeeds: boolean } {
	const fails = (requests: number) => ({ requests, succeeds: false });
	const succeeds = (requests: number) => ({ requests, succeeds: true });
	if (fault.address) return fails(0);
	if (fault.sentAgain === 'none needed') return succeeds(inAll);
	if (fault.sentAgain === 'reads, with smaller pages' && kind !== 'act') {
		const halvings = Math.floor(Math.log2(Number(hit?.query.size)));
		if (often === 'always') return fails(before + 1 + halvings);
		// The last three of five rows come in pages of one instead of two.
		return succeeds(endpoint === 'data' ? inAll + 2 : inAll + 1);
	}
	const again = fault.sentAgain === 'all' || (fault.sentAgain === 'reads' && kind !== 'act');
	if (!again) return fails(before + 1);
	if (often === 'once') return succeeds(inAll + 1);
	return kind === 'wait' && fault.passes ? succeeds(inAll + WHILE_WAITING) : fails(before + TRIES);
}

/** Nothing that n8n keeps or shows has the key, and nobody else got a request. */
function expectNoKey(traces: string, elsewhere: ScriptedService): void {
	expect(traces).not.toContain(KEY);
	expect(readFileSync(logFile, 'utf8')).not.toContain(KEY);
	expect(elsewhere.requests).toEqual([]);
}
