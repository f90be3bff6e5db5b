import { statfsSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const memory = '/dev/shm';

/** Bytes that have to be free there: the largest test writes some hundred million. */
const enough = 4e9;

/**
 * A new folder for the data of a service; in memory, where there is room: how soon a service answers, and
 * ends, is not to depend on what others write to the disk.
 */
export async function serviceFolder(): Promise<string> {
	return await mkdtemp(join(hasRoom() ? memory : tmpdir(), 'cloud-scraping-service-'));
}

function hasRoom(): boolean {
	try {
		const { bavail, bsize } = statfsSync(memory);
		return bavail * bsize >= enough;
	} catch {
		// No such folder: this is no Linux.
		return false;
	}
}
