const { execFileSync } = require('node:child_process');
const { rmSync } = require('node:fs');
const { dest, parallel, series, src } = require('gulp');

async function clean() {
	rmSync('dist', { recursive: true, force: true });
}

async function compile() {
	execFileSync(process.execPath, [require.resolve('typescript/bin/tsc')], { stdio: 'inherit' });
}

/** n8n reads icons, codex files and the schemas of outputs from beside the compiled nodes. */
function copyIcons() {
	return src('icons/*.svg').pipe(dest('dist/icons'));
}

function copyJson() {
	return src('nodes/**/*.json').pipe(dest('dist/nodes'));
}

exports.build = series(clean, parallel(compile, copyIcons, copyJson));
