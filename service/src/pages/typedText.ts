import { shortened } from '../text/shortened.ts';

/** A field that a text is to be typed into. */
export interface TextField {
	/** Of an `input`; of another one, its name. */
	type: string;
	/** What its type makes of the text. */
	made: string;
	/** Characters that it takes; absent: however many. */
	maxLength?: number | undefined;
}

/** Types of an `input` that hold a text of any kind. */
export const textTypes = new Set(['text', 'search', 'tel', 'url', 'email', 'password']);

/** Those that nobody types into. */
export const untypable = new Set(['submit', 'button', 'image', 'reset', 'file']);

/** How the others say what they hold. */
const forms: Record<string, string> = {
	number: 'a number as 2.5',
	range: 'a number between its bounds and on its steps',
	color: 'a colour as #ff8800',
	date: 'a date as 2024-01-03',
	month: 'a month as 2024-01',
	week: 'a week as 2024-W03',
	time: 'a time as 09:30',
	'datetime-local': 'a date and a time as 2024-01-03T09:30',
};

/** A text of a field as it may be said in a message, whoever reads that: not that of one for a password. */
export function saidText(text: string, type: string): string {
	return type === 'password' ? 'a hidden text' : `"${shortened(text)}"`;
}

/** What is wrong with a text that is to tick or clear a box. */
export function notABoxState(text: string): string {
	return `is a box: its text must be true or false, not "${shortened(text)}"`;
}

/** Why a field does not hold a text once that is typed into it; undefined if it does. */
export function wantedInstead(text: string, field: TextField): string | undefined {
	const { type, made, maxLength } = field;
	const isText = type === 'textarea' || textTypes.has(type);
	const isTooLong = isText && maxLength !== undefined && made.length > maxLength;
	if (!isTooLong && isHeld(text, field)) return undefined;
	const wanted = isTooLong ? `at most ${maxLength} characters` : (forms[type] ?? 'one line');
	return `takes ${wanted}, not ${saidText(text, type)}`;
}

/** Whether a field means what was typed, if it writes that in another way. */
function isHeld(text: string, { type, made }: TextField): boolean {
	switch (type) {
		case 'textarea':
			return true;
		case 'range':
			return text.trim() !== '' && Number(made) === Number(text);
		case 'color':
			return made !== '#000000' || /^\s*(#0{3}|#0{6}|black)\s*$/i.test(text);
		case 'url':
		case 'email':
			return made.replace(/\s/g, '') === text.replace(/\s/g, '');
		default:
			return type in forms ? made !== '' || text === '' : made === text || made === text.trim();
	}
}
