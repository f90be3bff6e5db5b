import { answer } from '../../pages/http/answering.ts';
import { readingCommands } from '../../pages/http/readingCommands.ts';
import { pickingCommands } from './pickingCommands.ts';

// A thread of `PickerReaders`: agents and the picker share its documents and its time.
answer({ ...readingCommands, ...pickingCommands });
