import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { listAt, objectAt, textAt } from '../../../playground/json.ts';
import packPackage from '../../support/n8n/packPackage';

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
	const browsers = join(root, '.tmp', 'film', 'browsers');
	const link = join(browsers, `ffmpeg-${textAt(objectAt(ffmpeg), 'revision')}`, 'ffmpeg-linux');
	rmSync(browsers, { recursive: true, force: true });
	mkdirSync(dirname(link), { recursive: true });
	symlinkSync(installed, link);
	process.env.PLAYWRIGHT_BROWSERS_PATH = browsers;
	packPackage();
}
