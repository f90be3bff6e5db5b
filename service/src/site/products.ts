/** A product of the demo shop. */
export interface Product {
	number: string;
	name: string;
	category: string;
	/** In whole currency units and cents, as the shop writes it. */
	price: string;
	stock: number;
	description: string;
}

const makes = ['Oak', 'Brass', 'Linen', 'Café "Noir"', 'Nordic', 'Clay & Co.'];
const kinds = [
	{ name: 'Chair', category: 'Furniture' },
	{ name: 'Table', category: 'Furniture' },
	{ name: 'Shelf', category: 'Furniture' },
	{ name: 'Lamp', category: 'Light' },
	{ name: 'Lantern', category: 'Light' },
	{ name: 'Mug, large', category: 'Kitchen' },
	{ name: 'Teapot', category: 'Kitchen' },
	{ name: 'Bowl', category: 'Kitchen' },
	{ name: 'Blanket', category: 'Home' },
	{ name: 'Cushion', category: 'Home' },
	{ name: 'Vase <small>', category: 'Home' },
];

/** The 66 products of the shop: always the same, with the characters in them that data really has. */
export const products: Product[] = makes.flatMap((make, row) =>
	kinds.map(({ name, category }, column) => {
		const index = row * kinds.length + column;
		const days = 1 + (index % 5);
		return {
			number: `P${String(index + 1).padStart(3, '0')}`,
			name: `${make} ${name}`,
			category,
			price: `€ ${9 + ((index * 37) % 190)}.${String((index * 13) % 100).padStart(2, '0')}`,
			stock: (index * 7) % 40,
			description: `${make} ${name} for every day. Made to last, and easy to mend: each part can be had one by one. Ships within ${days} ${days === 1 ? 'day' : 'days'}.`,
		};
	}),
);

/** Listed a second time at the end of the shop's list, as promoted products are in real shops. */
const promoted = products.filter((_product, index) => index % 11 === 3);

/** The 72 entries of the shop's list; six of them are repeated. */
export const listing: Product[] = [...products, ...promoted];

export function productOf(number: string): Product | undefined {
	return products.find((product) => product.number === number);
}

/** Those whose name or category contains the text, without regard to case. */
export function search(text: string, among = products): Product[] {
	const wanted = text.trim().toLowerCase();
	return among.filter(({ name, category }) => `${name} ${category}`.toLowerCase().includes(wanted));
}
