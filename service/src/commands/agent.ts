import { startAgents } from '../agentProcess.ts';
import { readAgentSettings } from '../settings/settings.ts';
import { unknownSettings } from '../settings/unknownSettings.ts';
import type { Flags } from './commandLine.ts';
import { say, untilEnded } from './untilEnded.ts';

/** Has agents at work, until SIGINT or SIGTERM ends them. */
export function agent(env: NodeJS.ProcessEnv, flags: Flags): void {
	untilEnded(flags, async (log, output) => {
		const settings = readAgentSettings(env, flags);
		log.level = settings.logLevel;
		const unknown = unknownSettings(env);
		if (unknown !== undefined) log.warn(unknown);
		const agents = await startAgents(settings, log, output);
		say(
			[
				`Agents:  ${settings.agents}`,
				`Regions: ${settings.regions.join(', ')}`,
				`Data:    ${agents.database}`,
				...(agents.address === undefined ? [] : [`Watched: ${agents.address}/metrics`]),
				`Browser: ${agents.browser ?? 'none, so tasks with "page": "browser" are left to other processes.'}`,
			].join('\n'),
		);
		return agents;
	});
}
