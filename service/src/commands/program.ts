import { enableCompileCache } from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';

// Before anything big is loaded: starting takes half the time from the second time on. What is kept there is run, so it is
// not in the folder for temporary files, as by itself, where others on the machine may put what they like.
try {
	enableCompileCache(join(homedir(), '.cache', 'cloud-scraping-service'));
} catch {
	// In a container, a user may have no home: then nothing is kept.
}
const { readCommand } = await import('./commandLine.ts');

// No failure of an output is the program's: whoever reads may have seen enough, and a disk may be full.
for (const output of [process.stdout, process.stderr]) output.on('error', () => undefined);
process.stdout.once('error', ({ code, message }: NodeJS.ErrnoException) => {
	if (code !== 'EPIPE') process.stderr.write(`Standard output cannot be written: ${message}.\n`);
});

const command = readCommand(process.argv.slice(2));
switch (command.name) {
	case 'serve':
		(await import('./serve.ts')).serve(process.env, command.flags);
		break;
	case 'agent':
		(await import('./agent.ts')).agent(process.env, command.flags);
		break;
	case 'check':
		process.exitCode = await (await import('./check.ts')).check(process.env, command.flags);
		break;
	case 'try':
		process.exitCode = await (await import('./try.ts')).tryTask(command, process.env);
		break;
	case 'tasks import':
		process.exitCode = await (await import('./taskFolder.ts')).importFolder(command, process.env);
		break;
	case 'tasks export':
		process.exitCode = await (await import('./taskFolder.ts')).exportFolder(command, process.env);
		break;
	case 'copy':
		process.exitCode = await (await import('./copy.ts')).copy(command, process.env);
		break;
	case 'help':
		process.stdout.write((await import('./help.ts')).help(command.of));
		break;
	case 'version':
		process.stdout.write(`${(await import('../settings/version.ts')).version}\n`);
		break;
	case 'unknown':
		process.stderr.write(`${command.reason}\n\n${(await import('./help.ts')).overview}`);
		process.exitCode = 1;
		break;
}
