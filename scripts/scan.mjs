import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
	analyzePackage,
	SOURCE_FILE_PATTERNS,
} from '@n8n/scan-community-package/scanner/scanner.mjs';
import { root } from './folders.mjs';

// The check that n8n's reviewers run on a community package: its sources, and what npm would publish.
const unpacked = mkdtempSync(join(tmpdir(), 'scan-'));
try {
	const pack = join(root, 'scripts', 'pack.mjs');
	const tarball = execFileSync(process.execPath, [pack], { encoding: 'utf8' }).trim();
	execFileSync('tar', ['-xzf', tarball, '-C', unpacked, '--strip-components=1']);
	report('sources', await analyzePackage(root, SOURCE_FILE_PATTERNS));
	report('package', await analyzePackage(unpacked));
} finally {
	rmSync(unpacked, { recursive: true, force: true });
}

/** @param {string} what @param {{ passed: boolean, message?: string, details?: string }} result */
function report(what, { passed, message, details }) {
	const verdict = passed ? 'no finding' : `${message}\n${details ?? ''}`;
	process.stdout.write(`n8n's scanner, ${what}: ${verdict}\n`);
	if (!passed) process.exitCode = 1;
}
