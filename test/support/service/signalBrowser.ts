import { execFileSync } from 'node:child_process';
import type { RunningService } from './startService';

/**
 * Sends a signal to the browser of a service, to all of its processes, and to the script that has started it, where
 * there is one.
 */
export function signalBrowser(service: RunningService, signal: NodeJS.Signals): void {
	const browsers = execFileSync('pgrep', ['-P', String(service.process.pid)]).toString();
	for (const pid of browsers.trim().split('\n')) process.kill(-Number(pid), signal);
}
