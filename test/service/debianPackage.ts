import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Installs a Debian package that a test needs; rejects with what to do where that is not possible. */
export async function installPackage(name: string): Promise<void> {
	try {
		await run('apt-get', ['update']);
		await run('apt-get', ['install', '-y', name]);
	} catch (error) {
		throw new Error(
			`This test needs the package ${name} and could not install it. Run "apt-get install -y ${name}" as root, on Debian or Ubuntu. (${String(error)})`,
		);
	}
}

/** Installs Chromium unless there is one already. */
export async function installChromium(): Promise<void> {
	const found = await run('which', ['chromium', 'google-chrome', 'chromium-browser']).catch(
		({ stdout }: { stdout: string }) => ({ stdout }),
	);
	if (found.stdout.trim() === '') await installPackage('chromium');
}
