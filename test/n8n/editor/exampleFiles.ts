import { readdirSync } from 'node:fs';
import { examples } from '../../support/n8n/template';

/** The templates in examples/, by their file names. */
export const exampleFiles = readdirSync(examples)
	.filter((name) => name.endsWith('.json'))
	.sort();
