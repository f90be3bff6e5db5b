import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, realpath, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const root = join(__dirname, '..', '..', '..');

/** The service as it would be published; built anew if a source has changed since. */
export function packedService(): string {
	const script = join(root, 'scripts', 'pack.mjs');
	return execFileSync(process.execPath, [script, 'service'], { encoding: 'utf8' }).trim();
}

/** The packed service in an empty folder of its own. */
export interface InstalledService {
	/** The folder; what it is installed in is `node_modules`. */
	folder: string;
	/** The folder of the package. */
	files: string;
	/** What Node.js runs. */
	program: string;
	remove(): Promise<void>;
}

/** Installs the packed service as its users do. */
export async function installService(): Promise<InstalledService> {
	const installed = await emptyInstallation();
	const quietly = ['--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'];
	execFileSync('npm', ['install', packedService(), ...quietly], { cwd: installed.folder });
	return installed;
}

/** The same in a moment: what package.json names as its dependencies is taken from the repository. */
export async function linkService(): Promise<InstalledService> {
	const installed = await emptyInstallation();
	const { folder, files } = installed;
	await mkdir(files, { recursive: true });
	execFileSync('tar', ['-xzf', packedService(), '-C', files, '--strip-components=1']);
	const { dependencies } = JSON.parse(await readFile(join(files, 'package.json'), 'utf8')) as {
		dependencies: Record<string, string>;
	};
	for (const name of Object.keys(dependencies)) {
		const link = join(folder, 'node_modules', name);
		const own = join(root, 'service', 'node_modules', name);
		await mkdir(dirname(link), { recursive: true });
		await symlink(existsSync(own) ? own : join(root, 'node_modules', name), link);
	}
	return installed;
}

async function emptyInstallation(): Promise<InstalledService> {
	const folder = await realpath(await mkdtemp(join(tmpdir(), 'cloud-scraping-installed-')));
	const files = join(folder, 'node_modules', 'cloud-scraping-service');
	return {
		folder,
		files,
		program: join(files, 'dist', 'main.js'),
		remove: () => rm(folder, { recursive: true, force: true }),
	};
}
