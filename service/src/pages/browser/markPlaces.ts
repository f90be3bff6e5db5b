import type { Mark } from '../page.ts';

/** Tells where the elements of a list are in one that has come in its place. */
export interface MarkPlaces {
	/** How often each is there. */
	timesOf: <Key>(keys: Iterable<Key>) => Map<Key, number>;
	/**
	 * Where the element of a mark is among others: the one that is equal (of several, their entries tell), or the only one that leads to the
	 * same address, or the only one that says the same, or the only one in an entry that does, whatever numbers stand
	 * in it.
	 */
	among: (marks: Mark[]) => (mark: Mark) => number | undefined;
	/**
	 * The same for all of a list. What was done with one may have changed it: what names it is still there. Where
	 * all that is found stands in its place, scripts have written the list anew where it was: so does the rest. `stay`: where
	 * the same elements are now: those that nothing else tells apart, as buttons that go away one by one, are these.
	 */
	placesIn: (was: Mark[], now: Mark[], stay: (number | undefined)[]) => (number | undefined)[];
	/**
	 * Whether another element has now what named one of these, which itself has nothing of that any more; or none has,
	 * and it has become another one.
	 */
	hasMoved: (
		place: number,
		was: Mark[],
		now: { own: () => Naming; others: () => Naming[] },
	) => boolean;
}

/** By which people, and scripts, know an element. */
export type Naming = Pick<Mark, 'name' | 'says' | 'attributes' | 'address'>;

/** Runs in a document, so it can use nothing that is outside of it. */
export function keepMarkPlaces(maxName: number): MarkPlaces {
	const timesOf = <Key>(keys: Iterable<Key>) => {
		const times = new Map<Key, number>();
		for (const key of keys) times.set(key, (times.get(key) ?? 0) + 1);
		return times;
	};

	const byOrder = (marks: Mark[]) => {
		const places = new Map(marks.map(({ content, nth }, place) => [`${content} ${nth}`, place]));
		return ({ content, nth }: Mark) => places.get(`${content} ${nth}`);
	};
	const byWhatIsOnly = (marks: Mark[], byAttributes?: Map<string, number>) => {
		const [links, texts, entries] = [
			new Map<string, number>(),
			new Map<string, number>(),
			new Map<string, number>(),
		];
		for (const [place, { address, isOnlyLink, text, around }] of marks.entries()) {
			if (address !== undefined && isOnlyLink) links.set(address, place);
			if (text !== undefined) texts.set(text, place);
			if (around !== undefined) entries.set(around, place);
		}
		return ({ address, isOnlyLink, text, around, attributes }: Mark) =>
			(isOnlyLink && address !== undefined ? links.get(address) : undefined) ??
			byAttributes?.get(attributes) ??
			(text === undefined ? undefined : texts.get(text)) ??
			(around === undefined ? undefined : entries.get(around));
	};
	const among = (marks: Mark[]) => {
		const [inOrder, asOnly] = [byOrder(marks), byWhatIsOnly(marks)];
		const plains = new Map(marks.map(({ plain }, place) => [plain, place]));
		return (mark: Mark) =>
			// Of those that are equal, others may have moved up: their entries tell.
			(mark.around === undefined ? inOrder(mark) : undefined) ??
			asOnly(mark) ??
			(mark.plain === undefined ? undefined : plains.get(mark.plain));
	};

	/**
	 * The words of a name, and two and three in a row, whatever numbers stand in them: numbers alone say places, counts
	 * and times.
	 */
	const termsOf = ({ name, says = name }: Naming) => {
		const words = says.split(' ');
		if (says.length >= maxName) words.pop();
		const terms = words.flatMap((word, at) => {
			if (!/\p{L}/u.test(word)) return [];
			const rows = [2, 3].map((length) => words.slice(at, at + length).join(' '));
			return [word, ...rows, ...rows.map((row) => row.replace(/\d+/g, '#'))];
		});
		return new Set(terms);
	};

	/** Where each term is, of those that are in one place alone. */
	const known = new WeakMap<Naming[], Map<string, number | undefined>>();
	const placesOfTerms = (named: Naming[]) => {
		const before = known.get(named);
		if (before) return before;
		const places = new Map<string, number | undefined>();
		for (const [place, each] of named.entries()) {
			for (const term of termsOf(each)) places.set(term, places.has(term) ? undefined : place);
		}
		known.set(named, places);
		return places;
	};

	/**
	 * Whether what stands somewhere is another one than that at a place before: it leads elsewhere, and says no more than
	 * half of the words that only that one said.
	 */
	const isAnother = (was: Naming[], place: number, there: Naming | undefined) => {
		const mark = was[place];
		if (!mark || mark.address === undefined || there?.address === undefined) return false;
		// What says nothing, as a picture, is known by nothing else: scripts may make its link a longer one.
		if (there.address === mark.address || there.name === '') return false;
		const [termsThen, said] = [placesOfTerms(was), termsOf(there)];
		const terms = [...termsOf(mark)].filter((term) => termsThen.get(term) === place);
		const words = terms.filter((term) => !term.includes(' '));
		const known = words.length > 0 ? words : terms;
		return 2 * known.filter((term) => said.has(term)).length <= words.length;
	};

	/** Where each is by its attributes, if no two have the same. */
	const placesOfAttributes = (named: Naming[]) => {
		const places = new Map(named.map(({ attributes }, place) => [attributes, place]));
		return places.size === named.length ? places : undefined;
	};

	/** Where each begins, up to the end of one word after the other; those that begin alike have none. */
	const placesOfBeginnings = (marks: Mark[], places: number[]) => {
		const beginnings = new Map<string, number | undefined>();
		for (const place of places) {
			const name = marks[place]?.name ?? '';
			for (let end = name.indexOf(' '); ; end = name.indexOf(' ', end + 1)) {
				const beginning = end < 0 ? name : name.slice(0, end);
				beginnings.set(beginning, beginnings.has(beginning) ? undefined : place);
				if (end < 0) break;
			}
		}
		return beginnings;
	};

	const placesIn = (was: Mark[], now: Mark[], stay: (number | undefined)[]) => {
		const [attributesThen, attributesNow] = [was, now].map(placesOfAttributes);
		// Those that stay where they are while texts move are numbers of places.
		const moves = [...(attributesThen ?? [])].some(([attributes, place]) => {
			const there = attributesNow?.get(attributes);
			return there !== undefined && there !== place;
		});
		const byAttributes = moves ? attributesNow : undefined;
		const [inOrder, asOnly] = [byOrder(now), byWhatIsOnly(now, byAttributes)];
		const [equalThen, equalNow] = [was, now].map((marks) =>
			timesOf(marks.map(({ content }) => content)),
		);
		const isOnly = ({ content }: Mark) =>
			equalThen?.get(content) === 1 && equalNow?.get(content) === 1;
		const strict = was.map((mark) => (isOnly(mark) ? inOrder(mark) : asOnly(mark)));
		const taken = new Set(strict);
		const left = [...now.keys()].filter((place) => !taken.has(place));
		const names = timesOf(was.map(({ name }) => name));
		const beginnings = placesOfBeginnings(now, left);
		const [termsThen, termsNow] = [placesOfTerms(was), placesOfTerms(now)];
		const addresses = new Set(now.map(({ address }) => address));
		/** What stands there is another one, and none leads to where this one led. */
		const isGone = (place: number, there: number) =>
			!addresses.has(was[place]?.address) && isAnother(was, place, now[there]);
		/** Where most of what only this one says is said. */
		const placeOfTerms = (mark: Mark, place: number) => {
			const votes = [...termsOf(mark)]
				.filter((term) => termsThen.get(term) === place)
				.map((term) => termsNow.get(term))
				.filter((there) => there !== undefined && !taken.has(there));
			const [first, second] = [...timesOf(votes)].sort(([, a], [, b]) => b - a);
			return first && first[1] !== second?.[1] ? first[0] : undefined;
		};
		const places = strict.map((place, index) => {
			const mark = was[index];
			if (place !== undefined || !mark) return place;
			const isNamed = mark.name !== '' && names.get(mark.name) === 1;
			const byName = isNamed ? beginnings.get(mark.name) : undefined;
			const there = byName ?? placeOfTerms(mark, index);
			return there !== undefined && isGone(index, there) ? undefined : there;
		});
		const isRewritten =
			was.length === now.length &&
			places.every((there, place) => there === undefined || there === place);
		const [named, staying] = [new Set(places), new Set(stay)];
		const itself = (place: number) => (named.has(stay[place]) ? undefined : stay[place]);
		const nextEqual = (mark: Mark) => (staying.has(inOrder(mark)) ? undefined : inOrder(mark));
		return was.map((mark, place) => {
			if (!isRewritten) return places[place] ?? itself(place) ?? nextEqual(mark);
			return places[place] === undefined && isGone(place, place) ? undefined : place;
		});
	};

	return {
		timesOf,
		among,
		placesIn,
		hasMoved(place, was, { own, others }) {
			const mark = was[place];
			// What stands around it is not looked at each time.
			if (!mark || mark.says !== undefined) return false;
			const here = own();
			const termsThen = placesOfTerms(was);
			const terms = [...termsOf(mark)].filter((term) => termsThen.get(term) === place);
			const says = (each: Naming) => {
				const said = termsOf(each);
				return terms.some((term) => said.has(term));
			};
			if (terms.length > 0) {
				const isLeft = () => others().some(({ address }) => address === mark.address);
				if (isAnother(was, place, here) && !isLeft()) return true;
				return !says(here) && others().some(says);
			}
			if (here.attributes === mark.attributes || !placesOfAttributes(was)) return false;
			return others().some(({ attributes }) => attributes === mark.attributes);
		},
	};
}
