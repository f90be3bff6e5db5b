/** What the last link of a pager says on each page: on the last page it leads back. */
export const leadingBack = {
	words: ['>Next', '>Next', '>Previous'],
	'words on two pages': ['>Next', '>Previous'],
	'words that nobody here knows': ['>Aurrera', '>Aurrera', '>Atzera'],
	'words with numbers': ['>Next 20 results', '>Next 1 result', '>Previous 20 results'],
	'the words of a journal': ['>Previous', '>Previous', '>Next'],
	numbers: ['>2', '>3', '>Back'],
	'numbers and an arrow': ['>2', '>3', '>«'],
	relations: ['rel="next">Basics', 'rel="next">Index', 'rel="prev">Basics'],
	labels: ['aria-label="Go on">→', 'aria-label="Go on">→', 'aria-label="Go back">←'],
	icons: ['><svg id="on"/>', '><svg id="on"/>', '><svg id="back"/>'],
};

/** The same where it leads on from all but the last page, on which there is none. */
export const leadingOn = {
	titles: ['>Basics', '>More', '>Index'],
	'numbers and a word': ['>2', '>3', '>Next'],
	'numbers and dots': ['>2', '>3', '>…'],
	'numbers and arrows': ['>2', '>3', '>››'],
	'numbers and the next of them': ['>2', '>Next 10', '>4'],
	'words with an end': ['>Next', '>Next', '>Next (the last page)'],
	'classes and words': ['class="next">Next', 'class="next">Next', 'class="next">The end'],
	'icons that are never the same': ['><svg id="1"/>', '><svg id="2"/>', '><svg id="3"/>'],
};
