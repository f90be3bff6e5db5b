import { html, type Html } from '../text/html.ts';

/** The head of a column; `isNumber`: set to the right; `isUnseen`: for those who do not see the table. */
export interface Head {
	name: string;
	isNumber?: boolean;
	isUnseen?: boolean;
}

/** How tables look: those of scraped rows have any number of columns, the others fit. */
const classes = {
	rows: 'rows',
	tried: 'tried',
	texts: 'rows stacked',
	short: 'stacked',
};

/**
 * A table, called `name` for those who do not see it. One that is too wide for the window is scrolled by
 * itself, also by keyboard; one that is no list of scraped rows becomes a list of cards in a narrow
 * window, where `data-label` of a cell says what its head says.
 */
export function table(
	name: string,
	heads: (Head | string)[],
	rows: Html[],
	kind: keyof typeof classes = 'short',
): Html {
	return html`<div class="scroll" role="region" aria-label="${name}" tabindex="0">
		<table class="${classes[kind]}">
			<thead>
				<tr>
					${heads.map((head) => headCell(typeof head === 'string' ? { name: head } : head))}
				</tr>
			</thead>
			<tbody>
				${rows}
			</tbody>
		</table>
	</div>`;
}

function headCell({ name, isNumber, isUnseen }: Head): Html {
	const text = isUnseen ? html`<span class="unseen">${name}</span>` : name;
	return html`<th scope="col" ${isNumber && html`class="number"`}>${text}</th>`;
}
