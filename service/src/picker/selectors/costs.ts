/**
 * What each way to name elements costs: the less, the shorter the selector is, and the longer it lasts.
 * Only their order counts, and by how much one is worth a longer other.
 */
export const costs = {
	id: 1,
	/** An attribute that was put there for programs to find it by. */
	dataAttribute: 1.3,
	class: 1.5,
	element: 1.5,
	/** Inside of entries there may be others of the name one day. */
	elementOfList: 1.55,
	/** An attribute that says what an element is to search engines and browsers: `itemprop`, `rel`. */
	semanticAttribute: 1.8,
	classOfElement: 2,
	landmark: 2,
	/** The beginning of a class that a tool has ended. */
	classStem: 2.2,
	twoClasses: 2.5,
	otherAttribute: 2.5,
	/** A row with cells, unlike that of the headings. */
	rowWithCells: 2.5,
	/** What stands behind an element with an id. */
	behindId: 2.5,
	/** What has in it what was pointed at. */
	withInside: 3,
	/** What has in it what others beside it have not. */
	withOnlyInside: 3.2,
	/** A class that a script of the page finds it by. */
	hookClass: 4,
	/** Places alone, from the top of the page. */
	position: 20,
};

/** What is added where a way to name elements is worth less than it seems. */
export const extraCosts = {
	/** The bare name of an element by itself: there will be others of it on the page. */
	bareElement: 4.5,
	/** Each class of an element behind that which names it: the others may say how it is at the moment. */
	furtherClass: 0.01,
	/** The same of entries: those of other pages may be otherwise ("source", where others are "fork"). */
	furtherClassOfEntries: 0.35,
	/** A class that says how entries are: those that are otherwise, today or tomorrow, would be left out. */
	state: 5.5,
	/** "Without what others beside it are called"; "with what was pointed at in it". */
	without: 2.2,
	withInside: 2.5,
	/** An id that other pages of the kind will not have. */
	idOfThisPage: 4,
	/** Each level at which something stands above. */
	levelAbove: 0.3,
	/** "Inside of" said more strictly: ">". */
	child: 0.1,
};

/** What ways down from something with a name to what is meant cost. */
export const wayCosts = {
	/** The element of a list, right inside of what has a name, or anywhere in it. */
	container: 1,
	childContainer: 1.1,
	/** The name of an element between a list and its entries. */
	between: 0.7,
	/** A way by places, and each step of it. */
	places: 3,
	place: 2,
};

/** The same for what is inside of an entry, where hardly anything has the same name. */
export const columnCosts = {
	element: 3,
	elementAround: 2,
	place: 4,
	/** The same from the end: what may be missing stands there more often. */
	lastPlace: 4.5,
	/** A name without another one. */
	without: 4,
	/** The whole way by places, and each step of it. */
	places: 8,
	step: 1,
};
