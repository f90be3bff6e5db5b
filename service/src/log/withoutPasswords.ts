/**
 * What stands before the host of an address: user name and password, up to the last @ of both. Where it was taken for a
 * path, one of its slashes is gone.
 */
const userInfo = /(?<=[:/]\/)(?:\\.|[^\s\\/?#"])+@/g;

/** A text in which the addresses have neither user names nor passwords, which no reader needs. */
export function withoutPasswords(text: string): string {
	return text.replace(userInfo, '***@');
}
