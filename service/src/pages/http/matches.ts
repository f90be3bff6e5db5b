import { RE2JS } from 're2js';

const expressions = new Map<string, RE2JS>();

/** Expressions that are kept compiled. */
const maxExpressions = 1_000;

/**
 * Of each text what the first group of an expression matches, or all of it if it has none; nothing of
 * those that it does not match.
 */
export function matchesIn(texts: string[], match: string): string[] {
	const expression = expressionOf(match);
	return texts
		.map((text) => {
			const matcher = expression.matcher(text);
			return matcher.find() ? (matcher.group(matcher.groupCount() > 0 ? 1 : 0) ?? '') : '';
		})
		.filter((kept) => kept !== '');
}

function expressionOf(match: string): RE2JS {
	const known = expressions.get(match);
	if (known) return known;
	if (expressions.size >= maxExpressions) expressions.clear();
	const made = RE2JS.compile(match);
	expressions.set(match, made);
	return made;
}
