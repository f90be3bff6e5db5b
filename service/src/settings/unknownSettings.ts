import { closest, distance } from 'fastest-levenshtein';
import { settings } from './settings.ts';

const known = settings.map(({ variable }): string => variable);

/**
 * Says, for people, which variables of the environment look like settings and are none; undefined: none
 * does. They are not refused, as unknown keys of a task file are: other programs may have set them. What
 * they hold may be theirs, too, and is not said.
 */
export function unknownSettings(env: NodeJS.ProcessEnv): string | undefined {
	const unknown = Object.keys(env).filter(
		(name) => name.startsWith('SERVICE_') && !known.includes(name),
	);
	if (unknown.length === 0) return undefined;
	return `No setting of this service, and ignored: ${unknown.map(withNearest).join(', ')}. --help lists all settings.`;
}

/** The nearest one is named unless most letters would have to be others. */
function withNearest(name: string): string {
	const [, own = ''] = name.split('SERVICE_');
	const nearest = closest(name.toUpperCase(), known);
	return distance(name.toUpperCase(), nearest) <= own.length / 2
		? `${name} (${nearest} is one)`
		: name;
}
