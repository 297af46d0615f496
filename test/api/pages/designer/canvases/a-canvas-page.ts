import type { Page } from "playwright-core";
import type { Served } from "../../../../harness/served.ts";

/** Waits until an opened design is drawn, with its handles and its matrix. */
export async function isDrawn(page: Page): Promise<void> {
  await page.locator("#editor[data-drawn]").waitFor();
  await page.locator("#stage[data-ready]").waitFor();
  await page.locator("#matrix[data-drawn]").waitFor();
}

/** Opens a design in the editor. */
export async function openCanvas(page: Page, { origin }: Pick<Served, "origin">, id: string): Promise<void> {
  await page.goto(`${origin}/designer/canvases/${id}`);
  await isDrawn(page);
}

/** Opens the form for a new design, and waits for the pictures of its templates. */
export async function openGallery(
  page: Page,
  { origin }: Pick<Served, "origin">,
  summary = "New design",
): Promise<void> {
  await page.goto(`${origin}/designer/canvases`);
  await page.getByText(summary).click();
  await page.locator("#new-canvas[data-drawn]").waitFor();
}
