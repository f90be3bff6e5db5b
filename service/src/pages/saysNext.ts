/** How pages say "next" in words; an arrow may stand behind it, or alone. */
const words =
	/^(next( page)?|older( posts| entries)?|weiter|nächste( seite)?|suivante?|page suivante|siguiente|próxim[ao]|seguinte|successiv[ao]|volgende|nästa|neste|næste|następna|další|далее|следующая|下一页|次へ|다음)\s*[›→»>]*$|^[›→>]$/i;

/** Whether a link that says this leads to the next page, wherever it stands. */
export function saysNext(label: string): boolean {
	return words.test(label);
}

/** Words of a button that brings more of a list to the same page, or tries that again. */
const more =
	/(?<!\p{L})(more|all|rest|remaining|another|next|again|retry|reload|refresh|continue|mehr|weitere|alle|restliche|erneut|nochmals?|fortsetzen|plus|suite|tout|tous|toutes|réessayer|recharger|más|todos?|todas|reintentar|recargar|altri|altre|ancora|tutt[ie]|riprova|meer|opnieuw|mais|novamente|fler|flera|flere|alla|igen|więcej|ponownie|další|více|znovu|ещё|еще|все|снова|повторить)(?!\p{L})|^(show|load)\b.*\d|更多|全部|重试|もっと|さらに|すべて|再試行/iu;
/** Words of one that brings nothing more, takes it away, or leads back. */
const less =
	/(?<!\p{L})(no|none|nothing|less|fewer|end|loaded|prev|previous|back|top|weniger|keine|ende|zurück|nach oben|moins|aucune?|fin|précédente?|menos|ningun[oa]?|ningún|anterior|meno|nessun[oa]?|fine|indietro|minder|geen|einde|vorige|terug|nenhuma?|färre|inga|slut|færre|ingen|mniej|koniec|méně|konec|меньше|нет|конец|назад)(?!\p{L})|没有|已经/iu;

/** Words of one that mostly leads elsewhere, as to all products of a shop; not where it names nothing but more of the list. */
const elsewhere = /(?<!\p{L})(view|see|shop|browse|explore|discover)(?!\p{L})/iu;
const moreOfIt =
	/^(view|see|browse|explore|discover|show|load|get)( (the|more|rest|remaining|others?|last|next|\d+))+( (results?|items?|products?|entries|articles|posts|jobs|offers|reviews))?$/i;

/** Whether a button that says this brings more. */
export function saysMore(label: string): boolean {
	if (less.test(label)) return false;
	return moreOfIt.test(label) || (more.test(label) && !elsewhere.test(label));
}

/** Whether a button that says this brings nothing more. */
export function saysEnd(label: string): boolean {
	return less.test(label);
}
