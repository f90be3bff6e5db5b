import { Readers } from '../pages/http/readers.ts';
import type { ReadingCommands } from '../pages/http/readingCommands.ts';
import { threadFile } from '../pages/http/threadFile.ts';
import type { pickingCommands } from './document/pickingCommands.ts';

/** Threads that read documents for agents, and in which the picker finds what was pointed at. */
export class PickerReaders extends Readers<ReadingCommands & typeof pickingCommands> {
	constructor() {
		super(threadFile('./document/pickerThread', import.meta.url));
	}
}
