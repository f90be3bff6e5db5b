import type { INodeParameters } from 'n8n-workflow';
import { setTimeout as wait } from 'node:timers/promises';

import { useFastClock } from '../../support/engine/fastClock';
import { runOn } from '../../support/engine/runNode';
import { useScriptedService } from '../../support/engine/useScriptedService';
import { success } from '../../support/scriptedService/scriptedAnswers';
import type { ScriptedBatch } from '../../support/scriptedService/scriptedStore';
import { onTheWire } from '../../support/scriptedService/scriptedStore';

/** A second stop would hit the run of the task that comes next. */
describe('a batch over its budget', () => {
	useFastClock();
	const service = useScriptedService();

	const rows = ['{"n":1}', '{"n":2}', '{"n":3}'];

	/** A batch that goes on, and has as many rows as it may have. */
	const addSpent = () => service.addBatch({ status: 2, rows, lineCount: 3 });

	const end = (batch: ScriptedBatch) => Object.assign(batch, { status: 4, endTime: Date.now() });

	/** The service promises to stop a batch, and answers before it has done so. */
	const promised = (batch: ScriptedBatch) => success(onTheWire({ ...batch, status: 2 }));

	/** Get Data waits for that batch in so many input items. */
	const readIn = async (items: number, { batchID }: ScriptedBatch) => {
		const parameters: INodeParameters = {
			operation: 'getData',
			batch: 'id',
			batchId: String(batchID),
			options: { waitForEnd: true, pollInterval: 1, stopAtRows: 3 },
		};
		return await runOn(service, parameters, { input: Array.from({ length: items }, () => ({})) });
	};

	test('is stopped once when its stop takes time, though it stands in several items', async () => {
		const own = addSpent();
		service.script('stop', () => {
			const begin = () => {
				end(own);
				service.addBatch({ status: 2 });
				return undefined;
			};
			// Each of the items has looked several times in the meantime.
			service.script('batches', begin, { skip: 9, times: 1 });
			return promised(own);
		});
		const result = await readIn(3, own);
		expect(service.sentTo('stop')).toHaveLength(1);
		expect(result.rows).toHaveLength(9);
		expect(service.batches.map(({ status }) => status)).toEqual([4, 2]);
	});

	test('is stopped once, also where the next run begins at once', async () => {
		const own = addSpent();
		service.script('stop', () => {
			end(own);
			service.addBatch({ status: 2 });
			return success(onTheWire(own));
		});
		const result = await readIn(2, own);
		expect(service.sentTo('stop')).toHaveLength(1);
		expect(result.rows).toHaveLength(6);
		expect(service.batches.map(({ status }) => status)).toEqual([4, 2]);
	});

	test('is stopped again only when the stop before has failed', async () => {
		const own = addSpent();
		let underWay = 0;
		let mostUnderWay = 0;
		service.script(
			'stop',
			async () => {
				underWay++;
				mostUnderWay = Math.max(mostUnderWay, underWay);
				// Meanwhile the item whose stop has failed polls again.
				if (service.sentTo('stop').length > 1) await wait(100);
				underWay--;
				return { status: 503 };
			},
			{ times: 3 },
		);
		const result = await readIn(3, own);
		expect(mostUnderWay).toBe(1);
		expect(service.sentTo('stop')).toHaveLength(4);
		expect(result.rows).toHaveLength(9);
	});

	test('is waited for after its stop, however many newer ones there are', async () => {
		const own = addSpent();
		for (let newer = 0; newer < 200; newer++) service.addBatch();
		service.script('stop', () => {
			const answer = promised(own);
			end(own);
			return answer;
		});
		const { rows: read, error, hints } = await readIn(1, own);
		expect(error).toBeUndefined();
		expect(read).toHaveLength(3);
		expect(hints).toContain('Batch 1001 was stopped at 3 rows (Stop at Rows: 3).');
	});
});
