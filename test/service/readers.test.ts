import { availableParallelism } from 'node:os';
import { HttpPage } from '../../service/src/pages/http/httpPage.ts';
import { Readers } from '../../service/src/pages/http/readers.ts';
import type { ReadingCommands } from '../../service/src/pages/http/readingCommands.ts';
import type { Source } from '../../service/src/pages/http/reader.ts';
import { startSite } from '../support/service/startSite';

const html = Buffer.from('<p>One</p><p>Two</p>');

describe('The threads that read documents', () => {
	let readers: Readers;

	beforeEach(() => {
		readers = new Readers();
	});

	afterEach(async () => {
		await readers.close();
	});

	const add = () => readers.add({ body: html, url: 'http://localhost/', contentType: 'text/html' });
	const ask = (source: Source) => readers.ask(source, 'count', [], 'p');

	it('know the commands of their map, and no others', async () => {
		const others = new Readers<ReadingCommands & { toString(this: void): string }>();
		const answer = others.ask(add(), 'toString').catch(String);
		expect(await answer).toContain('Readers know no command toString.');
		await others.close();
	});

	it.each([
		"EMFILE: too many open files, open 'readerThread.js'",
		'Worker initialization failure: EMFILE',
		"Cannot find module 'readerThread.js'",
	])('that cannot be had for now blame no document, which may be asked again: %s', async (said) => {
		const thread = new URL(`data:text/javascript,throw new Error(${JSON.stringify(said)})`);
		const others = new Readers(thread);
		const answer = others.ask(add(), 'count', [], 'p');
		await expect(answer).rejects.toMatchObject({
			message: `The page could not be read: ${said}`,
			outage: { of: 'machine' },
		});
		expect([await others.canBegin(), await readers.canBegin()]).toEqual([false, true]);
		await others.close();
	});

	it('that cannot even be begun blame none either', async () => {
		// As where no thread is left, Node.js throws at once.
		const others = new Readers(new URL('http://localhost/'));
		const answer = others.ask(add(), 'count', [], 'p');
		await expect(answer).rejects.toMatchObject({ outage: { of: 'machine' } });
		expect(await others.canBegin()).toBe(false);
		await others.close();
	});

	it('have a document asked where it was read, whichever of them is free', async () => {
		const thread = new URL('./threadOfDocument.mjs', import.meta.url);
		const others = new Readers<ReadingCommands & { threadOf(this: void): number }>(thread);
		const documents = Array.from({ length: 2 * availableParallelism() }, add);
		const threads = () => documents.map((document) => () => others.ask(document, 'threadOf'));
		const first = await Promise.all(threads().map((ask) => ask()));
		for (const [index, ask] of threads().entries()) expect(await ask()).toBe(first[index]);
		expect(new Set(first).size).toBe(availableParallelism());
		await others.close();
	});

	it('read a document again that was left and is asked once more', async () => {
		const source = add();
		expect(await ask(source)).toBe(2);
		readers.forget(source);
		expect(await ask(source)).toBe(2);
	});

	it('spare themselves a question that waits when its document is left', async () => {
		// Two are with each thread at once: this one is behind them.
		const others = Array.from({ length: 2 * availableParallelism() }, () => ask(add()));
		const left = add();
		const answer = ask(left).catch(String);
		readers.forget(left);
		expect(await answer).toContain('The page was left.');
		expect(await Promise.all(others)).toEqual(others.map(() => 2));
	});

	// Such a question, of which nobody heard, ended the service by its answer.
	it('are asked nothing by an agent that was called off', async () => {
		const site = await startSite(() => html.toString());
		const end = new AbortController();
		const page = new HttpPage(readers, {}, end.signal);
		await page.open(site.baseUrl);
		const others = Array.from({ length: 2 * availableParallelism() }, () => ask(add()));
		end.abort(new Error('The run was stopped.'));
		const answer = page.enteredText();
		await page.close();
		await expect(answer).rejects.toThrow('The run was stopped.');
		await Promise.all(others);
		await site.stop();
	});

	it('read large documents in one thread, which ends with the last of them', async () => {
		const thread = new URL('./threadOfDocument.mjs', import.meta.url);
		const others = new Readers<ReadingCommands & { threadOf(this: void): number }>(thread);
		const body = Buffer.concat([html, Buffer.alloc(2 * 1024 * 1024, ' ')]);
		const addLarge = () => others.add({ body, url: 'http://localhost/', contentType: 'text/html' });
		const documents = [addLarge(), addLarge(), add(), addLarge()];
		const [one, two, small, three] = await Promise.all(
			documents.map((each) => others.ask(each, 'threadOf')),
		);
		expect([two, three]).toEqual([one, one]);
		expect(small).not.toBe(one);
		for (const each of documents) others.forget(each);
		expect(await others.ask(add(), 'threadOf')).toBe(small);
		const again = await others.ask(addLarge(), 'threadOf');
		expect([one, small]).not.toContain(again);
		await others.close();
	});
});
