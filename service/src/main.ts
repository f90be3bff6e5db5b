#!/usr/bin/env node
// In words that any Node.js knows, and with nothing imported before: an older one says what is
// wrong in a sentence, and not by where it has stumbled.
const oldestNode = 24;

if (Number.parseInt(process.versions.node) >= oldestNode) await import('./commands/program.ts');
else {
	process.stderr.write(
		`cloud-scraping-service needs Node.js ${oldestNode} or newer, and this is ${process.versions.node}: install one from https://nodejs.org, then start it again.\n`,
	);
	process.exitCode = 1;
}

export {};
