import { execFileSync } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../../playground/ports.ts';
import { startProgram, waitUntilReady } from '../../../playground/program.ts';

export interface Postgres {
	/** n8n's settings for it. */
	env: NodeJS.ProcessEnv;
	/** Ends it and removes its data. */
	stop(): Promise<void>;
}

/** Starts a PostgreSQL with a port and a data folder of its own. */
export async function startPostgres(): Promise<Postgres> {
	const programs = newestPrograms();
	const user = whoMayRunIt();
	const folder = mkdtempSync(join(tmpdir(), 'cloud-scraping-postgres-'));
	if (user) chownSync(folder, user.uid, user.gid);
	const data = join(folder, 'data');
	const initialize = ['-D', data, '-U', 'n8n', '--auth=trust', '--no-sync', '-E', 'UTF8'];
	execFileSync(join(programs, 'initdb'), initialize, { cwd: folder, stdio: 'pipe', ...user });

	const port = await freePort();
	const access = ['-h', '127.0.0.1', '-p', String(port)];
	const program = startProgram({
		name: 'PostgreSQL',
		command: join(programs, 'postgres'),
		args: ['-D', data, ...access, '-k', folder, '-c', 'fsync=off', '-c', 'max_connections=200'],
		cwd: folder,
		env: process.env,
		logFile: `${folder}.log`,
		user,
		// PostgreSQL's own word for "end now, whoever is connected".
		stopSignal: 'SIGINT',
	});
	const isReady = () => Promise.resolve(succeeds(join(programs, 'pg_isready'), access));
	await waitUntilReady(program, 'PostgreSQL', isReady);
	return {
		env: {
			DB_TYPE: 'postgresdb',
			DB_POSTGRESDB_HOST: '127.0.0.1',
			DB_POSTGRESDB_PORT: String(port),
			DB_POSTGRESDB_DATABASE: 'postgres',
			DB_POSTGRESDB_USER: 'n8n',
		},
		stop: async () => {
			await program.stop();
			for (const path of [folder, `${folder}.log`]) rmSync(path, { recursive: true, force: true });
		},
	};
}

/** Where Debian puts the programs of the newest PostgreSQL: not on the path. */
function newestPrograms(): string {
	const all = '/usr/lib/postgresql';
	const versions = existsSync(all) ? readdirSync(all).map(Number) : [];
	if (versions.length === 0) throw new Error(`No PostgreSQL in ${all}: run npm run test:queue`);
	return join(all, String(Math.max(...versions)), 'bin');
}

/** PostgreSQL refuses to run as root: then it is the user that its Debian package has made. */
function whoMayRunIt(): { uid: number; gid: number } | undefined {
	if (process.getuid?.() !== 0) return undefined;
	const idOf = (kind: string) => Number(execFileSync('id', [kind, 'postgres']));
	return { uid: idOf('-u'), gid: idOf('-g') };
}

function succeeds(command: string, args: string[]): boolean {
	try {
		execFileSync(command, args, { stdio: 'pipe' });
		return true;
	} catch {
		return false;
	}
}
