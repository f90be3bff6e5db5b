import type { INodeProperties } from 'n8n-workflow';
import { fieldNames } from '../../../../nodes/CloudScraping/api/fieldNames';
import { CloudScraping } from '../../../../nodes/CloudScraping/CloudScraping.node';

const isProperty = (each: object): each is INodeProperties =>
	'displayName' in each && 'name' in each;

/** All fields of the node, and the options in them, as they are shown. */
function* shownIn(properties: readonly object[]): Generator<string> {
	for (const property of properties.filter(isProperty)) {
		yield property.displayName;
		yield* shownIn(property.options ?? []);
	}
}

test('errors name fields as the node shows them', () => {
	const shown = new Set(shownIn(new CloudScraping().description.properties));
	expect(Object.values(fieldNames).filter((name) => !shown.has(name))).toEqual([]);
});
