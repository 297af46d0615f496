import type { Locator, Page } from "playwright-core";
import { eventually } from "../../../../harness/eventually.ts";
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

/** Returns the middle of an element's box, once arriving pictures no longer move it. */
export function middleOf(box: Locator): Promise<{ x: number; y: number }> {
  let last = "";
  return eventually("the box no longer moves", async () => {
    await box.scrollIntoViewIfNeeded();
    const area = await box.boundingBox();
    const isStill = area !== null && JSON.stringify(area) === last;
    last = JSON.stringify(area);
    return isStill && { x: area.x + area.width / 2, y: area.y + area.height / 2 };
  });
}
