import { textAt } from '../../../playground/json.ts';
import type { JsonObject } from '../../../playground/json.ts';
import { freePort } from '../../../playground/ports.ts';
import { useStage } from '../../support/n8n/stage';
import type { Stage } from '../../support/n8n/stage';
import { startService } from '../../support/service/startService';
import { openWorkflow } from './editor';
import type { Editor } from './editor';

export interface PictureStage {
	stage: Stage;
	/** The credential that the pictures show, with a name that a reader understands. */
	credential: () => { id: string; name: string };
	/** Stores a workflow of its own for each picture: n8n lets one page at a time change one. */
	open: (editor: Editor, workflow: JsonObject) => Promise<void>;
}

/** A stage whose service has the address that it usually has, and the demo tasks, or others. To be called in a `describe`. */
export function usePictureStage(tasks?: Record<string, unknown>): PictureStage {
	const stage = useStage(async () =>
		startService({ tasks, env: { SERVICE_PORT: String(await freePort(8787)) } }),
	);
	const name = 'Local Cloud Scraping service';
	let id = '';

	beforeAll(async () => {
		const { baseUrl, apiKey } = stage.service;
		const stored = await stage.n8n.api.post('/rest/credentials', {
			name,
			type: 'cloudScrapingApi',
			// As the README advises.
			data: { baseUrl, apiKey, allowedHttpRequestDomains: 'none' },
		});
		id = textAt(stored, 'id');
	});

	return {
		stage,
		credential: () => ({ id, name }),
		open: async ({ page }, workflow) => {
			const stored = await stage.n8n.api.post('/rest/workflows', { ...workflow, id: undefined });
			await openWorkflow(page, stage.n8n, textAt(stored, 'id'));
		},
	};
}
