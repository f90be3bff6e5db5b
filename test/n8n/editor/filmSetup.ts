import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { listAt, objectAt, textAt } from '../../../playground/json.ts';
import packPackage from '../../support/n8n/packPackage';
import { packedTarball } from '../../support/n8n/packedTarball';
import { filmFolder, npmFolder } from './filmFolders';

const root = join(__dirname, '..', '..', '..');
const installed = '/usr/bin/ffmpeg';

/**
 * Before the film: Playwright's recorder looks for an ffmpeg of its own, and gets that of the machine; what
 * it is told, it reads when it is loaded.
 */
export default function filmSetup(): void {
	if (!existsSync(installed)) throw new Error('The film needs ffmpeg: apt-get install -y ffmpeg');
	const list = join(root, 'node_modules', 'playwright-core', 'browsers.json');
	const programs = listAt(objectAt(JSON.parse(readFileSync(list, 'utf8'))), 'browsers');
	const ffmpeg = programs.map((each) => objectAt(each)).find(({ name }) => name === 'ffmpeg');
	const browsers = join(filmFolder, 'browsers');
	const link = join(browsers, `ffmpeg-${textAt(objectAt(ffmpeg), 'revision')}`, 'ffmpeg-linux');
	rmSync(browsers, { recursive: true, force: true });
	mkdirSync(dirname(link), { recursive: true });
	symlinkSync(installed, link);
	process.env.PLAYWRIGHT_BROWSERS_PATH = browsers;
	packPackage();
	writeNpm();
}

/**
 * The npm of the n8n in the film: asked for the package, which may not be published yet, it gives what was
 * packed. All else, the machine's npm does.
 */
function writeNpm(): void {
	const tarball = packedTarball();
	const { version } = objectAt(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')));
	mkdirSync(npmFolder, { recursive: true });
	const script = `#!/bin/sh
case "$1" in
	view) echo '"${String(version)}"' ;;
	pack) cp '${tarball}' . && echo '${basename(tarball)}' ;;
	*) PATH="\${PATH#*:}" exec npm "$@" ;;
esac
`;
	writeFileSync(join(npmFolder, 'npm'), script, { mode: 0o755 });
}
