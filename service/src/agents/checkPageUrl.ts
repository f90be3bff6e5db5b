import { PageError } from '../pages/page.ts';
import { isPageUrl } from '../tasks/values.ts';
import { shortened } from '../text/shortened.ts';

/** Characters of an address that is opened. */
const maxAddress = 64 * 1024;

/** Links and texts come from elsewhere, and a browser would open files of this machine. */
export function checkPageUrl(address: string): void {
	const said = shortened(address);
	if (address.length > maxAddress) {
		throw new PageError(`The address "${said}" is longer than ${maxAddress} characters.`);
	}
	if (!isPageUrl(address)) throw new PageError(`"${said}" is not an http or https URL.`);
}
