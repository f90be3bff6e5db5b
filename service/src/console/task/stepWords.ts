import { html, type Html } from '../../text/html.ts';
import type { LoopStep, Step } from '../../tasks/task.ts';
import { addressOf } from '../../tasks/values.ts';
import { counted, durationOf, shortened } from '../words.ts';

/** What the list loop around a step goes over. */
export type RoundItem = 'URL' | 'text' | 'element';

/** What the words of a step are taken from, besides itself. */
export interface Around {
	/** What `{site}` stands for. */
	site: string;
	/** The names of all columns of the task, as people see them, by their ids. */
	names: ReadonlyMap<string, string>;
}

/** What a step does, in plain words. `round`: of the innermost list loop around it. */
export function stepWords(step: Step, { site, names }: Around, round?: RoundItem): Html {
	switch (step.type) {
		case 'navigate':
			if ('url' in step.config) return html`Opens ${code(addressOf(step.config.url, site))}`;
			return round === 'element'
				? html`Opens the link of the current element`
				: html`Opens the current URL of the list`;
		case 'inputText': {
			const { config } = step;
			const text =
				'text' in config ? html`“${shortened(config.text)}”` : 'the current text of the list';
			return html`Types ${text} into
			${code(config.selector)}${config.submit && ' and sends the form'}`;
		}
		case 'click': {
			const { config } = step;
			const what = 'selector' in config ? code(config.selector) : 'the current element of the list';
			const then = config.waitFor !== undefined && html` and waits for ${code(config.waitFor)}`;
			return html`Clicks ${what}${then}`;
		}
		case 'wait':
			return 'milliseconds' in step.config
				? html`Waits ${durationOf(step.config.milliseconds)}`
				: html`Waits for ${code(step.config.selector)}`;
		case 'loop':
			return loopWords(step.config);
		case 'extractData': {
			const { selector, fields, emit } = step.config;
			const shown = fields.map(({ id, name }) => names.get(id) ?? name);
			const columns = shortened(shown.join(', '), 400);
			if (emit === false) return html`Reads values for the rows that follow: ${columns}`;
			if (selector !== undefined) return html`Reads a row from each ${code(selector)}: ${columns}`;
			return html`Reads one row from the ${round === 'element' ? 'current element' : 'page'}:
			${columns}`;
		}
	}
}

function loopWords(config: LoopStep['config']): Html {
	switch (config.loopType) {
		case 'count':
			return html`Repeats ${counted(config.times, 'time')}`;
		case 'page': {
			const most = config.timesMode === 'custom' && `, ${counted(config.times, 'page')} at most`;
			return html`Page by page, following ${code(config.selector)}${most}`;
		}
		case 'scroll': {
			const most = config.timesMode === 'custom' && `, ${counted(config.times, 'time')} at most`;
			const what = config.selector !== undefined && html` ${code(config.selector)}`;
			return html`While scrolling${what} brings more${most}`;
		}
		case 'list':
			if (config.listType === 'elements') return html`For each ${code(config.selector)}`;
			return config.listType === 'urlList'
				? html`For each of ${counted(config.urls.length, 'URL')}`
				: html`For each of ${counted(config.texts.length, 'text')}`;
	}
}

/** What the steps of a loop have in each round; `around`: what its own place has. */
export function roundOf({ config }: LoopStep, around?: RoundItem): RoundItem | undefined {
	if (config.loopType !== 'list') return around;
	return ({ urlList: 'URL', textList: 'text', elements: 'element' } as const)[config.listType];
}

function code(text: string): Html {
	return html`<code>${shortened(text)}</code>`;
}
