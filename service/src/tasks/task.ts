/** A task as its file describes it: what an agent does, step by step, and on which kind of page. */
export interface Task {
	/** Where editors find the schema of task files. */
	$schema?: string;
	taskID: string;
	name: string;
	page: 'http' | 'browser';
	/** Milliseconds an agent waits before it opens a page, out of politeness. */
	delay?: number;
	steps: Step[];
}

export type Step = NavigateStep | InputTextStep | ClickStep | LoopStep | ExtractDataStep;

export interface NavigateStep {
	id: string;
	type: 'navigate';
	config: { url: string } | { useLoopItem: true };
}

export interface InputTextStep {
	id: string;
	type: 'inputText';
	config: { selector: string; text: string } | { selector: string; useLoopItem: true };
}

export interface ClickStep {
	id: string;
	type: 'click';
	/** `useLoopItem` clicks the element of the surrounding loop itself. */
	config: ({ selector: string } | { useLoopItem: true }) & { waitFor?: string };
}

export interface LoopStep {
	id: string;
	type: 'loop';
	config: LoopConfig;
}

export type LoopConfig = CountLoop | UrlLoop | TextLoop | ElementLoop | PageLoop | ScrollLoop;

export interface CountLoop {
	loopType: 'count';
	times: number;
	steps: Step[];
}

export interface UrlLoop {
	loopType: 'list';
	listType: 'urlList';
	urls: string[];
	steps: Step[];
}

export interface TextLoop {
	loopType: 'list';
	listType: 'textList';
	texts: string[];
	steps: Step[];
}

export interface ElementLoop {
	loopType: 'list';
	listType: 'elements';
	selector: string;
	steps: Step[];
}

export type Times = { timesMode: 'all' } | { timesMode: 'custom'; times: number };

export type PageLoop = Times & { loopType: 'page'; selector: string; steps: Step[] };

/** `selector`: what is scrolled; absent: the window. */
export type ScrollLoop = Times & { loopType: 'scroll'; selector?: string; steps: Step[] };

export interface ExtractDataStep {
	id: string;
	type: 'extractData';
	config: { selector?: string; fields: FieldRule[] };
}

/** Where the value of one field is found inside a row's element. */
export interface FieldRule {
	id: string;
	name: string;
	/** Absent: the row's element itself. */
	selector?: string;
	/** Absent: the element's text. */
	attribute?: string;
	/** Default true: fold white space as a browser shows it. */
	trim?: boolean;
}

/** A field of a batch (section 2.4 of the specification). */
export interface Field {
	id: string;
	name: string;
}

/** Every step of a task, outer steps before the steps of their loops. */
export function allSteps(steps: Step[]): Step[] {
	return steps.flatMap((step) =>
		step.type === 'loop' ? [step, ...allSteps(step.config.steps)] : [step],
	);
}

/** The columns of a task's rows: the fields of its Extract Data steps, in the order of the steps. */
export function fieldsOf(task: Task): Field[] {
	return allSteps(task.steps).flatMap((step) =>
		step.type === 'extractData' ? step.config.fields.map(({ id, name }) => ({ id, name })) : [],
	);
}
