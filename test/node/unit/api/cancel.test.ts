import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { eitherOf } from '../../../../nodes/CloudScraping/api/cancel';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const never = new AbortController().signal;

it('a timeout that nobody else knows is over in its time, whatever is thrown away meanwhile', async () => {
	const either = eitherOf(never, AbortSignal.timeout(200));
	const over = new Promise((resolve) => either.addEventListener('abort', resolve));
	await new Promise(setImmediate);
	collectGarbage();
	await over;
	expect(either.aborted).toBe(true);
});

it('what aborts the other one aborts it', () => {
	const other = new AbortController();
	const either = eitherOf(other.signal, AbortSignal.timeout(60_000));
	other.abort();
	expect(either.aborted).toBe(true);
});
