import type { ExecutionContext } from "ava";
import type { Page } from "playwright-core";
import { eventually } from "../../harness/eventually.ts";

const MAX_SCRIPT_BYTES = 150_000;
const WHOLE = `document.body?.lastElementChild?.matches("main") && document.readyState !== "loading"`;
const CLOSED = "main button[data-scripted]:disabled";

/** Opens a page and holds its scripts back while it types and searches; measures the scripts' size. */
export async function loadSlowly(t: ExecutionContext, page: Page, origin: string, path: string) {
  const held = Promise.withResolvers<void>();
  await page.route("**/*.ts", async (route) => {
    await held.promise;
    await route.continue();
  });
  await page.goto(`${origin}${path}`, { waitUntil: "commit" });
  await page.locator("main h1, main h2").first().waitFor({ state: "attached" });
  const open = page.locator("main :not(dialog *) > button:not(:disabled)");
  await eventually(`all of ${path} is loaded`, () => page.evaluate<boolean>(WHOLE));
  t.is(await open.count(), 0, `${path}: ${await open.allTextContents()}`);
  for (const input of await page.locator("main form input:not([type]):visible").all()) await input.press("Enter");
  const search = page.getByRole("searchbox");
  if ((await search.count()) > 0) {
    await search.fill("e");
    await search.press("Enter");
    await page.waitForURL(/[?&]search=e/, { waitUntil: "commit" });
  }
  const { pathname, searchParams } = new URL(page.url());
  t.true(path.startsWith(pathname), path);
  if (path.includes("store=")) t.is(searchParams.get("store"), "main", "a search without the script keeps the store");
  held.resolve();
  await page.unrouteAll({ behavior: "wait" });
  await page.waitForLoadState();
  await eventually(`the buttons of ${path} are enabled`, async () => (await page.locator(CLOSED).count()) === 0);
  const loaded = await page.evaluate<{ name: string; size: number }[]>(
    `performance.getEntriesByType("resource").map(({ name, decodedBodySize: size }) => ({ name, size })).filter(({ name }) => /[.][jt]s$/.test(name))`,
  );
  const bytes = loaded.reduce((sum, { size }) => sum + size, 0);
  t.true(bytes > 0 && bytes < MAX_SCRIPT_BYTES, `${path}: ${bytes}`);
  t.false(
    loaded.some(({ name }) => name.includes("zxing")),
    "the camera's code reader is loaded only with the camera",
  );
}

/** Returns the navigation entries that are not fully visible. */
export const cutEntries = (page: Page) =>
  page.evaluate<string[]>(
    `Array.from(document.querySelectorAll(".top nav a")).filter((entry) => {
    const words = document.createRange();
    words.selectNodeContents(entry);
    const { left, right, height } = words.getBoundingClientRect();
    return height > 30 || left < 0 || right > innerWidth;
  }).map(({ textContent }) => textContent)`,
  );

/** Returns the width of a label's picture, in its own pixels and as shown, once it is loaded. */
export const sizeOfPicture = (page: Page) =>
  eventually("the new picture is loaded", async () => {
    const size = await page.evaluate<{ width: number; shown: number }>(
      `(({ naturalWidth, width }) => ({ width: naturalWidth, shown: width }))(document.querySelector(".mat img"))`,
    );
    return size.width > 0 && size;
  });

/** Returns whether the two newest pictures of a label's timeline are loaded. */
export const isTimelineLoaded = (page: Page) =>
  page.evaluate<boolean>(
    `Array.from(document.querySelectorAll(".then")).slice(0, 2).every(({ naturalWidth }) => naturalWidth > 0)`,
  );

/** Presses Tab until the focus is on a label of the shelf. */
export async function tabToLabel(page: Page): Promise<void> {
  for (let presses = 0; presses < 12; presses += 1) {
    await page.keyboard.press("Tab");
    if (await page.evaluate<boolean>(`document.activeElement.classList.contains("open")`)) break;
  }
}

/** Returns whether the focused element has an outline. */
export const isFocusSeen = (page: Page) =>
  page.evaluate<boolean>(`getComputedStyle(document.activeElement).outlineStyle !== "none"`);

/** Returns the words of a page that are split over two lines, except words that only screen readers see. */
export const brokenWords = (page: Page) =>
  page.evaluate<string[]>(`(() => {
    const found = [];
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const { data, parentElement } = texts.currentNode;
      if (!parentElement.checkVisibility() || parentElement.clientWidth === 1) continue;
      for (const { 0: word, index } of data.matchAll(/[\\p{L}\\p{N}]+/gu)) {
        const range = document.createRange();
        range.setStart(texts.currentNode, index);
        range.setEnd(texts.currentNode, index + word.length);
        if (new Set(Array.from(range.getClientRects(), ({ top }) => Math.round(top))).size > 1) found.push(word);
      }
    }
    return found;
  })()`);
