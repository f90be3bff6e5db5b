import { words } from './words.ts';

// What names of elements, attributes, classes and ids tell: lists, and nothing that is done with them.

/** Attributes that say what an element is. */
export const semanticAttributes = words(
	'itemprop itemtype data-testid data-test data-qa data-type rel accesskey role aria-label title name type property',
);

/** Titles that say where a link leads from here, and not what is there. */
export const direction = /^(next|prev(ious)?|first|last|older|newer|up)\b/i;

/** Elements of which a page mostly has one, or which hold its parts. */
export const landmarks = new Set(words('h1 main article nav aside header footer table body'));

/** What a tool has made up: the next version of the page has another one. */
export const generated = [
	/^(css|sc|jss|emotion|styled|svelte|astro|tss|mantine|makeStyles)-/i,
	/^_(?![a-z]+(_[a-z]+)*$)/,
	// Ids that are counted up: id5, node12, post-4711, ui-id-3, mw-content-42.
	/(^|[-_a-z])\d{2,}$/i,
	/^(id|n|toc-?entry|node|ember|react|yui|ext-gen|ui-id|_idx)[-_]?\d+$/i,
	/^:r/,
	// React Native for the web.
	/^r-[a-z0-9]{5,}$/,
	/[0-9a-f]{8,}/i,
];

/** What an element is at the moment, or by its place: others have it tomorrow. */
export const passing =
	/^(active|current|selected|open|closed|collapsed|expanded|hidden|visible|show|hover|focus|first|last|odd|even|alt|is-.*|has-.*|js-.*|row-?(odd|even)|(odd|even)-?row|(alt|row|odd|even|stripe)-?colou?r|loaded|lazy.*|new|sale|sold-?out|featured|promoted|highlight(ed)?)$/i;

/** A word in a class that says how something is, and not what: others of its kind are otherwise, or will be. */
export const state =
	/(^|[-_])(un(?!i|der)[a-z]{3,}|[a-z]{3,}(?<!e)ed|[a-z]{3,}able|in|out|on|off|online|offline|for|with|without|not|no|open|closed|read|seen|sold|free|full|paid|live|hot|old|public|private|protected|success|danger|warning)([-_]|$)/i;

/** How an element looks: of all that looks so, few are what is meant. */
export const looks =
	/^-?(m|p)[trblxyse]?-|^(col|row|w|h|min|max|text|bg|border|rounded|flex|grid|gap|space|font|leading|tracking|items|justify|self|order|float|clear|d|align|pull|push|offset|container|clearfix|block|inline|left|right|center|small|large|bold)(-|$)|[:[\]/!@]/i;

/** Ends of names by which the first, the last or every other of some things differs from the rest. */
export const passingEnd =
	/(?:[-_]+|(?<=[a-z0-9])(?=[A-Z]))(?:first|last|odd|even|alt|active|current|selected)$/i;

/** Capitals that stand for something: others are shuffled letters. */
export const acronyms =
	/^(ID|UI|UX|URL|URI|HTML|CSS|JS|API|CTA|FAQ|SKU|PDF|RSS|TV|USD|EUR|GBP|XXS|XS|SM|MD|LG|XL|XXL|OK|QA|SEO|ISBN|GDPR|CMS|VIP|AZ|SVG|GPS|ETA)$/;

/**
 * Pairs of letters that hardly a word has: fewer than two of 4,600 common ones of English documentation.
 * Letters by chance mostly hold such a pair, and among several names of letters by chance most do.
 */
export const rarePair =
	/a[ahoz]|b[fhknwz]|c[bdfgjnpwxz]|d[fhkxz]|f[bcdghjkmpqvwxz]|g[bcjkpqvwx]|h[bcdfghjkpqvwxz]|i[hijuwy]|j[bcdfghijklmnpqrtvwxyz]|k[bcdhjkmqrvxyz]|l[hjqrwxz]|m[fghjkqrtvwxyz]|n[qx]|o[hqz]|p[bfjkmnqvwxz]|q[acdefghijklmnopqrstvwxyz]|r[jqxz]|s[bdgjrvxz]|t[bgjkqvxz]|u[hjkquvwyz]|v[bcdfghjklmnpqrtvwxyz]|w[bcdfgjkmpqtuvwxyz]|x[bdfgjklmnoqruvwxyz]|y[dfhjkqruvxy]|z[bcdfghjklmnpqrstuvwx]/i;

/** What people write where tools put five letters by chance: the ends of classes of blocks. */
export const fiveLetters =
	/^(title|price|image|label|brand|badge|count|stars|thumb|media|inner|outer|items|links|group|block|input|field|value|total|photo|intro|aside|table|state|names|dates|texts|icons|cells|lists|heads)$/;
