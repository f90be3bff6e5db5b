import { threadId } from 'node:worker_threads';
import { answer } from '../../service/src/pages/http/answering.ts';

// A thread of `Readers` that says which one it is.
answer({ threadOf: () => threadId });
