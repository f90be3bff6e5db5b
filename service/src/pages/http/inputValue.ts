/**
 * What browsers make of the value of an `input` before it is sent, by its type ("value sanitization
 * algorithm" of HTML).
 */
export function inputValue(type: string, value: string, attribs: Record<string, string>): string {
	switch (type) {
		case 'text':
		case 'search':
		case 'tel':
		case 'password':
			return withoutBreaks(value);
		case 'url':
			return trimmed(withoutBreaks(value));
		case 'email':
			return attribs.multiple === undefined
				? trimmed(withoutBreaks(value))
				: withoutBreaks(value).split(',').map(trimmed).join(',');
		case 'number':
			return numberIn(value) === undefined ? '' : value;
		case 'range':
			return rangeValue(value, attribs);
		case 'color':
			return colourIn(value) ?? '#000000';
		case 'date':
			return isDate(value) ? value : '';
		case 'month':
			return isDate(`${value}-01`) ? value : '';
		case 'week':
			return isWeek(value) ? value : '';
		case 'time':
			return isTime(value) ? value : '';
		case 'datetime-local':
			return localTime(value);
		default:
			return value;
	}
}

/**
 * What a text counts as a value of its type, from the smallest to the largest; undefined if it is none,
 * or has no order.
 */
export function numberOf(type: string, value: string): number | undefined {
	if (type === 'number') return numberIn(value);
	const number = timeOf(type, value);
	return number === undefined || Number.isNaN(number) ? undefined : number;
}

/** Milliseconds since 1970 or midnight; of a month, months since 1970. */
function timeOf(type: string, value: string): number | undefined {
	switch (type) {
		case 'date':
			return Date.parse(`${value}T00:00Z`);
		case 'month': {
			const [year = NaN, month = NaN] = value.split('-').map(Number);
			return (year - 1970) * 12 + month - 1;
		}
		case 'week': {
			const [year = NaN, week = NaN] = value.split('-W').map(Number);
			// The fourth of January is always in the first week; weeks begin on Mondays.
			const fourth = Date.UTC(year, 0, 4);
			const weekday = (new Date(fourth).getUTCDay() + 6) % 7;
			return fourth + ((week - 1) * 7 - weekday) * 86_400_000;
		}
		case 'time':
			return Date.parse(`1970-01-01T${value}Z`);
		case 'datetime-local':
			return Date.parse(`${value}Z`);
		default:
			return undefined;
	}
}

/** What `minlength` or `maxlength` says; undefined if that is nothing. */
export function lengthIn(written: string | undefined): number | undefined {
	const length = parseInt(written ?? '', 10);
	return length >= 0 ? length : undefined;
}

/** The types of inputs that there are; any other one is a text. */
const types = new Set(
	`button checkbox color date datetime-local email file hidden image month number password radio range
	reset search submit tel text time url week`.split(/\s+/),
);

/** The type of an `input` as it is meant. */
export function inputType(written: string | undefined): string {
	const type = written?.toLowerCase() ?? 'text';
	return types.has(type) ? type : 'text';
}

function withoutBreaks(value: string): string {
	return value.replace(/[\r\n]/g, '');
}

function trimmed(value: string): string {
	return value.replace(/^[ \t\n\f\r]+|[ \t\n\f\r]+$/g, '');
}

/** A number as HTML writes it. */
function numberIn(text: string | undefined): number | undefined {
	if (text === undefined || !/^-?(?:\d+(?:\.\d+)?|\.\d+)(?:e[+-]?\d+)?$/i.test(text))
		return undefined;
	const number = Number(text);
	return Number.isFinite(number) ? number : undefined;
}

/** A range always has a value: in the middle where none is said, within its bounds, and on a step. */
function rangeValue(value: string, attribs: Record<string, string>): string {
	const min = numberIn(attribs.min) ?? 0;
	const max = Math.max(min, numberIn(attribs.max) ?? 100);
	const said = numberIn(value) ?? min + (max - min) / 2;
	const bounded = Math.min(Math.max(said, min), max);
	if (attribs.step?.toLowerCase() === 'any') return String(bounded);
	const asked = numberIn(attribs.step) ?? 1;
	const step = asked > 0 ? asked : 1;
	const base = numberIn(attribs.min) ?? numberIn(attribs.value) ?? 0;
	const steps = Math.round((bounded - base) / step);
	const last = Math.floor((max - base) / step);
	const first = Math.ceil((min - base) / step);
	const on = base + Math.max(Math.min(steps, last), first) * step;
	// What halves and tenths add up to is no longer one of them.
	return String(Number(on.toPrecision(15)));
}

/** A colour in six digits; of three, each stands for two. Those with names are not known here. */
function colourIn(value: string): string | undefined {
	const [, digits = ''] = /^#([\da-f]{3}|[\da-f]{6})$/i.exec(value) ?? [];
	const all = digits.length === 3 ? digits.replace(/./g, '$&$&') : digits;
	return all === '' ? undefined : `#${all.toLowerCase()}`;
}

function isDate(text: string): boolean {
	const [, year = '', month = '', day = ''] = /^(\d{4,6})-(\d{2})-(\d{2})$/.exec(text) ?? [];
	if (Number(year) === 0 || Number(month) < 1 || Number(month) > 12) return false;
	return (
		Number(day) >= 1 &&
		Number(day) <= new Date(Date.UTC(2000 + (Number(year) % 400), Number(month), 0)).getUTCDate()
	);
}

function isWeek(text: string): boolean {
	const [, year = '', week = ''] = /^(\d{4,6})-W(\d{2})$/.exec(text) ?? [];
	if (Number(year) === 0) return false;
	// A year has 53 weeks that begins on a Thursday, or on a Wednesday if it has a day more.
	const first = new Date(Date.UTC(2000 + (Number(year) % 400), 0, 1)).getUTCDay();
	const isLong = first === 4 || (first === 3 && isDate(`${year}-02-29`));
	return Number(week) >= 1 && Number(week) <= (isLong ? 53 : 52);
}

function isTime(text: string): boolean {
	return /^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,3})?)?$/.test(text);
}

/** A day and a time, as short as it can be written. */
function localTime(text: string): string {
	const [, date = '', time = ''] = /^([^T ]+)[T ](.+)$/.exec(text) ?? [];
	if (!isDate(date) || !isTime(time)) return '';
	const [, seconds = '00', digits = ''] = /^.{5}:(\d\d)\.?(\d*)$/.exec(time) ?? [];
	const fraction = Number(digits) === 0 ? '' : `.${digits.replace(/0+$/, '')}`;
	const isWhole = seconds === '00' && fraction === '';
	return `${date}T${time.slice(0, 5)}${isWhole ? '' : `:${seconds}${fraction}`}`;
}
