import { execFileSync } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../../playground/ports.ts';
import { startProgram, waitUntilReady } from '../../../playground/program.ts';

/** A PostgreSQL with a port and a data folder of its own. */
export interface Postgres {
	host: string;
	port: number;
	/** Who may do everything, without a password. */
	user: string;
	/** Its process, whose children are its connections. */
	pid(): number;
	/** Runs statements, one transaction each, in a database: "postgres", unless said. */
	run(statements: string[], database?: string): void;
	/** All that stands in a database, as statements that make it again. */
	dump(database: string): string;
	/** The address of a new, empty database. */
	newDatabase(): string;
	/** Ends it as a crash would; `begin` has it there again. */
	crash(): Promise<void>;
	begin(): Promise<void>;
	/** Ends it and removes its data. */
	stop(): Promise<void>;
}

const debian = '/usr/lib/postgresql';

/** Where Debian puts the programs of PostgreSQL, not on the path: the newest ones; undefined: there is none. */
export function postgresPrograms(): string | undefined {
	const versions = existsSync(debian) ? readdirSync(debian).map(Number) : [];
	return versions.length === 0 ? undefined : join(debian, String(Math.max(...versions)), 'bin');
}

/** What is lost when the machine goes down is no concern of a test, which would wait for each write of it. */
const forTests = { fsync: 'off', max_connections: '200' };

/** Starts one; `settings`: those of PostgreSQL. Throws where there is none on this machine. */
export async function startPostgres(
	settings: Record<string, string> = forTests,
): Promise<Postgres> {
	const programs = postgresPrograms();
	if (programs === undefined) throw new Error(`No PostgreSQL in ${debian}: run npm run test:queue`);
	const owner = whoMayRunIt();
	const folder = mkdtempSync(join(tmpdir(), 'cloud-scraping-postgres-'));
	if (owner) chownSync(folder, owner.uid, owner.gid);
	const data = join(folder, 'data');
	const user = 'n8n';
	const initialize = ['-D', data, '-U', user, '--auth=trust', '--no-sync', '-E', 'UTF8'];
	execFileSync(join(programs, 'initdb'), initialize, { cwd: folder, stdio: 'pipe', ...owner });

	const host = '127.0.0.1';
	const port = await freePort();
	const access = ['-h', host, '-p', String(port)];
	const set = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
	const begin = async () => {
		const started = startProgram({
			name: 'PostgreSQL',
			command: join(programs, 'postgres'),
			args: ['-D', data, ...access, '-k', folder, ...set],
			cwd: folder,
			env: process.env,
			logFile: `${folder}.log`,
			user: owner,
			// PostgreSQL's own word for "end now, whoever is connected".
			stopSignal: 'SIGINT',
		});
		const isReady = () => Promise.resolve(succeeds(join(programs, 'pg_isready'), access));
		await waitUntilReady(started, 'PostgreSQL', isReady);
		return started;
	};
	let program = await begin();
	const run = (statements: string[], database = 'postgres') => {
		const commands = statements.flatMap((statement) => ['-c', statement]);
		const settings = ['-U', user, '-d', database, '-q', '-v', 'ON_ERROR_STOP=1'];
		execFileSync(join(programs, 'psql'), [...access, ...settings, ...commands], { stdio: 'pipe' });
	};
	const dump = (database: string) => {
		const settings = ['-U', user, '-d', database, '--inserts', '--no-owner'];
		const said = execFileSync(join(programs, 'pg_dump'), [...access, ...settings], {
			encoding: 'utf8',
		});
		// Some versions guard the text with a word that they draw.
		return said.replace(/^\\(un)?restrict .*$/gm, '');
	};
	let databases = 0;
	return {
		host,
		port,
		user,
		pid: () => program.pid,
		run,
		dump,
		newDatabase() {
			const name = `scraping_${(databases += 1)}`;
			run([`CREATE DATABASE ${name}`]);
			return `postgres://${user}@${host}:${port}/${name}`;
		},
		async crash() {
			// Its word for "end now, without order".
			process.kill(program.pid, 'SIGQUIT');
			await program.ended;
		},
		async begin() {
			program = await begin();
		},
		async stop() {
			await program.stop();
			for (const path of [folder, `${folder}.log`]) rmSync(path, { recursive: true, force: true });
		},
	};
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
