import { hash } from 'node:crypto';

/**
 * Equal for rows whose field values are all equal (section 4.4): rows have their fields in one order,
 * so equal values make equal JSON.
 */
export function hashOf(content: string): Uint8Array {
	return hash('sha256', content, 'buffer');
}
