import { homedir, userInfo } from 'node:os';
import { isAbsolute, join } from 'node:path';

const name = 'cloud-scraping-service';

/** The folder for the data of this program, where the platform keeps those of its user's programs. */
export function userFolder(
	env: Partial<Record<string, string>>,
	platform: NodeJS.Platform = process.platform,
	// Of an empty HOME, the first knows nothing.
	home = homedir() || userInfo().homedir,
): string {
	if (platform === 'win32') {
		return join(env.LOCALAPPDATA || join(home, 'AppData', 'Local'), name);
	}
	if (platform === 'darwin') return join(home, 'Library', 'Application Support', name);
	const chosen = env.XDG_DATA_HOME ?? '';
	// The XDG specification has relative ones ignored.
	return join(isAbsolute(chosen) ? chosen : join(home, '.local', 'share'), name);
}
