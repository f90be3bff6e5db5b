import { Positions, type Scrolling } from '../../service/src/agents/place.ts';
import { ScrolledRows } from '../../service/src/agents/scrolledRows.ts';

/** Pixels by which the rows of the list are apart. */
const apart = 60;

/** Reads so many rows of a list, of which that many have come into sight: what is stored of them, and whether that is new. */
function reader() {
	const list = new ScrolledRows();
	list.mayGoOn = true;
	const lists = new Map([['/0/0', list]]);
	const scrolling: Scrolling = { position: '/0', lists };
	return (count: number, seen: number) => {
		const positions = new Positions({ position: '/0/0', scrolling }, new Set());
		const rows = Array.from({ length: count }, (_, index) => ({ text: `row ${index}` }));
		const places = rows.map((_, index) => {
			const at: [number, number] = [0, index * apart];
			return { at, seenAt: at, element: index, isAhead: index >= seen };
		});
		const document = { id: 1, address: 'http://site.example/' };
		const stored = positions.take(rows, { places, document }).length;
		return { stored, haveNew: positions.haveNew };
	};
}

test('a row that was there before it came into sight is new once it does', () => {
	const read = reader();
	expect(read(4, 2)).toEqual({ stored: 2, haveNew: true });
	expect(read(4, 3)).toEqual({ stored: 3, haveNew: true });
	expect(read(4, 3)).toEqual({ stored: 3, haveNew: false });
	expect(read(4, 4)).toEqual({ stored: 4, haveNew: true });
});
