import { replaceableField, type ReplaceableField } from '../../tasks/replaceableField.ts';
import { allSteps, type Step, type Task } from '../../tasks/task.ts';
import { typedAddress } from '../typedAddress.ts';

/** A step whose value a start can replace. */
export interface StepValue {
	step: Step;
	field: ReplaceableField;
	/** The default as a form shows it: a list with a line for each entry; undefined: no form can. */
	text: string | undefined;
}

/** The steps of a task whose values a start can replace, in their order. */
export function stepValuesOf(task: Task): StepValue[] {
	return allSteps(task.steps).flatMap((step) => {
		const field = replaceableField(step);
		return typeof field === 'string' ? [] : [{ step, field, text: textOf(field) }];
	});
}

function textOf({ value }: ReplaceableField): string | undefined {
	if (!Array.isArray(value)) return String(value ?? '').replace(/\r\n?/g, '\n');
	const areLines = value.every((entry) => entry.trim() !== '' && !/[\r\n]/.test(entry));
	return areLines ? value.join('\n') : undefined;
}

/** What was entered in a form for a field, as a start takes it; of another kind where it is none. */
export function valueFrom({ kind }: ReplaceableField, text: string): string | number | string[] {
	const lines = () => text.match(/[^\n]*\S[^\n]*/g) ?? [];
	switch (kind) {
		case 'text':
			return text;
		case 'url':
			return typedAddress(text);
		case 'times':
			return /^\d+$/.test(text.trim()) ? Number(text) : text;
		case 'texts':
			return lines();
		case 'urls':
			return lines().map(typedAddress);
	}
}
