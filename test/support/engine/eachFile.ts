import { aroundEach, beforeAll } from 'vitest';

import { beginLog } from './n8nLog';
import { asTest } from './outlived';

// The files of a worker share n8n-core; what a test leaves behind must not meddle with the next one.
aroundEach(asTest);
beforeAll(beginLog);
