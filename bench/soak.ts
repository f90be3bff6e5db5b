import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { installCommunityPackage } from '../playground/communityPackage.ts';
import { listAt, objectAt, textAt } from '../playground/json.ts';
import { startN8n } from '../playground/n8n.ts';
import { N8nApi } from '../playground/n8nApi.ts';
import { freePort } from '../playground/ports.ts';
import { root } from './ground/folders.ts';
import { startService } from './ground/service.ts';
import { machine, machineLine } from './report/machine.ts';
import { writeRawResult } from './report/rawResult.ts';
import { takeSample, thirdsTable } from './soak/sample.ts';
import type { Sample } from './soak/sample.ts';
import { soakWorkflows } from './soak/workflows.ts';

/** Scheduled runs in a real n8n for so many minutes: `npm run bench:soak -- 30`. */
const minutes = Number(process.argv[2] ?? 30);
const sampleEveryMs = 15_000;
const taskID = '11111111-1111-4111-8111-111111111111';

const where = machine('playground/node_modules/n8n');
const folder = mkdtempSync(join(tmpdir(), 'cloud-scraping-soak-'));
const pack = join(root, 'scripts', 'pack.mjs');
const tarball = execFileSync(process.execPath, [pack], { encoding: 'utf8' }).trim();
const service = await startService();
const userFolder = join(folder, 'n8n');
installCommunityPackage(tarball, userFolder);
const n8n = await startN8n({
	playground: join(root, 'playground'),
	userFolder,
	port: await freePort(),
	brokerPort: await freePort(),
	logFile: join(folder, 'n8n.log'),
	env: {
		npm_config_offline: 'true',
		N8N_METRICS: 'true',
		// Thousands of executions would fill the database; those that fail are kept, and counted.
		EXECUTIONS_DATA_SAVE_ON_SUCCESS: 'none',
	},
});

try {
	const api = new N8nApi(n8n.url);
	await api.signIn({ email: 'owner@soak.local', password: 'Owner-of-a-soak-1' });
	const credential = await api.post('/rest/credentials', {
		name: 'Soak',
		type: 'cloudScrapingApi',
		data: { baseUrl: service.baseUrl, apiKey: service.apiKey },
	});
	for (const workflow of soakWorkflows(textAt(credential, 'id'), taskID)) {
		const stored = objectAt(await api.post('/rest/workflows', workflow));
		await api.post(`/rest/workflows/${textAt(stored, 'id')}/activate`, {
			versionId: stored.versionId,
		});
	}

	const samples: Sample[] = [];
	const begin = Date.now();
	while (Date.now() - begin < minutes * 60_000) {
		await wait(sampleEveryMs);
		const seconds = Math.round((Date.now() - begin) / 1000);
		samples.push(await takeSample(n8n.program.pid, n8n.url, seconds));
		process.stderr.write(`${seconds} s of ${minutes * 60} s\n`);
	}

	const runs = await batchesOf();
	const failed = listAt(await api.get('/rest/executions'), 'results')
		.map((execution) => String(objectAt(execution).status))
		.filter((status) => ['error', 'crashed', 'canceled'].includes(status)).length;
	const report = [
		machineLine(where),
		`${minutes} minutes, ${runs} runs of the task, ${failed} failed executions`,
		thirdsTable(samples),
	];
	process.stdout.write(`${report.join('\n\n')}\n`);
	writeRawResult('soak', { machine: where, minutes, runs, failed, samples });
	if (failed > 0) process.exitCode = 1;
} finally {
	await n8n.stop();
	await service.stop();
	rmSync(folder, { recursive: true, force: true });
}

/** How many runs there have been, by the service's own count. */
async function batchesOf(): Promise<number> {
	const query = new URLSearchParams({ taskID, page: '1', size: '1', orderBy: '0' });
	const response = await fetch(`${service.baseUrl}/cloud/batches?${query.toString()}`, {
		headers: { authorization: `Bearer ${service.apiKey}`, 'x-cp-request-id': randomUUID() },
	});
	const answer: unknown = await response.json();
	return Number(objectAt(objectAt(objectAt(answer), 'data'), 'pagination').total);
}
