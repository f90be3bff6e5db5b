import type { Locator, Page } from 'playwright-core';

/** A part of the page, in CSS pixels. */
export interface Clip {
	x: number;
	y: number;
	width: number;
	height: number;
}

/** The canvas and what is around it, without n8n's own menu on the left. */
export const aroundCanvas: Clip = { x: 42, y: 0, width: 1238, height: 860 };

/** The panel on the right in which nodes are searched, as far down as it has results. */
export const nodePanel: Clip = { x: 895, y: 65, width: 385, height: 240 };

/** What invites to change or run a workflow, and would lie over its nodes in a picture. */
export const canvasButtons = ['button', '[data-test-id="canvas-handle-plus-wrapper"]'];

/** The height of the tabs "Parameters" and "Settings". */
const tabsHeight = 42;
const margin = 20;
/** What of a node is outside its box: its name and subtitle below it, in at most three lines. */
const labels = { beside: 60, below: 80 };

/** The parameters of the node that is open, down to the last one that can be seen. */
export async function parameterPane(page: Page): Promise<Clip> {
	const pane = page.getByTestId('node-parameters');
	const fields = pane.locator('[data-test-id^="parameter-input-"], button, input');
	const { x, y, width, height } = await boxOf(pane);
	const last = await boxOf(fields.filter({ visible: true }).last());
	const bottom = Math.min(y + height, last.y + last.height + margin);
	return { x, y: y - tabsHeight, width, height: bottom - y + tabsHeight };
}

/** The node that is open, between its input and its output. */
export async function wholeNode(page: Page): Promise<Clip> {
	return await boxOf(page.getByTestId('ndv'));
}

/** The credential form that is open. */
export async function openForm(page: Page): Promise<Clip> {
	return await boxOf(page.getByTestId('editCredential-modal'));
}

/** The nodes and notes on the canvas, with some space around them. */
export async function workflowOnCanvas(page: Page): Promise<Clip> {
	const canvas = await boxOf(page.getByTestId('canvas'));
	const shown = page.getByTestId('canvas-node').or(page.getByTestId('sticky'));
	const boxes = await Promise.all((await shown.all()).map(boxOf));
	const left = Math.max(canvas.x, Math.min(...boxes.map(({ x }) => x)) - labels.beside);
	const top = Math.max(canvas.y, Math.min(...boxes.map(({ y }) => y)) - margin);
	const right = Math.max(...boxes.map(({ x, width }) => x + width)) + labels.beside;
	const bottom = Math.max(...boxes.map(({ y, height }) => y + height)) + labels.below;
	return {
		x: left,
		y: top,
		width: Math.min(right, canvas.x + canvas.width) - left,
		height: Math.min(bottom, canvas.y + canvas.height) - top,
	};
}

async function boxOf(element: Locator): Promise<Clip> {
	const box = await element.boundingBox();
	if (!box) throw new Error('What is to be pictured cannot be seen');
	return box;
}
