/** Whether a text says anything: a few dots or strokes, or what ends in dots, as "Loading…", stand in the place of what comes. */
export function saysAnything(text: string): boolean {
	return /[\p{L}\p{N}\p{So}]/u.test(text) && !/(…|\.\.\.)\s*$/.test(text);
}
