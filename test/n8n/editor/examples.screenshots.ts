import { readTemplate, withCredentials } from '../../support/n8n/template';
import { canvasButtons, workflowOnCanvas } from './clips';
import { openEditor } from './editor';
import type { Editor } from './editor';
import { exampleFiles } from './exampleFiles';
import { takePicture } from './picture';
import { usePictureStage } from './pictureStage';

describe('pictures of the examples', () => {
	const { stage, credential, open } = usePictureStage();
	let editor: Editor;

	beforeAll(async () => {
		editor = await openEditor(stage.n8n);
	});

	afterAll(async () => {
		await editor?.stop();
	});

	it.each(exampleFiles)('%s', async (file) => {
		const { page } = editor;
		await open(editor, withCredentials(readTemplate(file), { cloudScrapingApi: credential().id }));
		await page.getByTestId('zoom-to-fit').click();
		const name = `example-${file.replace('.json', '')}`;
		await takePicture(page, name, await workflowOnCanvas(page), canvasButtons);
	});
});
