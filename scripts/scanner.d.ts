/** What is used here of n8n's scanner, which has no types of its own. */
declare module '@n8n/scan-community-package/scanner/scanner.mjs' {
	export const SOURCE_FILE_PATTERNS: string[];
	export function analyzePackage(
		folder: string,
		patterns?: string[],
	): Promise<{ passed: boolean; message?: string; details?: string }>;
}
