import fc from 'fast-check';

const { SEED = '20261122' } = process.env;

/** Of what is drawn at random: the same in each run, so that a run proves what the last one did. */
export const seed = SEED === 'random' ? Date.now() % 2 ** 31 : Number(SEED);

fc.configureGlobal({ seed });

/** fast-check; `SEED=random` (or a number) before a test command draws something else. */
export { fc };
