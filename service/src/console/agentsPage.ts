import type { FastifyInstance } from 'fastify';
import { unevenProxies, type UnevenProxy } from '../runs/unevenProxies.ts';
import { unservedBatches } from '../runs/unserved.ts';
import { regions } from '../store/batch.ts';
import type { WaitingBatch } from '../store/backlog.ts';
import type { KnownProcess } from '../store/processStore.ts';
import { html, type Html, type HtmlValue } from '../text/html.ts';
import type { ConsoleParts } from './consoleParts.ts';
import { page, sendPage } from './layout.ts';
import { sendLive } from './live.ts';
import { batchPath } from './paths.ts';
import { table } from './table.ts';
import { counted, grouped, shortened, timeOf } from './words.ts';

/** The processes that work with the database, and the batches that none of them will work on. */
export function agentsRoutes(server: FastifyInstance, parts: ConsoleParts): void {
	server.get('/agents', async (_request, reply) =>
		sendPage(
			reply,
			page({
				title: 'Agents',
				section: 'agents',
				content: html`<div hx-sse:connect="/console/agents/live" hx-swap="innerMorph">
					${await whoIsAtWork(parts)}
				</div>`,
			}),
		),
	);
	server.get('/agents/live', (request, reply) =>
		sendLive(parts, request, reply, async () => ({
			content: await whoIsAtWork(parts),
			isOver: false,
		})),
	);
}

async function whoIsAtWork(parts: ConsoleParts): Promise<Html> {
	const processes = await parts.presence.list();
	const unserved = await unservedBatches(parts.backlog, processes);
	return html`
		${unserved.count > 0 && unservedNotice(parts, unserved)}
		${unevenProxies(processes).map(unevenNotice)} ${await figures(parts, processes)}
		<section>
			<h2>Processes</h2>
			${table(
				'Processes',
				[
					'Process',
					'State',
					{ name: 'Busy agents', isNumber: true },
					'Regions',
					{ name: 'Memory', isNumber: true },
					'Since',
					'Version',
				],
				processes.map(processRow),
			)}
			${processes.some(({ isSilent }) => isSilent) && aboutSilence}
		</section>
	`;
}

async function figures({ backlog }: ConsoleParts, processes: KnownProcess[]): Promise<Html> {
	const { waiting, running } = await backlog.batchCounts();
	const atWork = processes.filter(({ isSilent }) => !isSilent);
	const sum = (of: (each: KnownProcess) => number) =>
		grouped(atWork.reduce((total, each) => total + of(each), 0));
	return html`<div class="card">
		<dl class="figures">
			${figure(
				'Agents',
				sum(({ agents }) => agents),
			)}
			${figure(
				'Busy',
				sum(({ busyAgents }) => busyAgents),
			)}
			${figure('Batches running', grouped(running))} ${figure('Batches waiting', grouped(waiting))}
		</dl>
	</div>`;
}

function figure(name: string, value: HtmlValue): Html {
	return html`<div>
		<dt>${name}</dt>
		<dd>${value}</dd>
	</div>`;
}

function processRow(known: KnownProcess): Html {
	const { name, kind, version, agents, busyAgents, memory, startTime, isSilent } = known;
	return html`<tr>
		<th scope="row">
			<bdi>${shortened(name, 100)}</bdi>
			<span class="kind">${kind === 'api' ? 'API and console' : 'agents alone'}</span>
		</th>
		<td>${stateOf(known)}</td>
		<td class="number" data-label="Busy agents">
			${agents === 0 ? '–' : `${isSilent ? '–' : grouped(busyAgents)} of ${grouped(agents)}`}
		</td>
		<td data-label="Regions">${regionsOf(known)}</td>
		<td class="number" data-label="Memory">${grouped(Math.round(memory / 1024 ** 2))} MiB</td>
		<td data-label="Since">${timeOf(startTime)}</td>
		<td data-label="Version">${version}</td>
	</tr>`;
}

function stateOf({ isSilent, lastReport, agents, busyAgents }: KnownProcess): Html {
	if (isSilent) {
		return html`<span class="badge warn">Not heard of</span>
			<div class="muted">since ${timeOf(lastReport)}</div>`;
	}
	if (busyAgents > 0) return html`<span class="badge running">At work</span>`;
	return html`<span class="badge">${agents > 0 ? 'Idle' : 'No agents'}</span>`;
}

function regionsOf({ regions: served }: KnownProcess): string {
	return regions.every((region) => served.includes(region)) ? 'all' : served.join(', ');
}

const aboutSilence = html`<p class="muted">
	A process that was not heard of for 30 seconds has crashed, hangs, or does not reach the database.
	Others take up its work. It is forgotten after a day.
</p>`;

function unservedNotice(
	parts: ConsoleParts,
	{ batches, count }: { batches: WaitingBatch[]; count: number },
): Html {
	const waitedFor = [...new Set(batches.map(({ region }) => region))];
	const one = count === 1;
	return html`<section class="notice warn">
		<h2>
			${counted(count, 'batch')} ${one ? 'waits for a region' : 'wait for regions'} without agents
		</h2>
		<p>
			No process with agents serves
			${waitedFor.map((region, index) => html`${index > 0 && ', '}<b>${region}</b>`)}. Start one
			with
			<code>SERVICE_REGIONS=${waitedFor.join()}</code>, or without that setting, which is for all
			regions. Or stop ${one ? 'the batch' : 'a batch'}, and start its task for another region.
		</p>
		<ul>
			${batches.map((batch) => waitingLine(parts, batch))}
		</ul>
		${
			count > batches.length &&
			html`<p class="muted">And ${grouped(count - batches.length)} more.</p>`
		}
	</section>`;
}

function unevenNotice({ region, others }: UnevenProxy): Html {
	return html`<p class="notice warn">
		Pages of the region <b>${region}</b> come another way, through another proxy or none, at
		${others.map((name, index) => html`${index > 0 && ', '}<b><bdi>${name}</bdi></b>`)} than at the
		rest. Start all that serve it with the same <code>SERVICE_REGION_PROXIES</code>.
	</p>`;
}

function waitingLine({ tasks }: ConsoleParts, batch: WaitingBatch): Html {
	const name = shortened(tasks.find(batch.taskID)?.name ?? batch.taskID);
	return html`<li>
		<a href="${batchPath(batch)}"><bdi>${name}</bdi></a
		>, ${batch.region}, since ${timeOf(batch.createTime)}
	</li>`;
}
