import { createRequire } from 'node:module';
import type { ICredentialType, INodeType } from 'n8n-workflow';

/** Loads a node from a compiled file, in the given version where it has several. */
export function loadNode(file: string, className: string, version?: number): INodeType {
	const loaded = newInstance(file, className);
	const node: unknown =
		version !== undefined && isVersioned(loaded) ? loaded.getNodeType(version) : loaded;
	if (!isNodeType(node)) throw new Error(`${className} in ${file} is no node`);
	return node;
}

/** Loads a credential type from a compiled file. */
export function loadCredential(file: string, className: string): ICredentialType {
	const loaded = newInstance(file, className);
	if (!isCredentialType(loaded)) throw new Error(`${className} in ${file} is no credential type`);
	return loaded;
}

function newInstance(file: string, className: string): unknown {
	const exported: unknown = createRequire(file)(file);
	const loadedClass = isRecord(exported) ? exported[className] : undefined;
	if (typeof loadedClass !== 'function') throw new Error(`${file} has no class ${className}`);
	const instance: unknown = Reflect.construct(loadedClass, []);
	return instance;
}

function isRecord(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null;
}

function isVersioned(value: unknown): value is { getNodeType(version: number): unknown } {
	return isRecord(value) && typeof value.getNodeType === 'function';
}

function isNodeType(value: unknown): value is INodeType {
	return isRecord(value) && isRecord(value.description) && typeof value.execute === 'function';
}

function isCredentialType(value: unknown): value is ICredentialType {
	return isRecord(value) && typeof value.name === 'string' && Array.isArray(value.properties);
}
