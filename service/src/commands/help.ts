import { commandNames, commands, type CommandName, type Option } from './options.ts';

const program = 'cloud-scraping-service';

/** What --help says of a command; without one, of the program. */
export function help(name?: CommandName): string {
	return name === undefined ? [overview, ...optionsOf('serve')].join('\n') : helpOfCommand(name);
}

/** What the program can be asked for. */
export const overview = [
	`${program} [COMMAND] [OPTIONS]`,
	'',
	...commandNames.map((name) => `  ${usage(name).padEnd(21)}${commands[name].words}`),
	'',
	`"${program} COMMAND --help" lists the options of a command, "${program} --version" says the version.`,
	'',
].join('\n');

function helpOfCommand(name: CommandName): string {
	return [
		`${program} ${usage(name)} [OPTIONS]`,
		'',
		`${commands[name].words}.`,
		'',
		...optionsOf(name),
	].join('\n');
}

function usage(name: CommandName): string {
	return `${name} ${commands[name].follows}`.trim();
}

function optionsOf(name: CommandName): string[] {
	return [
		`Options of ${name}; those with a variable can be set by it, too, and the option goes first:`,
		'',
		...commands[name].options.flatMap(described),
		'',
	];
}

function described({ flag, value, words, note }: Option): string[] {
	const said = note === undefined ? '' : ` (${note})`;
	return [`  --${flag}${value === undefined ? '' : ` ${value}`}${said}`, `      ${words}`];
}
