import './engineEnvironment';

import { PollContext } from 'n8n-core';
import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	INodeExecutionData,
	INodeParameters,
} from 'n8n-workflow';
import { vi } from 'vitest';

import { CloudScrapingTrigger } from '../../../nodes/CloudScraping/CloudScrapingTrigger.node';
import { triggerWorkflow } from './engineWorkflow';

/** The trigger in an active workflow: n8n polls it, and keeps its static data between polls. */
export class ActiveTrigger {
	/** As JSON: n8n stores it in its database after each poll that did not fail. */
	staticData = '{}';

	/** What the user calls the node. */
	name = 'Trigger';

	/** What the last poll has written to n8n's log as warnings. */
	warnings: Array<{ text: string; details: Record<string, unknown> }> = [];

	/** Whether this n8n says how long a poll may take; releases before 2 do not. */
	hasBudget = false;

	readonly #parameters: INodeParameters;
	readonly #credential: ICredentialDataDecryptedObject;

	constructor(parameters: INodeParameters, credential: ICredentialDataDecryptedObject) {
		this.#parameters = parameters;
		this.#credential = credential;
	}

	/** One poll by n8n's schedule: the items that start the workflow, or null. */
	async poll(budgetMs?: number): Promise<INodeExecutionData[] | null> {
		return await this.#pollAs('trigger', budgetMs);
	}

	/** What the user sees who tests the trigger in the editor. */
	async test(): Promise<INodeExecutionData[] | null> {
		return await this.#pollAs('manual');
	}

	async #pollAs(mode: 'trigger' | 'manual', budgetMs = 300_000) {
		const stored = JSON.parse(this.staticData) as IDataObject;
		const parts = triggerWorkflow(
			{
				parameters: this.#parameters,
				credential: this.#credential,
				name: this.name,
			},
			stored,
		);
		const context = new PollContext(
			parts.workflow,
			parts.trigger,
			parts.additionalData,
			mode,
			mode === 'manual' ? 'manual' : 'activate',
			undefined,
			undefined,
			undefined,
			undefined,
			undefined,
			() => budgetMs,
		);
		this.hasBudget = typeof context.getPollBudgetMs === 'function';
		const warn = vi.spyOn(context.logger, 'warn');
		const output = await new CloudScrapingTrigger().poll.call(context);
		this.warnings = warn.mock.calls.map(([text, details]) => ({ text, details: { ...details } }));
		warn.mockRestore();
		this.staticData = JSON.stringify(parts.workflow.staticData);
		return output?.[0] ?? null;
	}
}
