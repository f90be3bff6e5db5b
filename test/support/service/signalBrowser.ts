import { execFileSync } from 'node:child_process';
import type { RunningService } from './startService';

/**
 * Sends a signal to the browser of a service, to all of its processes, and to the script that has started it, where
 * there is one.
 */
export function signalBrowser(service: RunningService, signal: NodeJS.Signals): void {
	for (const pid of browsersOf(service)) process.kill(-pid, signal);
}

/** Sends a signal to the process of its browser that draws: without it, there are no frames. */
export function signalDrawing(service: RunningService, signal: NodeJS.Signals): void {
	const groups = browsersOf(service).join(',');
	for (const pid of pidsOf(['-g', groups, '-f', 'type=gpu-process'])) process.kill(pid, signal);
}

/** Sends a signal to the processes of its browser that pages run in. */
export function signalPages(service: RunningService, signal: NodeJS.Signals): void {
	const groups = browsersOf(service).join(',');
	for (const pid of pidsOf(['-g', groups, '-f', 'type=renderer'])) process.kill(pid, signal);
}

/** The process of its browser that asks sites. */
export function networkOf(service: RunningService): number {
	const groups = browsersOf(service).join(',');
	const [pid = 0] = pidsOf(['-g', groups, '-f', 'utility-sub-type=network']);
	return pid;
}

function browsersOf(service: RunningService): number[] {
	return pidsOf(['-P', String(service.process.pid)]);
}

function pidsOf(of: string[]): number[] {
	return execFileSync('pgrep', of).toString().trim().split('\n').map(Number);
}
