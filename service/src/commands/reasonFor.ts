import { reasonOf } from '../errors/thrown.ts';
import { withoutPasswords } from '../log/withoutPasswords.ts';
import { settings } from '../settings/settings.ts';
import type { Flags } from './commandLine.ts';

/** What an error says to who has typed these flags: of these settings by their flags, and nothing of passwords. */
export function reasonFor(error: unknown, flags: Flags): string {
	return withoutPasswords(asTyped(reasonOf(error), flags));
}

/** A text that calls settings by their variables: those that were typed, it calls by their flags. */
export function asTyped(text: string, flags: Flags): string {
	const typed = settings.filter(({ flag }) => flags[flag] !== undefined);
	return typed.reduce(
		(said, { flag, variable }) => said.replace(new RegExp(`\\b${variable}\\b`, 'g'), `--${flag}`),
		text,
	);
}
