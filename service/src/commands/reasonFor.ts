import { reasonOf } from '../errors/thrown.ts';
import { withoutPasswords } from '../log/withoutPasswords.ts';
import { settings } from '../settings/settings.ts';
import type { Flags } from './commandLine.ts';

/** What an error says to who has typed these flags: of these settings by their flags, and nothing of passwords. */
export function reasonFor(error: unknown, flags: Flags): string {
	const typed = settings.filter(({ flag }) => flags[flag] !== undefined);
	const reason = typed.reduce(
		(text, { flag, variable }) => text.replace(new RegExp(`\\b${variable}\\b`, 'g'), `--${flag}`),
		reasonOf(error),
	);
	return withoutPasswords(reason);
}
