import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { projectNode } from '../support/service/startService';

/** What came of a batch of two jobs in which this fails, as dispatcherRun.mjs prints it. */
function runWith(failing: 'page' | 'store'): unknown {
	const script = join(__dirname, 'dispatcherRun.mjs');
	return JSON.parse(execFileSync(projectNode, [script, failing], { encoding: 'utf8' }));
}

test('a page that fails as nobody has foreseen costs its job, and is logged', () => {
	expect(runWith('page')).toEqual({
		status: 3,
		lineCount: 1,
		endReason: '',
		errors: [{ msg: 'job failed, skipped', job: 0, reason: 'unforeseen' }],
	});
});

test('a store that fails ends the batch with the reason', () => {
	const reason =
		'The database cannot be written: database or disk is full. See to its disk, then start the task again.';
	expect(runWith('store')).toEqual({
		failure: reason,
		status: 4,
		lineCount: 0,
		endReason: reason,
		errors: [{ msg: 'batch cannot go on, stopped', reason }],
	});
});
