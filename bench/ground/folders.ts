import { join } from 'node:path';

export const root = join(import.meta.dirname, '..', '..');

/** Where a run leaves its raw results; Git ignores them. */
export const resultsFolder = join(root, '.tmp', 'bench', 'results');

/** The package as the bench has compiled it: apart from dist/, which a build may empty meanwhile. */
export const compiledPackage = join(root, '.tmp', 'bench', 'dist');

/** n8n's own nodes, from the n8n of the playground. */
export const n8nNodesBase = join(root, 'playground', 'node_modules', 'n8n-nodes-base');
