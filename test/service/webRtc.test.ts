import { createSocket, type RemoteInfo } from 'node:dgram';
import { pino } from 'pino';
import { chromium, type Page as Tab } from 'playwright-core';
import { Browser } from '../../service/src/pages/browser/browser.ts';
import { testWithBrowser } from '../support/service/browser';
import { startProxy, type Proxy } from '../support/service/startProxy';
import { startSite, type Site } from '../support/service/startSite';

// Pages behind a proxy that ask a server for their address by UDP, as calls between browsers do (STUN).

let site: Site;
let proxy: Proxy;
const stun = createSocket('udp4');
/** How many messages have come past the proxy. */
let messages = 0;

/** A browser stops asking once it has its answer: the address that it has asked from. */
function answer(message: Buffer, { address, port }: RemoteInfo): void {
	messages += 1;
	const said = Buffer.alloc(32);
	said.writeUInt16BE(0x0101, 0);
	said.writeUInt16BE(12, 2);
	message.copy(said, 4, 4, 20);
	said.writeUInt16BE(0x0001, 20);
	said.writeUInt16BE(8, 22);
	said.writeUInt16BE(0x0001, 24);
	said.writeUInt16BE(port, 26);
	Buffer.from(address.split('.').map(Number)).copy(said, 28);
	stun.send(said, port, address);
}

beforeAll(async () => {
	stun.on('message', answer);
	await new Promise<void>((resolve) => stun.bind(0, '127.0.0.1', resolve));
	site = await startSite(
		() => `<body><script>
			const urls = 'stun:127.0.0.1:${stun.address().port}';
			const connection = new RTCPeerConnection({ iceServers: [{ urls }] });
			connection.createDataChannel('any');
			connection.onicegatheringstatechange = () => {
				if (connection.iceGatheringState !== 'complete') return;
				document.body.insertAdjacentHTML('beforeend', '<p>complete</p>');
			};
			connection.createOffer().then((offer) => connection.setLocalDescription(offer));
		</script></body>`,
	);
	proxy = await startProxy();
});

afterAll(async () => {
	stun.close();
	await site?.stop();
	await proxy?.stop();
});

/** How many messages a page sends past the proxy of its tab, until it knows all its addresses. */
async function messagesOf(tab: Tab): Promise<number> {
	messages = 0;
	const asked = proxy.asked.length;
	await tab.goto(site.baseUrl);
	await tab.waitForSelector('p');
	expect(proxy.asked.length).toBeGreaterThan(asked);
	return messages;
}

const executables = [process.env.BROWSER_FOR_TESTS, process.env.BROWSER_WITH_WINDOWS];

testWithBrowser.each([...new Set(executables.filter((each) => each !== undefined))])(
	'nothing goes past the proxy of a task by WebRTC: %s',
	async (executablePath) => {
		// Elsewhere it does.
		const server = `http://${proxy.host}`;
		const other = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
		const context = await other.newContext({ proxy: { server } });
		expect(await messagesOf(await context.newPage())).toBeGreaterThan(0);
		await other.close();

		const browser = new Browser(executablePath, pino({ level: 'silent' }));
		const tab = await browser.newTab({ proxy: server });
		expect(await messagesOf(tab)).toBe(0);
		await browser.close();
	},
);
