import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';

/** Of localhost, signed by itself, valid for a hundred years; the key protects nothing. */
const certificate = `-----BEGIN CERTIFICATE-----
MIIBfzCCASWgAwIBAgIUYnGuWPem2sGuWiTaN1ZTENTTu3cwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMTE2MDMzM1oYDzIxMjYxMDI4
MTYwMzMzWjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAATAc4DQNF6dEh1xT+ziAwrSrmoTarCPlDYUqblQlEv+b+7maLEfg5Hp
to87zxY6lVQr2Z2CYJRSPuA1glV9Ynhgo1MwUTAdBgNVHQ4EFgQUCUs9ZZDLscmG
r6PqIo2VlvVkl7swHwYDVR0jBBgwFoAUCUs9ZZDLscmGr6PqIo2VlvVkl7swDwYD
VR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgNIADBFAiEA4x5b17OGikFbAuhe+zkW
UVFyNmiiJro9DTgNXqK/FQYCIEoNClFcENI29DDRvAZJuwyYFiJdOxgeLonVpOiM
XP9W
-----END CERTIFICATE-----`;

const key = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgi1jZJP4x4NlFVd0m
h9g8vOO0bvFUu7KHB9yw4gSLpGWhRANCAATAc4DQNF6dEh1xT+ziAwrSrmoTarCP
lDYUqblQlEv+b+7maLEfg5Hpto87zxY6lVQr2Z2CYJRSPuA1glV9Ynhg
-----END PRIVATE KEY-----`;

/** A host whose certificate nobody trusts, and how many requests have got through to it. */
export async function startUntrustedHost() {
	let requests = 0;
	const server = createServer({ cert: certificate, key }, (_request, response) => {
		requests++;
		response.end();
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	return {
		baseUrl: `https://127.0.0.1:${port}`,
		requests: () => requests,
		stop: async () => await new Promise<void>((resolve) => server.close(() => resolve())),
	};
}
