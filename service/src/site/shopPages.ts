import { html, type Html } from '../text/html.ts';
import type { Product } from './products.ts';

/** The start page: a search form (GET), a form for product numbers (POST) and the ways in. */
export function homePage(): Html {
	return page(
		'Welcome',
		html`<p>
				Everything for a small home. <a id="all" href="products">All products</a>,
				<a id="catalogue" href="catalogue">the same as a catalogue</a>
			</p>
			<form id="search" action="search">
				<label>Search <input name="q" type="search" /></label>
				<button>Search</button>
			</form>
			<form id="order" action="order" method="post">
				<label>Product number <input name="number" /></label>
				<button name="go" value="yes">Go to product</button>
			</form>`,
	);
}

/** Products as cards, with links to the page before and after this one. */
export function listPage(title: string, products: Product[], links: Links = {}): Html {
	return page(
		title,
		html`<ul class="products">
				${products.map(card)}
			</ul>
			${products.length === 0 && html`<p class="none">Nothing was found.</p>`}
			<nav>
				${links.previous && html`<a class="previous" rel="prev" href="${links.previous}">Previous</a>`}
				${links.next && html`<a class="next" rel="next" href="${links.next}">Next</a>`}
			</nav>`,
	);
}

export interface Links {
	previous?: string;
	next?: string;
}

export function productPage(product: Product): Html {
	return page(
		product.name,
		html`<article class="product">
			<p class="number">${product.number}</p>
			<p class="category">${product.category}</p>
			<p class="price">${product.price}</p>
			<p class="stock" data-stock="${product.stock}">
				${product.stock > 0 ? `${product.stock} in stock` : 'Sold out'}
			</p>
			<p class="description">${product.description}</p>
		</article>`,
	);
}

/** A page without products in its HTML: its script fetches them, more of them on scrolling or by a button. */
export function cataloguePage({ hasButton }: { hasButton: boolean }): Html {
	return page(
		'Catalogue',
		html`<p>
				<label>Only <input id="filter" /></label> <button id="apply" type="button">Apply</button>
			</p>
			<ul class="products"></ul>
			${
				hasButton
					? html`<button id="more" type="button">Load more</button>`
					: html`<p id="end">Scroll for more</p>`
			}
			<script src="/shop/files/catalogue.js"></script>`,
	);
}

export function missingPage(): Html {
	return page('Not found', html`<p class="missing">There is no such page in this shop.</p>`);
}

function card(product: Product): Html {
	return html`<li class="card">
		<h2><a href="/shop/products/${product.number}">${product.name}</a></h2>
		<p class="category">${product.category}</p>
		<p class="price">${product.price}</p>
	</li>`;
}

function page(title: string, content: Html): Html {
	return html`<!doctype html>
		<html lang="en">
			<head>
				<meta charset="utf-8" />
				<meta name="viewport" content="width=device-width" />
				<title>${title} - Small shop</title>
				<link rel="stylesheet" href="/shop/files/shop.css" />
			</head>
			<body>
				<header><a href="/shop/">Small shop</a></header>
				<main>
					<h1>${title}</h1>
					${content}
				</main>
			</body>
		</html> `;
}
