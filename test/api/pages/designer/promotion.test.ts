import test from "ava";
import { eventually } from "../../../harness/eventually.ts";
import { labelFor } from "../../../harness/glass.ts";
import { callersOf } from "../../../harness/served.ts";
import { servedStack } from "../../../harness/served-stack.ts";
import { bodyOf, writeItems, writeLabels } from "../../calls.ts";
import { manage } from "../../management/calls.ts";
import { browserTests, keepPicture, seen } from "../browser.ts";
import { RULES, ruleIn } from "./a-rules-page.ts";

const shelfwire = servedStack();
const browserTest = browserTests(shelfwire);
const storeIds = ["main", ...Array.from({ length: 9 }, (_, index) => `branch-${index + 1}`)];
const labelIn = (storeId: string) => labelFor(`promotion in ${storeId}`, "1328");
const callerOf = (storeId: string) => callersOf(shelfwire.origin, storeId);

test.serial.before(async () => {
  const { storeId: _, ...main } = await bodyOf<{ storeId: string; name: string }>(
    await manage(shelfwire, "GET", "/stores/main"),
  );
  for (const storeId of storeIds) {
    if (storeId !== "main") await manage(shelfwire, "PUT", `/stores/${storeId}`, { ...main, name: storeId });
    const caller = await callerOf(storeId);
    await writeItems(caller, [
      { itemId: "coffee", itemName: "Coffee", price: "4.99", properties: { brand: "Barista", priceKind: "regular" } },
    ]);
    await writeLabels(caller, [{ barcode: labelIn(storeId), links: [{ itemId: "coffee" }] }]);
  }
  await eventually(
    "every store shows the regular price",
    async () => (await storesWith("regular-296x128")).length === 10,
  );
});

/** Returns the stores whose label shows a design, or a copy of it. */
async function storesWith(design: string): Promise<string[]> {
  const found = await Promise.all(
    storeIds.map(async (storeId) => {
      const caller = await callerOf(storeId);
      const links = await caller.call("GET", `/labels/${labelIn(storeId)}/links`);
      const [link] = (await links.json()) as { designId: string | null }[];
      return link?.designId?.includes(`/${design}`) ? [storeId] : [];
    }),
  );
  return found.flat();
}

browserTest(
  "a promotion made as a sentence is tested, published to two of ten stores, and undone",
  async (t, { page }) => {
    await page.goto(`${shelfwire.origin}${RULES}`);
    await page.getByText("10 labels counted at").waitFor();
    await page.getByRole("button", { name: "Add rule", exact: true }).click();
    await page.getByLabel("Name", { exact: true }).fill("Coffee week");
    await page.getByRole("button", { name: "Add condition" }).click();
    const first = page.getByLabel("Applies if 1");
    await first.getByLabel("Property").selectOption("item.brand");
    await first.getByLabel("Value").fill("Barista");
    await page.getByRole("button", { name: "Add condition" }).click();
    const second = page.getByLabel("Applies if 2");
    await second.getByLabel("Property").selectOption("item.price");
    await second.getByLabel("Comparison").selectOption("below");
    await second.getByLabel("Value").fill("9.99");
    await page.getByLabel("Add design").selectOption({ label: "special-296x128" });
    const row = ruleIn(page, /Coffee week/);
    await row.focus();
    for (const _ of [1, 2, 3]) await page.keyboard.press("Alt+ArrowUp");
    await row.getByText("brand is Barista and price below 9.99").waitFor();
    await page.getByText("10 labels would change.").waitFor();
    await page.locator(".case", { hasText: "Coffee week · special-296x128" }).locator("img").waitFor();
    await page.getByRole("button", { name: "Publish …" }).click();
    const dialog = page.getByRole("dialog");
    await dialog
      .getByRole("row", { name: /Coffee week · special-296x128 10/ })
      .getByText("afterwards", { exact: true })
      .waitFor();
    await dialog.getByLabel("Some stores first").check();
    await dialog.getByLabel("branch-1").check();
    await dialog.getByLabel("branch-2").check();
    await keepPicture(page, "rules-promotion", false);
    await dialog.getByRole("button", { name: "Publish", exact: true }).click();
    await page.locator("#publications").getByText("in some stores").waitFor();
    await eventually("two stores show the promotion", async () => (await storesWith("special-296x128")).length === 2);
    t.deepEqual(await storesWith("special-296x128"), ["branch-1", "branch-2"]);
    await page.getByRole("button", { name: "Roll back" }).click();
    await eventually("no store shows the promotion", async () => (await storesWith("regular-296x128")).length === 10);
  },
);

test.serial("no page sent a request to another host, had errors, or attempted what its policy forbids", (t) => {
  t.deepEqual(seen, { foreign: [], violations: [], errors: [] });
});
