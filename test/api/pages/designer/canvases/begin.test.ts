import test from "ava";
import type { CanvasDesign } from "../../../../../schemas/canvas.ts";
import { eventually } from "../../../../harness/eventually.ts";
import { servedStack } from "../../../../harness/served-stack.ts";
import { bodyOf, writeItems } from "../../../calls.ts";
import { manage } from "../../../management/calls.ts";
import { assertReadable, browserTests, keepPicture, seen } from "../../browser.ts";
import { isDrawn, middleOf, openCanvas, openGallery } from "./a-canvas-page.ts";

const shelfwire = servedStack();
const browserTest = browserTests(shelfwire);
/** Label types of two sizes, in the page's order. */
const TYPES = [1314, 1328];
const A_DAY_MS = 86_400_000;

test.serial.before(() =>
  writeItems(shelfwire, [
    {
      ...{ itemId: "1", itemName: "Apple juice, cloudy", price: "1.99" },
      properties: { quantity: "1 l", unitPrice: "1.99", lowestPrice30: "2.49" },
    },
  ]),
);

const read = async <T>(path: string) => await bodyOf<T>(await manage(shelfwire, "GET", path));

browserTest("a design starts from a template's layout, and its publication is scheduled", async (t, { page }) => {
  await openGallery(page, shelfwire);
  const card = page.locator('[data-template="offer"]');
  t.is(await card.locator("img").count(), 1, "a common label type is used until one is chosen");
  for (const type of TYPES) await page.locator(`[name=types][value="${type}"]`).check();
  await card.locator("img").nth(1).waitFor();
  t.regex((await card.locator("img").first().getAttribute("alt")) ?? "", /Apple juice, cloudy/);
  t.true(await page.getByRole("radio", { name: "Strip for two items" }).isDisabled());
  await keepPicture(page, "canvases-gallery");
  const shown = await card.locator("img").first().getAttribute("src");
  await page.getByRole("radio", { name: "Offer" }).check();
  t.is(await page.getByLabel("Name", { exact: true }).inputValue(), "Offer");
  await page.getByRole("button", { name: "Create" }).click();
  await page.waitForURL(/\/offer-/);
  await isDrawn(page);
  const own = page.locator("#sizes img").first();
  await eventually("the editor shows the gallery's picture", async () => (await own.getAttribute("src")) === shown);
  const [id = ""] = new URL(page.url()).pathname.split("/").slice(-1);
  const order = { storeId: "main", labelTypes: TYPES };
  const made = await bodyOf<{ canvas: CanvasDesign }>(
    await manage(shelfwire, "POST", "/design-templates/offer/canvas", order),
  );
  const { content } = await read<{ content: CanvasDesign }>(`/canvas-designs/${id}/draft`);
  t.deepEqual(content, { ...made.canvas, name: "Offer" });

  await page.getByRole("button", { name: "Publish", exact: true }).click();
  const dialog = page.getByRole("dialog");
  await dialog.locator("#publish-pictures li").first().waitFor();
  await dialog.getByLabel("At a later time").check();
  const at = new Date(Date.now() + A_DAY_MS).toISOString().slice(0, "2026-01-01T00:00".length);
  await dialog.getByLabel("Day and time").fill(at);
  await dialog.getByRole("button", { name: "Publish", exact: true }).click();
  await page.getByText("scheduled").first().waitFor();
  const [publication] = await read<{ publicationId: string; state: string }[]>("/publications");
  t.is(publication?.state, "SCHEDULED");
  t.is((await manage(shelfwire, "GET", `/canvas-designs/${id}`)).status, 404, "nothing is live yet");
  t.true((await manage(shelfwire, "DELETE", `/publications/${publication?.publicationId}`)).ok);
});

const boxAt = (x: number, y: number) => ({ kind: "box", x, y, width: 60, height: 30, stroke: "black" });

browserTest(
  "an element that is dragged near another one's edge snaps to it, unless snapping is off",
  async (t, { page }) => {
    const canvas = {
      name: "Snap",
      width: 296,
      height: 128,
      background: "white",
      elements: [boxAt(40, 10), boxAt(150, 80)],
    };
    await manage(shelfwire, "PUT", "/canvas-designs/snap/draft", { content: canvas });
    await openCanvas(page, shelfwire, "snap");
    await page.locator("#scale").selectOption("2");
    const lower = page.locator(".box").nth(1);
    const dragTo = async (x: number) => {
      await page.locator("#layers .layer").first().click();
      await page.locator('.box[data-selected="true"]').waitFor();
      const middle = await middleOf(lower);
      const from = Number(await page.locator("#fields [name=x]").inputValue());
      await page.mouse.move(middle.x, middle.y);
      await page.mouse.down();
      await page.mouse.move(middle.x + (x - from) * 2, middle.y, { steps: 8 });
      await page.mouse.up();
      return Number(await page.locator("#fields [name=x]").inputValue());
    };
    await page.locator("#snap").uncheck();
    t.is(await dragTo(43), 43);
    await dragTo(110);
    await page.locator("#snap").check();
    t.is(await dragTo(42), 40, "the left edge of the upper one");
  },
);

const languages = [
  { locale: "de-DE", summary: "Neues Design", template: "Angebot", save: "Entwurf speichern", layers: "Elemente" },
  { locale: "hr-HR", summary: "Novi dizajn", template: "Akcija", save: "Spremi nacrt", layers: "Elementi" },
];
for (const { locale, summary, template, save, layers } of languages)
  browserTest(`the designs page and the editor are in ${locale}`, async (t, { enter }) => {
    const page = await enter({ locale });
    await openGallery(page, shelfwire, summary);
    await page.getByRole("radio", { name: template }).waitFor();
    await assertReadable(t, page, `canvases-${locale}`, { sizes: ["phone"] });
    await openCanvas(page, shelfwire, "regular-296x128");
    await page.getByRole("button", { name: save }).waitFor();
    t.is(await page.locator("#layers-title").textContent(), layers);
    const said = (await page.locator("body").textContent()) ?? "";
    t.notRegex(said, /\b(canvas|canvases|publishing)\.[a-z]/i, "every message has its text");
    await assertReadable(t, page, `canvas-${locale}`, { isWhole: false, sizes: ["phone"] });
  });

test.serial("no page sent a request to another host, had errors, or attempted what its policy forbids", (t) => {
  t.deepEqual(seen, { foreign: [], violations: [], errors: [] });
});
