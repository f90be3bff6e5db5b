/** How pages say "next" in words; an arrow may stand behind it, or alone. */
const words =
	/^(next( page)?|older( posts| entries)?|weiter|nächste( seite)?|suivante?|page suivante|siguiente|próxim[ao]|seguinte|successiv[ao]|volgende|nästa|neste|næste|następna|další|далее|следующая|下一页|次へ|다음)\s*[›→»>]*$|^[›→>]$/i;

/** Whether a link that says this leads to the next page, wherever it stands. */
export function saysNext(label: string): boolean {
	return words.test(label);
}
