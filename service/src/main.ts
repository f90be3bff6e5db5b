import { enableCompileCache } from 'node:module';

// Before anything big is loaded: starting takes half the time from the second time on.
enableCompileCache();
const { help, readCommand } = await import('./commands/commandLine.ts');

// Whoever reads what a command prints may have seen enough of it.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
	if (error.code !== 'EPIPE') throw error;
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
