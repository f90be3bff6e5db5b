/** Whether a text says anything: a few dots or strokes, or what ends in dots, as "Loading…", stand in the place of what comes. */
export function saysAnything(text: string | null): boolean {
	return text !== null && /[\p{L}\p{N}\p{So}]/u.test(text) && !/(…|\.\.\.)\s*$/.test(text);
}
