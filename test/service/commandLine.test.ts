import { readCommand } from '../../service/src/commands/commandLine.ts';

test.each([
	[['now'], 'There is no command "now".'],
	[['agents'], 'There is no command "agents".'],
	[['serve', 'now'], "Unexpected argument 'now'."],
	[['check', 'now'], "Unexpected argument 'now'."],
	[['--try'], "Option '--try <value>' argument missing."],
	[['--port'], "Option '--port <value>' argument missing."],
	[
		['--port', '--host', 'x'],
		'--port needs a value; one that begins with a dash stands behind an equals sign: --port=-1.',
	],
	[
		['--keep-days', '-1'],
		'--keep-days needs a value; one that begins with a dash stands behind an equals sign: --keep-days=-1.',
	],
	[['--try='], 'try needs the path of a task file.'],
	[['try'], 'try needs the path of a task file.'],
	[['try', 'x', 'y'], "Unexpected argument 'y'."],
	[['--rows', '3'], '--rows is an option of try, not of serve.'],
	[['--json'], '--json is an option of try, not of serve.'],
	[['check', '--port', '3'], '--port is an option of serve and agent, not of check.'],
	[['tasks'], 'There is no command "tasks"; there is tasks import, and tasks export.'],
	[['tasks', 'x'], 'There is no command "tasks x"; there is tasks import, and tasks export.'],
	[['tasks', 'import'], 'tasks import needs the path of a folder.'],
	[['tasks', 'export', 'x', 'y'], "Unexpected argument 'y'."],
	[
		['tasks', 'import', 'x', '--overwrite'],
		'--overwrite is an option of tasks export, not of tasks import.',
	],
	[['copy'], 'copy needs --from with the path of the file to copy from.'],
	[['copy', 'x'], "Unexpected argument 'x'."],
	[['--from', 'x'], '--from is an option of copy, not of serve.'],
	[['--check', '--try', 'x'], "Unexpected argument 'try'."],
	[['try', 'x', '--rows', '0'], '--rows is "0": set it to a whole number from 1 to 10000.'],
	[['--try', 'x', '--rows', '1.5'], '--rows is "1.5": set it to a whole number from 1 to 10000.'],
	[['agent', 'postgres://u:s3cr3t@h/x'], "Unexpected argument 'postgres://***@h/x'."],
	[['postgres://u:s3cr3t@h/x'], 'There is no command "postgres://***@h/x".'],
	[
		['try', 'x', '--rows', 'postgres://u:s3cr3t@h/x'],
		'--rows is "postgres://***@h/x": set it to a whole number from 1 to 10000.',
	],
])('%j is not known', (args, reason) => {
	expect(readCommand(args)).toEqual({ name: 'unknown', reason });
});

test.each([
	[[], { name: 'serve', flags: {} }],
	[
		['--port', '0', '--large-ids', '--no-errors-as-200'],
		{ name: 'serve', flags: { port: '0', 'large-ids': 'true', 'errors-as-200': 'false' } },
	],
	[['serve', '--data=x'], { name: 'serve', flags: { data: 'x' } }],
	[['agent', '--agents', '8'], { name: 'agent', flags: { agents: '8' } }],
	[['--check'], { name: 'check', flags: {} }],
	[['check', '--tasks', 'x'], { name: 'check', flags: { tasks: 'x' } }],
	[['--try', 'x'], { name: 'try', file: 'x', rows: 20, json: false, flags: {} }],
	[
		['try', 'x', '--json', '--rows', '3', '--browser', 'y'],
		{ name: 'try', file: 'x', rows: 3, json: true, flags: { browser: 'y' } },
	],
	[['tasks', 'import', 'x'], { name: 'tasks import', folder: 'x', flags: {} }],
	[
		['tasks', 'export', 'x', '--overwrite', '--database', 'y'],
		{ name: 'tasks export', folder: 'x', overwrite: true, flags: { database: 'y' } },
	],
	[
		['copy', '--from', 'x', '--tasks', 'y'],
		{ name: 'copy', from: 'x', forget: false, flags: { tasks: 'y' } },
	],
	[['tasks', 'import', '--help'], { name: 'help', of: 'tasks import' }],
	[['try', '--help'], { name: 'help', of: 'try' }],
	[['--help'], { name: 'help', of: undefined }],
])('%j is known', (args, command) => {
	expect(readCommand(args)).toEqual(command);
});
