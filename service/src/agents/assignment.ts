import type { FastifyBaseLogger } from 'fastify';
import type { Page, Row } from '../pages/page.ts';
import type { StepSelector } from '../store/selectorStore.ts';
import type { JobPart } from '../tasks/splitJobs.ts';
import type { Task } from '../tasks/task.ts';
import type { Matches } from './columns.ts';
import type { DocumentEnds } from './documentEnds.ts';
import type { KnownSteps } from './knownSteps.ts';
import type { Positions } from './place.ts';
import type { SentByJob } from './sentByJob.ts';
import type { FailureKind } from './tally.ts';
import type { Visits } from './visits.ts';

/** Whether a selector of a step has found something. */
export interface Find {
	selector: StepSelector;
	found: boolean;
}

/** A job as its agent sees it. */
export interface Assignment {
	task: Task;
	/** The items to work on, if the job is a part of a run that was split. */
	part: JobPart;
	/** The address that `{site}` stands for. */
	site: string;
	log: FastifyBaseLogger;
	/** Ends the work when the batch is stopped or the service shuts down. */
	signal: AbortSignal;
	/** Opens a page beside the one that the agent has, for another visitor. It is closed with the job. */
	openPage(): Page;
	/** How sites are asked for pages. */
	visits: Visits;
	/** What its steps have sent, also before this agent. */
	sentByJob: SentByJob;
	/**
	 * A page has failed for want of something of this machine: true once that is there again, false where it is there
	 * already. Throws a JobLost where another process is to go on.
	 */
	waitsForMachine(reason: string): Promise<boolean>;
	/** Keeps of texts what an expression matches, without holding up others. */
	matches: Matches;
	/** Takes note of what the selectors of a step have found. */
	noteFinds(finds: Find[]): Promise<void>;
	/** The same for a whole page, by the address that was asked for. */
	notePage(finds: Find[], address: string): void;
	/** Takes note of where an address has led that a step has asked for. */
	noteLanding(asked: string, landed: string, step: string): void;
	/** The ids of steps that have read a page which asks for no password, of all agents. */
	stepsWithoutPassword: KnownSteps;
	/** How the documents of each step end, of all agents. */
	documentEnds: DocumentEnds;
	/** Takes rows as they are scraped, with where that was; true if one of them was not there before. */
	storeRows(rows: Row[], positions: Positions): Promise<boolean>;
	/** Takes note of a page that was given up. */
	pageFailed(failure: PageFailure): Promise<void>;
	/** All items of the part before `item` are done. */
	advance(item: number): Promise<void>;
}

/** A page that was given up, as people look for it. */
export interface PageFailure {
	/** Where in the steps that was. */
	position: string;
	/** What was worked on: an address, a text, an element, a round. */
	what: string;
	/** The address that failed, or the last one that was opened; empty before the first. */
	address: string;
	reason: string;
	kind: FailureKind;
	tries: number;
}
