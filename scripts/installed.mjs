import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * @typedef {{ version?: string, integrity?: string, link?: boolean, optional?: boolean, os?: string[], cpu?: string[] }} LockedPackage
 * @typedef {Record<string, LockedPackage>} LockedPackages
 */

/**
 * Whether a folder's node_modules hold what its lockfile asks for. Compares with the record that npm
 * itself keeps of what it installed, and writes last: an interrupted installation has none, and one
 * made by hand counts.
 * @param {string} folder
 */
export function isInstalled(folder) {
	const record = join(folder, 'node_modules', '.package-lock.json');
	if (!existsSync(record)) return false;
	const wanted = lockedPackages(join(folder, 'package-lock.json'));
	const installed = lockedPackages(record);
	return Object.entries(wanted).every(([path, locked]) => {
		if (!path.includes('node_modules/')) return true;
		const there = installed[path];
		if (!there) return isForOtherMachines(locked);
		return there.version === locked.version && there.integrity === locked.integrity;
	});
}

/** @param {LockedPackage} locked */
function isForOtherMachines({ optional, os, cpu }) {
	return optional === true || os !== undefined || cpu !== undefined;
}

/**
 * @param {string} file
 * @returns {LockedPackages}
 */
function lockedPackages(file) {
	return JSON.parse(readFileSync(file, 'utf8')).packages;
}
