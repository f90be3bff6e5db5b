import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '..', '..', '..');

interface Packed {
	/** Bytes of the tarball. */
	size: number;
	files: string[];
}

describe('the package, as npm would publish it', () => {
	let packed: Packed;

	beforeAll(() => {
		if (!existsSync(join(root, 'dist'))) npm('run', 'build');
		packed = packedPackage(npm('pack', '--dry-run', '--json'));
	}, 120_000);

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

	test('needs nothing installed beside n8n', () => {
		expect(manifest()).not.toHaveProperty('dependencies');
		expect(manifest().peerDependencies).toEqual({ 'n8n-workflow': '*' });
	});
});

function npm(...args: string[]): string {
	return execFileSync('npm', args, {
		cwd: root,
		encoding: 'utf8',
		stdio: ['ignore', 'pipe', 'ignore'],
	});
}

function packedPackage(json: string): Packed {
	const [{ size, files }] = JSON.parse(json) as [{ size: number; files: { path: string }[] }];
	return { size, files: files.map(({ path }) => path) };
}

interface Manifest {
	n8n: { credentials: string[]; nodes: string[] };
	peerDependencies: Record<string, string>;
}

function manifest(): Manifest {
	return JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest;
}
