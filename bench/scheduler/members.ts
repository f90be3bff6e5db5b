import { pino } from 'pino';
import { TicketDispatcher } from '../../service/src/agents/ticketDispatcher.ts';
import { systemClock } from '../../service/src/pages/clock.ts';
import { openStore } from '../../service/src/store/openStore.ts';
import { tellParent } from '../ground/child.ts';
import { simulated, type SimulatedPages } from './simulatedPage.ts';

/** What one process of the simulation is. */
export interface MembersOptions extends SimulatedPages {
	database: string;
	/** How many of them it stands for: each has connections, a store and agents of its own, as a process has. */
	members: number;
	/** Of each member. */
	agents: number;
}

/** What they have done. */
export interface MembersFigures {
	/** How often somebody looked for a ticket, and there was one. */
	looks: number;
	tickets: number;
	/** What they have logged as warnings and errors, and how often. */
	said: Record<string, number>;
}

const options = JSON.parse(process.argv[2]) as MembersOptions;
const figures: MembersFigures = { looks: 0, tickets: 0, said: {} };
const log = pino(
	{ level: 'warn' },
	{
		write(line: string) {
			const { msg } = JSON.parse(line) as { msg: string };
			figures.said[msg] = (figures.said[msg] ?? 0) + 1;
		},
	},
);

const members = await Promise.all(Array.from({ length: options.members }, newMember));
tellParent('ready');
process.on('message', (question: 'begin' | 'figures') => void answer(question));
process.on('disconnect', () => void end());

async function newMember() {
	const store = await openStore({ data: '', database: options.database }, { log });
	const { machines } = store;
	if (!machines) throw new Error('There are no tickets in this database.');
	const { tickets } = machines;
	const counted = {
		take: async (kinds: Parameters<typeof tickets.take>[0]) => {
			figures.looks += 1;
			const ticket = await tickets.take(kinds);
			if (ticket) figures.tickets += 1;
			return ticket;
		},
		onNew: (heard: () => void) => tickets.onNew(heard),
		begin: (site: string | undefined) => tickets.begin(site),
	};
	const parts = {
		...store,
		agents: options.agents,
		log,
		clock: systemClock,
		matches: (texts: string[][]) => Promise.resolve(texts),
		pages: { http: { open: simulated(options), canOpen: () => Promise.resolve(true) } },
		onStoreFailure: (error: unknown) => log.error(error, 'store failed'),
	};
	return { store, dispatcher: new TicketDispatcher(parts, { ...machines, tickets: counted }) };
}

async function answer(question: 'begin' | 'figures') {
	if (question === 'begin') for (const { dispatcher } of members) dispatcher.begin();
	tellParent(await Promise.resolve({ ...figures }));
}

async function end() {
	await Promise.all(members.map(({ dispatcher }) => dispatcher.close()));
	await Promise.all(members.map(({ store }) => store.close()));
	process.exit();
}
