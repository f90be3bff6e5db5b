import { answer } from './answering.ts';
import { readingCommands } from './readingCommands.ts';

// A thread of `Readers`.
answer(readingCommands);
