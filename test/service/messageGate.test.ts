import { floodMark, maxTold } from '../../service/src/pages/browser/flood.ts';
import { MessageGate } from '../../service/src/pages/browser/messageGate.ts';

// What the browser says at once is no longer than can be heard.

const heardOf = (...chunks: string[]) => {
	const gate = new MessageGate();
	return chunks.map((chunk) => Buffer.concat(gate.through(Buffer.from(chunk))).toString());
};
const large = 'a'.repeat(maxTold);
const event = (said: string) =>
	`{"method":"Network.requestWillBeSent","params":{"said":"${said}"},"sessionId":"5E"}`;
const mark = JSON.stringify({
	method: 'Log.entryAdded',
	params: { entry: { source: 'other', level: 'error', text: floodMark, timestamp: 0 } },
	sessionId: '5E',
});

test('messages are heard whole, as they are', () => {
	expect(heardOf('{"id":1}\0{"id"', ':2', '}\0')).toEqual(['{"id":1}\0', '', '{"id":2}\0']);
});

test('in the place of an event that is too long, its tab is told of a flood', () => {
	const [whole, half] = [event(large), Math.ceil(maxTold / 2)];
	const parts = [whole.slice(0, half), whole.slice(half)];
	expect(heardOf(`{"id":1}\0${whole}\0{"id":2}\0`)).toEqual([`{"id":1}\0${mark}\0{"id":2}\0`]);
	expect(heardOf(...parts, '\0{"id":2}\0').join('')).toBe(`${mark}\0{"id":2}\0`);
	expect(heardOf(whole.slice(0, 5), whole.slice(5, -3), whole.slice(-3), '\0').join('')).toBe(
		`${mark}\0`,
	);
});

test('an answer may be longer, but not so long that there is no text of it', () => {
	const answer = `{"id":7,"result":{"said":"${large}"},"sessionId":"5E"}\0`;
	expect(heardOf(answer).join('') === answer).toBe(true);
	const gate = new MessageGate();
	const part = Buffer.alloc(100_000_000, 'a');
	const heard = [Buffer.from('{"id":7,"result":"'), part, part, part, part, Buffer.from('"}\0')];
	expect(Buffer.concat(heard.flatMap((each) => gate.through(each))).toString()).toBe(
		'{"id":7,"error":{"code":-32000,"message":"The browser answered with more than 400 MB."}}\0',
	);
});
