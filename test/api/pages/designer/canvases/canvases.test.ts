import test from "ava";
import type { Page } from "playwright-core";
import { servedStack } from "../../../../harness/served-stack.ts";
import { writeItems } from "../../../calls.ts";
import { manage } from "../../../management/calls.ts";
import { assertReadable, browserTests, seen } from "../../browser.ts";

const shelfwire = servedStack();
const browserTest = browserTests(shelfwire);

const canvas = {
  name: "Shelf price",
  width: 296,
  height: 128,
  background: "white",
  elements: [
    {
      kind: "text",
      x: 6,
      y: 6,
      width: 284,
      height: 40,
      font: "bold",
      size: 19,
      minimumSize: 12,
      lines: 2,
      color: "black",
      text: "${item.itemName}",
    },
    {
      kind: "price",
      x: 130,
      y: 48,
      width: 160,
      height: 70,
      font: "bold",
      size: 64,
      align: "right",
      color: ["red", "black"],
      value: "${item.price}",
    },
    { kind: "ean13", x: 6, y: 84, width: 120, height: 40, value: "${item.ean}", visible: "has(item.ean)" },
  ],
};

test.serial.before(async () => {
  await writeItems(shelfwire, [
    {
      itemId: "1",
      itemName: "Apple juice, cloudy, from orchards beside the river, 1 l",
      price: "1.99",
      properties: { ean: "3850000000013" },
    },
    { itemId: "2", itemName: "Pear", price: "1234.50" },
  ]);
  await manage(shelfwire, "PUT", "/canvas-designs/shelf-price", canvas);
});

const open = async (page: Page, path: string) => {
  await page.goto(`${shelfwire.origin}${path}`);
  await page.locator("#editor[data-drawn]").waitFor();
  await page.locator("#stage[data-ready]").waitFor();
  await page.locator("#matrix[data-drawn]").waitFor();
};

browserTest("the editor is accessible, light or dark, on a desktop, on a phone or at 200 %", async (t, { page }) => {
  await page.goto(`${shelfwire.origin}/designer/canvases`);
  await assertReadable(t, page, "canvases");
  await page.setViewportSize({ width: 1440, height: 900 });
  await open(page, "/designer/canvases/shelf-price");
  await page.locator("#layers .layer").nth(1).click();
  await page.waitForTimeout(500);
  await assertReadable(t, page, "canvas", { isWhole: true });
});

test.serial("no page requested another host, had errors, or attempted what its policy forbids", (t) => {
  t.deepEqual(seen, { foreign: [], violations: [], errors: [] });
});
