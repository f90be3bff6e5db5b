import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { isObject, listAt, objectAt, textAt } from './json.ts';
import type { JsonObject } from './json.ts';
import type { N8nApi } from './n8nApi.ts';

/**
 * Enters an installed package into n8n's list of community packages (Settings > Community nodes),
 * as n8n does after loading it (`saveInstalledPackageWithNodes`): what it lists are the nodes that
 * this n8n has really loaded. Throws if it has loaded none.
 */
export async function listInstalledPackage(
	api: N8nApi,
	userFolder: string,
	packageName: string,
): Promise<void> {
	const nodes = await loadedNodes(api, packageName);
	if (nodes.length === 0) throw new Error(`n8n has loaded no node of ${packageName}`);
	const folder = join(userFolder, '.n8n', 'nodes', 'node_modules', packageName);
	const manifest = objectAt(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')));
	const author = isObject(manifest.author) ? manifest.author : {};

	const database = new DatabaseSync(join(userFolder, '.n8n', 'database.sqlite'), {
		timeout: 10_000,
	});
	try {
		database.exec('BEGIN IMMEDIATE');
		database.prepare('DELETE FROM installed_nodes WHERE package = ?').run(packageName);
		database.prepare('DELETE FROM installed_packages WHERE packageName = ?').run(packageName);
		database
			.prepare(
				`INSERT INTO installed_packages
					(packageName, installedVersion, authorName, authorEmail, createdAt, updatedAt)
					VALUES (?, ?, ?, ?, ${now}, ${now})`,
			)
			.run(
				packageName,
				textAt(manifest, 'version'),
				textOrNull(author.name),
				textOrNull(author.email),
			);
		const addNode = database.prepare(
			'INSERT INTO installed_nodes (name, type, latestVersion, package) VALUES (?, ?, ?, ?)',
		);
		for (const node of nodes) addNode.run(node.displayName, node.type, node.version, packageName);
		database.exec('COMMIT');
	} finally {
		database.close();
	}
}

// The way n8n writes times; the defaults of its columns are texts of this very expression.
const now = "STRFTIME('%Y-%m-%d %H:%M:%f', 'NOW')";

interface LoadedNode {
	displayName: string;
	type: string;
	version: number;
}

async function loadedNodes(api: N8nApi, packageName: string): Promise<LoadedNode[]> {
	const types = listAt(await api.getFile('/types/nodes.json')).map((type) => objectAt(type));
	return types
		.filter(({ name }) => typeof name === 'string' && name.startsWith(`${packageName}.`))
		.filter(({ name }) => !String(name).endsWith('Tool'))
		.map((type) => ({
			displayName: textAt(type, 'displayName'),
			type: textAt(type, 'name'),
			version: latestVersion(type),
		}));
}

function latestVersion({ version }: JsonObject): number {
	return Math.max(...(Array.isArray(version) ? version : [version]).map(Number));
}

function textOrNull(value: unknown): string | null {
	return typeof value === 'string' ? value : null;
}
