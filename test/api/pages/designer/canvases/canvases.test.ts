import test, { type ExecutionContext } from "ava";
import type { Page } from "playwright-core";
import type { CanvasDesign } from "../../../../../schemas/canvas.ts";
import { eventually } from "../../../../harness/eventually.ts";
import { labelFor } from "../../../../harness/glass.ts";
import { servedStack } from "../../../../harness/served-stack.ts";
import { bodyOf, writeItems, writeLabels } from "../../../calls.ts";
import { manage } from "../../../management/calls.ts";
import { assertReadable, browserTests, seen } from "../../browser.ts";
import { isDrawn, middleOf, openCanvas, openGallery } from "./a-canvas-page.ts";

const shelfwire = servedStack();
const browserTest = browserTests(shelfwire);
const barcode = labelFor("designed");
const NAME = "Apple juice, cloudy, from orchards beside the river";
const MAX_SCRIPT_BYTES = 250_000;

test.serial.before(async () => {
  await writeItems(shelfwire, [
    { itemId: "1", itemName: NAME, price: "1.99" },
    { itemId: "2", itemName: "Pear", price: "12.50" },
  ]);
  await writeLabels(shelfwire, [{ barcode, links: [{ itemId: "1" }] }]);
  await eventually(
    "the label has a picture",
    async () => (await shelfwire.call("GET", `/labels/${barcode}/image?of=shown`)).status === 200,
  );
});

const open = (page: Page, id: string) => openCanvas(page, shelfwire, id);
const stored = async (path: string) => await bodyOf<CanvasDesign>(await manage(shelfwire, "GET", path));
const draftOf = async (page: Page): Promise<CanvasDesign> => {
  const [id = ""] = new URL(page.url()).pathname.split("/").slice(-1);
  return (await bodyOf<{ content: CanvasDesign }>(await manage(shelfwire, "GET", `/canvas-designs/${id}/draft`)))
    .content;
};
const save = async (page: Page) => {
  await page.getByRole("button", { name: "Save draft" }).click();
  await page.getByText("Saved as a draft.").waitFor();
};

/** Finds the boxes of three label types by the sizes in their texts. */
const labels = [/296 × 128/, /152 × 152/, /400 × 300/];

const layoutsOf = ({ variants = [], ...own }: CanvasDesign) => [own, ...variants];

function assertMade(t: ExecutionContext, made: CanvasDesign): void {
  t.is(layoutsOf(made).length, 3);
  for (const { width, elements } of layoutsOf(made))
    t.deepEqual(
      elements.map(({ kind }) => kind),
      ["text", "price"],
      `${width}`,
    );
}

browserTest("a design for three labels is created from scratch with a pointer", async (t, { page }) => {
  await page.goto(`${shelfwire.origin}/designer/canvases`);
  await page.getByText("New design").click();
  await page.getByLabel("Name").fill("By pointer");
  for (const name of labels) await page.getByRole("checkbox", { name }).first().check();
  await page.getByRole("button", { name: "Create" }).click();
  await page.waitForURL(/by-pointer-/);
  await isDrawn(page);
  for (const index of [0, 1, 2]) {
    await page.locator(".size").nth(index).click();
    await page.locator("#add").selectOption("text");
    await page.locator("#add").selectOption("price");
  }
  await page.locator(".size").nth(0).click();
  await page.locator("#layers .layer", { hasText: "Price" }).click();
  const [before, box] = [
    await page.locator("#fields [name=x]").inputValue(),
    page.locator('.box[data-selected="true"]'),
  ];
  const { x, y } = await middleOf(box);
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + 37, y + 11, { steps: 5 });
  await page.mouse.up();
  const after = Number(await page.locator("#fields [name=x]").inputValue());
  t.true(after > Number(before), `${before} → ${after}`);
  await save(page);
  const made = await draftOf(page);
  assertMade(t, made);
  t.is(made.elements[1]?.x, after);
  await page.getByRole("button", { name: "Undo" }).click();
  t.is(await page.locator("#fields [name=x]").inputValue(), before, "the whole drag is one step");
  await save(page);
  await page.goto(`${shelfwire.origin}/designer/canvases`);
  await page.getByRole("link", { name: /^by-pointer-.*Draft/ }).click();
  await isDrawn(page);
  t.is(await page.locator("#design-name").inputValue(), "By pointer");
});

browserTest("a design for three labels is created from scratch with the keyboard only", async (t, { page }) => {
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  await page.goto(`${shelfwire.origin}/designer/canvases`);
  await page.locator(".new-canvas summary").focus();
  await press("Enter", "Tab");
  await page.keyboard.type("By keys");
  for (const name of labels) {
    await page.getByRole("checkbox", { name }).first().focus();
    await press("Space");
  }
  await page.getByRole("button", { name: "Create" }).focus();
  await press("Enter");
  await page.waitForURL(/by-keys-/);
  await isDrawn(page);
  for (const index of [0, 1, 2]) {
    await page.locator(".size").nth(index).focus();
    await press("Enter");
    for (const letter of ["T", "P"]) {
      await page.locator("#add").focus();
      await press(letter === "T" ? "ArrowDown" : "p");
      await page.locator(`#layers li[data-kind=${letter === "T" ? "text" : "price"}]`).waitFor();
    }
    await page.locator("#stage").focus();
    await press("Shift+ArrowLeft", "ArrowDown", "Control+ArrowRight");
  }
  await page.locator("#save").focus();
  await press("Enter");
  await page.getByText("Saved as a draft.").waitFor();
  const made = await draftOf(page);
  assertMade(t, made);
  const { width, height } = made;
  const price = made.elements[1];
  const [w, h] = [Math.round(width * 0.6), Math.round(height * 0.45)];
  t.like(price, { x: Math.round((width - w) / 2) - 8, y: Math.round((height - h) / 2) + 1, width: w + 1 });
});

/** Returns a script for the page that counts the pixels in which the visible picture differs from the label's. */
const countDifferences = (address: string) => `(async () => {
  const bitmap = await createImageBitmap(await (await fetch(${JSON.stringify(address)})).blob(), { colorSpaceConversion: "none" });
  const drawn = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d");
  drawn.drawImage(bitmap, 0, 0);
  const glass = drawn.getImageData(0, 0, bitmap.width, bitmap.height).data;
  const canvas = document.querySelector("#picture");
  const shown = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
  if (shown.length !== glass.length) return -1;
  return glass.reduce((sum, value, at) => sum + (value === shown[at] ? 0 : 1), 0);
})()`;

browserTest("the page's picture is pixel for pixel the picture on the glass", async (t, { page }) => {
  await open(page, "regular-296x128");
  await page.locator("#type").selectOption("1328");
  const name = await page.locator("#item option", { hasText: NAME }).first().getAttribute("value");
  await page.locator("#item").selectOption(name);
  const address = `/t/demo/s/main/api/public/core/v1/labels/${barcode}/image?of=shown`;
  await eventually("the picture is the label's", async () => (await page.evaluate(countDifferences(address))) === 0);
  const script = await page.evaluate<number>(
    `performance.getEntriesByType("resource").filter(({ name }) => /assets.*[.](ts|js)$/.test(name)).reduce((sum, { transferSize }) => sum + transferSize, 0)`,
  );
  t.true(script > 0 && script < MAX_SCRIPT_BYTES, `${script} bytes of script`);
});

browserTest(
  "a publication that would blank labels is stopped with a count of them, and a good one is published",
  async (t, { page }) => {
    await open(page, "regular-296x128");
    const before = await stored("/canvas-designs/regular-296x128");
    await page.locator("#layers li[data-kind=price] .layer").first().click();
    const width = page.locator("#fields [name=width]");
    const usual = await width.inputValue();
    await width.fill("9");
    await page.getByRole("button", { name: "Publish", exact: true }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("1 label would show nothing because of a fault.").waitFor();
    await dialog.getByText("Nothing has been published.").waitFor();
    await dialog.getByLabel("Publish anyway").waitFor();
    t.true(await dialog.getByRole("button", { name: "Publish", exact: true }).isDisabled());
    await dialog.getByRole("button", { name: "Cancel" }).click();
    t.deepEqual(await stored("/canvas-designs/regular-296x128"), before);
    await width.fill(String(Number(usual) - 3));
    await page.getByRole("button", { name: "Publish", exact: true }).click();
    await dialog.locator("#publish-pictures figure", { hasText: "Before" }).first().waitFor();
    await assertReadable(t, page, "canvas-publish", { isWhole: false, sizes: ["desk"] });
    await dialog.getByRole("button", { name: "Publish", exact: true }).click();
    await page.getByText("Published. The labels are getting their new pictures.").waitFor();
    t.notDeepEqual((await stored("/canvas-designs/regular-296x128")).elements, before.elements);
    await page.getByRole("button", { name: "Roll back" }).click();
    await page.locator("#save-state").getByText("Rolled back.").waitFor();
    await eventually("the label shows its earlier picture", async () => {
      const { elements } = await stored("/canvas-designs/regular-296x128");
      return JSON.stringify(elements) === JSON.stringify(before.elements);
    });
  },
);

browserTest(
  "a draft that another user has saved meanwhile is not overwritten without a warning",
  async (t, { page }) => {
    const path = "/canvas-designs/no-price-296x128";
    await open(page, "no-price-296x128");
    const name = page.locator("#design-name");
    const readName = async () =>
      (await bodyOf<{ content: CanvasDesign }>(await manage(shelfwire, "GET", `${path}/draft`))).content.name;
    const { canvasId: _, key: __, ...live } = (await stored(path)) as CanvasDesign & Record<"canvasId" | "key", string>;
    await bodyOf(await manage(shelfwire, "PUT", `${path}/draft`, { content: { ...live, name: "Theirs" } }));
    await name.fill("Mine");
    await page.getByRole("button", { name: "Save draft" }).click();
    await page.getByText("manager has saved this draft in the meantime.").waitFor();
    t.is(await readName(), "Theirs");
    await page.getByRole("button", { name: "Continue with mine" }).click();
    await page.getByText("Saved as a draft.").waitFor();
    t.is(await readName(), "Mine");
    await page.getByRole("button", { name: "Undo" }).click();
    t.is(await name.inputValue(), "Theirs", "undoing shows the other state");
    await page.getByRole("button", { name: "Redo" }).click();
  },
);

browserTest(
  "if the API is unreachable the page says so, loses nothing, and continues once it is back",
  async (t, { page }) => {
    await open(page, "special-296x128");
    await page.route("**/api/management/v1/**", (route) => route.abort());
    await page.locator("#design-name").fill("Kept");
    await page.locator("#notices", { hasText: "That did not work." }).waitFor();
    await page.getByRole("button", { name: "Save draft" }).click();
    await page.locator("#save-state", { hasText: "That did not work." }).waitFor();
    await page.getByRole("button", { name: "Draw all items" }).click();
    await page.locator("#all-state", { hasText: "That did not work." }).waitFor();
    await page.getByRole("button", { name: "Versions" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("That did not work.").waitFor();
    t.is(await dialog.getByText("There are no versions yet.").count(), 0);
    await page.keyboard.press("Escape");
    await page.unroute("**/api/management/v1/**");
    await save(page);
    t.is((await draftOf(page)).name, "Kept");
  },
);

browserTest("the editor is accessible, light or dark, on a desktop, on a phone or at 200 %", async (t, { page }) => {
  await openGallery(page, shelfwire);
  await assertReadable(t, page, "canvases");
  await page.setViewportSize({ width: 1440, height: 900 });
  await open(page, "special-296x128");
  await page.locator("#layers .layer").nth(1).click();
  await page.locator("#fields fieldset").first().waitFor();
  await assertReadable(t, page, "canvas", { isWhole: false });
});

test.serial("no page sent a request to another host, had errors, or attempted what its policy forbids", (t) => {
  t.deepEqual(seen, { foreign: [], violations: [], errors: [] });
});
