// The catalogue makes its list itself: twelve cards at once, more when its end comes into view or its button is clicked.
const list = document.querySelector('.products');
const end = document.querySelector('#end');
const button = document.querySelector('#more');
const filter = document.querySelector('#filter');
let next = 0;
let loading = false;

document.querySelector('#apply').addEventListener('click', () => {
	list.replaceChildren();
	list.classList.remove('ready');
	next = 0;
	void more();
});

if (button) {
	button.addEventListener('click', () => void more());
	void more();
} else {
	new IntersectionObserver((entries) => {
		if (entries.some((entry) => entry.isIntersecting)) void more();
	}).observe(end);
}

async function more() {
	if (loading || next === undefined) return;
	loading = true;
	const query = new URLSearchParams({ from: next, q: filter.value });
	const answer = await (await fetch(`/shop/catalogue/entries?${query}`)).json();
	next = answer.next;
	list.append(...answer.entries.map(card));
	list.classList.add('ready');
	loading = false;
	if (button) button.hidden = next === undefined;
	// The observer stays silent if the end never went out of view.
	if (!button && end.getBoundingClientRect().top < innerHeight) void more();
}

function card(product) {
	const item = document.createElement('li');
	const heading = item.appendChild(document.createElement('h2'));
	const link = heading.appendChild(document.createElement('a'));
	link.href = `/shop/products/${product.number}`;
	link.textContent = product.name;
	for (const name of ['category', 'price']) {
		const text = item.appendChild(document.createElement('p'));
		text.className = name;
		text.textContent = product[name];
	}
	item.className = 'card';
	return item;
}
