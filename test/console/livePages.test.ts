import { describeWithBrowser } from '../support/service/browser';
import { useChromium } from '../support/service/chromium';
import { consoleClient, visitConsole } from '../support/service/console';
import { startService, type RunningService } from '../support/service/startService';

jest.setTimeout(90_000);

describeWithBrowser('pages that follow what happens', () => {
	const browser = useChromium();
	let service: RunningService;
	beforeEach(async () => {
		service = await startService();
	});
	afterEach(async () => {
		await service?.stop();
	});

	test('say that the service is gone, and no more once it is back', async () => {
		const { page } = await visitConsole(browser(), service);
		await page.goto('/console/');
		const notice = page.getByRole('alert');
		expect(await notice.count()).toBe(0);
		const { port } = new URL(service.baseUrl);
		await service.kill();
		await notice.getByText('The service does not answer').waitFor();
		service = await startService({ folder: service.folder, env: { SERVICE_PORT: port } });
		await notice.waitFor({ state: 'hidden' });
	});

	test('say that one is signed out', async () => {
		const { page } = await visitConsole(browser(), service);
		await page.goto('/console/');
		const [cookie] = await page.context().cookies();
		const visit = await consoleClient(service);
		const headers = { cookie: `${cookie?.name}=${cookie?.value}` };
		await visit('/console/sign-out', { method: 'POST', headers });
		await page.getByRole('alert').getByText('You are signed out').waitFor();
	});

	test('leave room for others, however many windows are open', async () => {
		const { page } = await visitConsole(browser(), service);
		for (let window = 0; window < 9; window += 1) {
			const other = await page.context().newPage();
			await other.goto('/console/');
			await other.getByRole('heading', { name: 'Tasks' }).waitFor();
		}
		const last = page.context().pages().at(-1);
		await last?.getByRole('button', { name: 'Start Small shop: the whole list' }).click();
		await last?.waitForURL('**/console/batches/*');
		// All of them hear of it.
		for (const other of page.context().pages().slice(1, -1)) {
			await other.getByText('Successful').first().waitFor();
		}
	});
});
