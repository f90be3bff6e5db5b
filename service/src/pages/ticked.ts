const yes = new Set(['true', 'yes', 'on', '1']);
const no = new Set(['false', 'no', 'off', '0', '']);

/** Whether a text that is typed into a box ticks it: by itself, or as the box's own value; undefined for any other. */
export function tickedBy(text: string, value: string | undefined): boolean | undefined {
	const said = text.trim().toLowerCase();
	if (text === value || yes.has(said)) return true;
	return no.has(said) ? false : undefined;
}
