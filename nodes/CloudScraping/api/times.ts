/** Seconds of the years 2000 to 2100. */
const seconds = { from: 946_684_800, to: 4_102_444_800 };

/** How many of a unit a second has: a service may count in one, or change from one to another. */
const unitsPerSecond = [1, 1e3, 1e6, 1e9];

/** A text that says its zone: what others say depends on where n8n runs. */
const zonedText = /^\d{4}-.*(Z|[+-]\d\d:?\d\d)$/;

/** A time of a batch in milliseconds (section 2.3 leaves the unit open); NaN where there is none. */
export function timeOf(value: unknown): number {
	const isText = typeof value === 'string' && zonedText.test(value);
	const time = isText ? Date.parse(value) : Number(value ?? NaN);
	const unit = unitsPerSecond.find((each) => isPlausible((time / each) * 1_000));
	return unit === undefined ? time : (time * 1_000) / unit;
}

/** Whether a time in milliseconds is one of the years 2000 to 2100. */
export function isPlausible(milliseconds: number): boolean {
	return milliseconds >= seconds.from * 1_000 && milliseconds <= seconds.to * 1_000;
}
