import { enableCompileCache } from 'node:module';

// Before anything big is loaded: starting takes half the time from the second time on.
enableCompileCache();
const { help, readCommand } = await import('./commands/commandLine.ts');

// No failure of an output is the program's: whoever reads may have seen enough, and a disk may be full.
for (const output of [process.stdout, process.stderr]) output.on('error', () => undefined);
process.stdout.once('error', ({ code, message }: NodeJS.ErrnoException) => {
	if (code !== 'EPIPE') process.stderr.write(`Standard output cannot be written: ${message}.\n`);
});

const command = readCommand(process.argv.slice(2));
switch (command.name) {
	case 'serve':
		(await import('./commands/serve.ts')).serve();
		break;
	case 'check':
		process.exitCode = await (await import('./commands/check.ts')).check(process.env);
		break;
	case 'try':
		process.exitCode = await (await import('./commands/try.ts')).tryTask(command, process.env);
		break;
	case 'help':
		process.stdout.write(help);
		break;
	case 'unknown':
		process.stderr.write(`${command.reason}\n\n${help}`);
		process.exitCode = 1;
		break;
}
