import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { packedTarball } from '../../support/n8n/packedTarball';
import { linkService } from '../../support/service/packedService';

const root = join(__dirname, '..', '..', '..');

interface Packed {
	/** Bytes of the tarball. */
	size: number;
	files: string[];
	/** Where it is unpacked. */
	folder: string;
}

describe('the package, as npm would publish it', () => {
	let packed: Packed;

	beforeAll(() => {
		const tarball = packedTarball();
		// Below the root, where the package finds n8n-workflow, as it does in n8n.
		const folder = mkdtempSync(join(root, '.tmp', 'unpacked-'));
		execFileSync('tar', ['-xzf', tarball, '-C', folder, '--strip-components=1']);
		const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
			statSync(join(folder, file)).isFile(),
		);
		packed = { size: statSync(tarball).size, files, folder };
	});

	afterAll(() => rmSync(packed.folder, { recursive: true }));

	test('is smaller than 100 KB', () => {
		expect(packed.size).toBeLessThan(100_000);
	});

	test('holds what n8n loads and its documents, and nothing else', () => {
		const documents = /^(package\.json|README\.md|LICENSE|CHANGELOG\.md)$/;
		const loaded = /^dist\/(credentials|nodes|icons)\/[\w/.]+\.(js|json|svg)$/;
		const others = packed.files.filter((file) => !documents.test(file) && !loaded.test(file));
		expect(others).toEqual([]);
		expect(packed.files.filter((file) => /\.(test|spec)\.|tsbuildinfo|\.map$/.test(file))).toEqual(
			[],
		);
	});

	test('holds every node and credential that its manifest names, with their icons', () => {
		const { n8n } = manifest();
		const named = [...n8n.credentials, ...n8n.nodes];
		expect(packed.files).toEqual(expect.arrayContaining(named));
		expect(packed.files).toEqual(
			expect.arrayContaining(['dist/icons/cloudScraping.svg', 'dist/icons/cloudScraping.dark.svg']),
		);
		for (const node of n8n.nodes) {
			expect(packed.files).toContain(node.replace(/\.js$/, '.json'));
		}
	});

	test('speaks of nothing that is in the repository alone', () => {
		const { folder } = packed;
		const unpacked = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as object;
		for (const key of ['workspaces', 'scripts', 'devDependencies']) {
			expect(unpacked).not.toHaveProperty(key);
			expect(manifest()).toHaveProperty(key);
		}
		const readme = readFileSync(join(folder, 'README.md'), 'utf8');
		const links = [...readme.matchAll(/(?:\]\(|src="|srcset=")([^)"]+)/g)].map(([, link]) => link);
		expect(links.length).toBeGreaterThan(50);
		expect(links.filter((link) => !/^(https:\/\/|#)/.test(link))).toEqual([]);
	});

	test('needs nothing installed beside n8n', () => {
		expect(manifest()).not.toHaveProperty('dependencies');
		expect(manifest().peerDependencies).toEqual({ 'n8n-workflow': '*' });
	});

	test(`is loaded by Node.js ${process.versions.node}, as n8n loads it`, () => {
		// A process of its own: jest would load the modules in its own way.
		const output = execFileSync(process.execPath, ['--eval', loadAll, packed.folder]);
		expect(JSON.parse(output.toString())).toEqual({
			version: process.version,
			nodes: ['cloudScraping', 'cloudScrapingTrigger'],
			credentials: ['cloudScrapingApi'],
		});
	});
});

describe('the service, as npm would publish it', () => {
	test(`says on Node.js ${process.versions.node} which one it needs, in a sentence, if that is another one`, async () => {
		const installed = await linkService();
		const { stderr } = spawnSync(process.execPath, [installed.program, '--help'], {
			encoding: 'utf8',
		});
		await installed.remove();
		const isOld = Number(process.versions.node.split('.')[0]) < 24;
		expect(stderr).toBe(
			isOld
				? `cloud-scraping-service needs Node.js 24 or newer, and this is ${process.versions.node}: install one from https://nodejs.org, then start it again.\n`
				: '',
		);
	});
});

/** n8n makes one of each class that is called as its file, and reads what it says of itself. */
const loadAll = `
	const { basename, join } = require('node:path');
	const folder = process.argv[1];
	const { n8n } = require(join(folder, 'package.json'));
	const load = (file) => new (require(join(folder, file))[basename(file).split('.')[0]])();
	const nodes = n8n.nodes.map((file) => load(file).description.name);
	const credentials = n8n.credentials.map((file) => load(file).name);
	console.log(JSON.stringify({ version: process.version, nodes, credentials }));
`;

interface Manifest {
	n8n: { credentials: string[]; nodes: string[] };
	peerDependencies: Record<string, string>;
}

function manifest(): Manifest {
	return JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest;
}
