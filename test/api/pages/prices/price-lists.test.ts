import test from "ava";
import { languages } from "../../../../api/pages/messages/texts.ts";
import { eventually } from "../../../harness/eventually.ts";
import { itemOutcomes } from "../../../harness/glass.ts";
import { servedStack } from "../../../harness/served-stack.ts";
import { readItem, writeItems } from "../../calls.ts";
import { assertReadable, browserTests, seen } from "../browser.ts";

const shelfwire = servedStack({ workers: ["item"] });
const browserTest = browserTests(shelfwire);
const names = Array.from({ length: 25 }, (_, index) => `item-${index}`);
const csv = (price: string) => ["number;price", ...names.map((name) => `${name};${price}`)].join("\n");

test.serial.before(async () => {
  await writeItems(
    shelfwire,
    names.map((itemId) => ({ itemId, itemName: `Name of ${itemId}`, price: "1.00" })),
  );
});

browserTest(
  "an imported list is confirmed by typing the number of large price changes, and undone in two clicks",
  async (t, { page }) => {
    await page.goto(`${shelfwire.origin}/import`);
    const file = { name: "Spring list.csv", mimeType: "text/csv", buffer: Buffer.from(csv("9.00")) };
    await page.locator("#file").setInputFiles(file);
    await page.getByRole("button", { name: "Preview changes" }).click();
    await page.getByRole("button", { name: "Save 25 items" }).click();
    const save = page.getByRole("dialog").locator("button[value=yes]");
    t.true(await save.isDisabled());
    await page.locator("#typed").fill("25");
    await save.click();
    await page.getByRole("link", { name: "Show the price list" }).click();
    await page.getByText("25of 25 rows applied").waitFor();
    t.regex((await page.locator(".jumps li").first().textContent()) ?? "", /\+800%/);
    await assertReadable(t, page, "price-list");
    await writeItems(shelfwire, [{ itemId: "item-3", price: "3.00" }]);

    await page.goto(`${shelfwire.origin}/price-lists`);
    await assertReadable(t, page, "price-lists");
    const clicks: string[] = [];
    await page.exposeBinding("countClick", () => void clicks.push("click"));
    await page.evaluate("addEventListener('click', () => countClick(), true)");
    await page.getByRole("button", { name: "Undo Spring-list" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Undo" }).click();
    await page.getByText("Undone by").waitFor();
    t.is(clicks.length, 2);
    t.is((await readItem(shelfwire, "item-1")).price, "1.00");
    t.is((await readItem(shelfwire, "item-3")).price, "3.00");
    t.is(await page.locator("[data-undo]").count(), 0);
    await page.getByRole("link", { name: /^Spring-list/ }).click();
    await page.locator("#failures").getByText("item-3").waitFor();
    await page.getByText("Not restored, because it has changed since the price list: price.").waitFor();
  },
);

for (const language of Object.keys(languages))
  browserTest(`price lists are shown in ${language}`, async (t, { enter }) => {
    const number = await shelfwire.client.patchItems(
      Array.from({ length: 101 }, (_, index) => ({ itemId: `${language}-${index}`, price: "1.00" })),
    );
    await itemOutcomes(shelfwire, number);
    const page = await enter({ locale: language });
    await eventually("the list is shown", async () => {
      await page.goto(`${shelfwire.origin}/price-lists/request-${number}`);
      return (await page.locator("h1").textContent()) === `request-${number}`;
    });
    t.is(await page.locator("html").getAttribute("lang"), language);
    t.is(await page.locator(".technical").count(), 0);
  });

test.serial("no price list page loads anything from elsewhere or violates its policy", (t) => {
  t.deepEqual(seen, { foreign: [], violations: [], errors: [] });
});
