import { randomUUID } from 'node:crypto';

import { wholeLog } from '../../support/engine/n8nLog';
import { startScriptedService } from '../../support/scriptedService/scriptedService';
import type { ScriptedService, SeenRequest } from '../../support/scriptedService/scriptedService';
import type { Outcome } from './attempts';
import { certainty, errorOf, expectation, whileWaiting } from './expectation';
import type { Often } from './expectation';
import { apiKey } from './faults';
import type { Fault } from './faults';
import { Gate } from './gate';
import type { Place } from './places';
import { UnreachedRequests } from './unreached';

/** Whether there is such a cell: it is the first request that finds nobody, and a name stays unknown. */
export function exists({ address }: Fault, { isFirst }: Place, often: Often): boolean {
	if (address === 'unknown host') return isFirst && often === 'always';
	return address === undefined || isFirst;
}

/**
 * Lets one fault hit one place, and checks everything that must hold. Returns what was seen, for the
 * printed matrix.
 */
export async function checkCell(
	fault: Fault,
	place: Place,
	often: Often,
	passMinutes: (minutes: number) => void,
): Promise<string> {
	const service = await startScriptedService({ apiKey });
	const elsewhere = await startScriptedService();
	const gate = fault.address === 'closed port' ? await Gate.before(service) : undefined;
	try {
		place.prepare(service, passMinutes);
		const attempt = await place.begin(service);
		const seenBefore = service.requests.length;
		const inflicted = fault.address
			? moveAway(service, gate, place, often)
			: answerOtherwise(service, elsewhere, fault, place, often);
		const outcome = await attempt();
		const arrived = service.requests
			.slice(seenBefore)
			.filter(({ endpoint }) => endpoint === place.endpoint);
		inflicted.lift();

		const should = expectation(fault, place, often, arrived[place.before]);
		const requests = arrived.length + inflicted.unreached();
		if (should.requests !== undefined) expect(requests).toBe(should.requests);
		else expectTriedForMinutes(arrived);
		if (should.succeeds) {
			expect(outcome.error).toBeUndefined();
			expect(outcome.rows).toEqual(place.rows);
		} else expectError(outcome, fault, place);
		expectStartedOnce(service, place);
		if (place.comesLater) {
			expect((await attempt()).rows).toEqual(should.succeeds ? [] : place.rows);
			expect((await attempt()).rows).toEqual([]);
		}
		await expectNoKey(outcome, elsewhere);
		return `${outcome.error?.shown ?? `${outcome.rows.length} ok`}, ${requests}×`;
	} finally {
		gate?.close();
		await service.stop();
		await elsewhere.stop();
	}
}

interface Inflicted {
	/** Ends it. */
	lift(): void;
	/** Requests that have reached nobody. */
	unreached(): number;
}

function answerOtherwise(
	service: ScriptedService,
	elsewhere: ScriptedService,
	{ answer }: Fault,
	{ endpoint, before, kind }: Place,
	often: Often,
): Inflicted {
	let isOver = false;
	const scripted = answer?.(elsewhere.baseUrl);
	const always = kind === 'wait' ? whileWaiting : Infinity;
	service.script(endpoint, () => (isOver ? undefined : scripted), {
		skip: before,
		times: often === 'once' ? 1 : always,
	});
	return { lift: () => void (isOver = true), unreached: () => 0 };
}

/** The service is not where the node looks for it; once: it is back after the first request. */
function moveAway(
	{ credential }: ScriptedService,
	gate: Gate | undefined,
	{ endpoint }: Place,
	often: Often,
): Inflicted {
	const { baseUrl } = credential;
	if (gate) gate.close();
	else credential.baseUrl = `http://${randomUUID()}.invalid`;
	const unreached = new UnreachedRequests(credential.baseUrl, endpoint, () => {
		if (often === 'once') gate?.open();
	});
	return {
		lift: () => {
			unreached.stop();
			credential.baseUrl = baseUrl;
			gate?.open();
		},
		unreached: () => unreached.count,
	};
}

function expectError({ error, rows }: Outcome, fault: Fault, place: Place): void {
	expect(rows).toEqual([]);
	const { shown, message } = errorOf(fault, place);
	expect(error?.shown).toBe(shown);
	expect(error?.message).toContain(message);
	expect(error?.description).toContain(fault.said);
	expect(error?.description).toMatch(/Request ID: [0-9a-f-]{36}/);
	const certain = certainty(fault, place);
	if (certain) expect(error?.description).toContain(certain);
	else expect(error?.description).not.toMatch(/The task (was not|may have been)/);
}

/** Each minute or so, for five of them: how long a try takes decides whether there is one more. */
function expectTriedForMinutes(arrived: SeenRequest[]): void {
	expect(arrived.length).toBeGreaterThanOrEqual(4);
	const [first, last] = [arrived[0], arrived[arrived.length - 1]];
	expect(last.at - first.at).toBeGreaterThan(180_000);
}

/** At most one run has begun, and a place after the start has seen no further start. */
function expectStartedOnce(service: ScriptedService, { endpoint, starts }: Place): void {
	expect(service.batches.length).toBeLessThanOrEqual(1);
	if (endpoint !== 'start') expect(service.sentTo('start')).toHaveLength(starts);
}

/** Nothing that n8n keeps or shows has the key, and nobody else got a request. */
async function expectNoKey({ traces }: Outcome, elsewhere: ScriptedService): Promise<void> {
	expect(traces.includes(apiKey)).toBe(false);
	expect((await wholeLog()).includes(apiKey)).toBe(false);
	expect(elsewhere.requests).toEqual([]);
}
