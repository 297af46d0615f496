import test from "ava";
import type { Page } from "playwright-core";
import { labelFor } from "../../../harness/glass.ts";
import { servedStack } from "../../../harness/served-stack.ts";
import { readItem, writeItems, writeLabels } from "../../calls.ts";
import { assertReadable, browserTests, seen } from "../browser.ts";
import { EVIL, figure, list, priceList, shopItems } from "../shop-items.ts";

const shelfwire = servedStack();
const browserTest = browserTests(shelfwire);

test.serial.before(async () => {
  await writeItems(shelfwire, shopItems);
  await writeLabels(shelfwire, [{ barcode: labelFor("first"), links: [{ itemId: "item-0" }] }]);
});

const open = async (page: Page, path: string) => void (await page.goto(`${shelfwire.origin}${path}`));
const outcome = (page: Page, text: string) => page.locator("#outcome", { hasText: text }).waitFor();

browserTest("the list finds an item by its name, number or code, and links to it", async (t, { page }) => {
  await open(page, "/items");
  t.is(await page.locator("#all .rows li").count(), 50);
  await page.getByRole("link", { name: "Next items" }).click();
  await page.getByRole("link", { name: /Article 59/ }).waitFor();
  const search = page.getByRole("searchbox", { name: "Search" });
  for (const words of ["APPLE jui", "item-0", "3850000000010"]) {
    await search.fill(words);
    await page.getByText("1 item", { exact: true }).waitFor();
  }
  t.is(await page.locator("#rows .price").textContent(), "€1.49", "with the store's currency");
  await search.fill("no such thing");
  await page.getByText("No items match").waitFor();
  await search.fill("apple");
  await page.getByRole("link", { name: /Apple juice/ }).click();
  await page.getByRole("heading", { name: "Apple juice" }).waitFor();
  await page.goBack();
  await page.getByText("1 item", { exact: true }).waitFor();
});

browserTest(
  "an item's text fields, codes and properties are edited, and emptied properties are removed",
  async (t, { page }) => {
    await open(page, "/items/item-1");
    await page.getByLabel("Name", { exact: true }).fill("Pear, ripe");
    await page.getByLabel("Price (EUR)").fill("1.99");
    await page.getByLabel("Codes").fill("");
    await page.getByLabel("priceKind").fill("special");
    await page.getByLabel("unit").fill("");
    await page.getByRole("button", { name: "Add a property" }).click();
    await page.getByLabel("Property", { exact: true }).fill("origin");
    await page.getByLabel("Value", { exact: true }).fill("<b>Istra</b>");
    await page.getByRole("button", { name: "Save" }).click();
    await outcome(page, "Saved.");
    const item = await readItem(shelfwire, "item-1");
    t.like(item, { itemName: "Pear, ripe", price: "1.99", department: "Fruit", sics: [] });
    t.deepEqual(item.properties, { priceKind: "special", origin: "<b>Istra</b>" });
    await page.getByRole("button", { name: "Save" }).click();
    await outcome(page, "Nothing to save.");
  },
);

browserTest("a save does not overwrite another user's change unless it is forced", async (t, { page }) => {
  await open(page, "/items/item-2");
  await writeItems(shelfwire, [{ itemId: "item-2", price: "5.55", department: "Stone fruit" }]);
  await page.getByLabel("Price (EUR)").fill("4.44");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Price (EUR): now 5.55, yours 4.44").waitFor();
  t.is((await readItem(shelfwire, "item-2")).price, "5.55");
  await page.getByRole("button", { name: "Save mine" }).click();
  await outcome(page, "Saved.");
  t.like(await readItem(shelfwire, "item-2"), { price: "4.44", department: "Stone fruit" });
});

browserTest("a scheduled change is listed with its time, finds its item, and can be cancelled", async (t, { page }) => {
  await open(page, "/items/item-2");
  await page.getByLabel("Price (EUR)").fill("3.33");
  await page.getByLabel("Effective from").fill("2099-01-02T06:30");
  await page.getByRole("button", { name: "Save" }).click();
  await outcome(page, "Scheduled.");
  const waits = page.locator("#waits");
  await waits.getByText("€3.33").waitFor();
  t.true(await waits.getByText("Jan 2, 2099, 06:30").isVisible());
  t.is((await readItem(shelfwire, "item-2")).price, "4.44");
  await open(page, "/items");
  await page.getByLabel("Only with scheduled changes").check();
  await page.getByText("1 item", { exact: true }).waitFor();
  await page.locator("#rows").getByText("Scheduled change: Jan 2, 2099, 06:30").waitFor();
  await open(page, "/items/item-2");
  await page.getByRole("button", { name: "Cancel this change" }).click();
  await waits.getByText("The scheduled change has been cancelled.").waitFor();
  await waits.getByText("No scheduled changes").waitFor();
  t.is((await readItem(shelfwire, "item-2")).validFrom, null);
});

browserTest("an item is deleted after a confirmation that lists the labels it leaves", async (t, { page }) => {
  await writeItems(shelfwire, [{ itemId: "gone", itemName: "Soon gone" }]);
  await writeLabels(shelfwire, [{ barcode: labelFor("gone"), links: [{ itemId: "gone" }] }]);
  await open(page, "/items/gone");
  await page.getByRole("link", { name: labelFor("gone") }).waitFor();
  await page.getByRole("button", { name: "Delete item" }).click();
  await page.getByText("1 label loses this item.").waitFor();
  await page.getByRole("button", { name: "Cancel" }).click();
  t.is((await shelfwire.call("GET", "/items/gone")).status, 200);
  await page.getByRole("button", { name: "Delete item" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete item" }).click();
  await page.waitForURL(`${shelfwire.origin}/items`);
  t.is((await shelfwire.call("GET", "/items/gone")).status, 404);
  await open(page, "/items/gone");
  await page.getByText("This item does not exist in this store.").waitFor();
});

browserTest("an import guesses the columns, previews the changes, and shows each row's result", async (t, { page }) => {
  await open(page, "/items");
  await page.getByRole("link", { name: "Import a list" }).click();
  await page.getByLabel("CSV file").setInputFiles(list(priceList));
  await page.getByText("First item: item-0 · Apple juice · €1.79").waitFor();
  const column = page.getByRole("combobox");
  t.deepEqual(
    await page.evaluate<string[]>("[...document.querySelectorAll('#column-list select')].map(({ value }) => value)"),
    ["itemId", "itemName", "price", "sics", "", ""],
  );
  await column.nth(5).selectOption({ label: "Property with this name" });
  await column.nth(0).selectOption({ label: "Skip" });
  await page.getByText("Choose the column with the item numbers.").waitFor();
  t.true(await page.getByRole("button", { name: "Preview changes" }).isDisabled());
  await column.nth(0).selectOption({ label: "Item number" });
  await page.getByRole("button", { name: "Preview changes" }).click();
  await page.getByText("Nothing is saved yet.").waitFor();
  const figures = ["created", "changed", "unchanged", "invalid", "touched"].map((name) => figure(page, name));
  t.deepEqual(await Promise.all(figures), ["2", "1", "1", "2", "1"]);
  const touched = page.locator("#touched a");
  t.is(await touched.count(), 1, "each counted label is listed, with its link");
  t.is(await touched.getAttribute("href"), `/labels/${await touched.textContent()}`);
  t.deepEqual(await page.locator("#faults li").allTextContents(), [
    "Line 5: no item number",
    "Line 7, new-1: its number is already in line 3",
  ]);
  t.regex((await page.locator("#prices li").first().textContent()) ?? "", /^Apple juice: €1\.\d9 → €1\.79$/);
  t.is((await shelfwire.call("GET", "/items/new-1")).status, 404, "a dry run stores nothing");
  const held = Promise.withResolvers<void>();
  await page.route("**/items?projection=M*", async (route) => {
    await held.promise;
    await route.continue();
  });
  await page.getByRole("button", { name: "Preview changes" }).click();
  await column.nth(4).selectOption({ label: "Property with this name" });
  held.resolve();
  await page.unrouteAll({ behavior: "wait" });
  await page.waitForLoadState("networkidle");
  t.false(await page.locator("#check").isVisible(), "results for other columns are not offered");
  await column.nth(4).selectOption({ label: "Skip" });
  await page.getByRole("button", { name: "Preview changes" }).click();
  await page.getByRole("button", { name: "Save 3 items" }).waitFor();
  await page.route("**/items-result/*", (route) => route.abort(), { times: 1 });
  await page.getByRole("button", { name: "Save 3 items" }).click();
  await page.getByText("Done: 2 items saved. 1 row was not saved.").waitFor();
  t.regex((await page.locator("#failures li").textContent()) ?? "", /^Line 4, new-2: .*3850000000013/);
  t.like(await readItem(shelfwire, "new-1"), { itemName: "Crème fraîche", price: "2.49", sics: ["385777"] });
  t.like(await readItem(shelfwire, "item-0"), { price: "1.79" });
  t.true(await page.getByRole("button", { name: "Preview changes" }).isEnabled(), "the other rows can be viewed");
});

browserTest("the reason why a code was not saved is in the page's language", async (t, { page, context }) => {
  await writeItems(shelfwire, [{ itemId: "owner", sics: ["777"] }, { itemId: "taker" }]);
  for (const [language, save, said] of [
    ["de", "Speichern", "Nicht gespeichert: Der Code „777“ gehört zum Artikel „owner“."],
    ["hr", "Spremi", "Nije spremljeno: Kod „777” pripada artiklu „owner”."],
  ] as const) {
    await context.addCookies([{ name: "shelfwire-language", value: language, url: shelfwire.origin }]);
    await open(page, "/items/taker");
    await page.locator("[name=sics]").fill("777");
    await page.getByRole("button", { name: save, exact: true }).click();
    await outcome(page, said);
  }
  t.deepEqual((await readItem(shelfwire, "taker")).sics, []);
});

browserTest("a file that is too large or not a list is rejected, and nothing is sent", async (t, { page }) => {
  await open(page, "/import");
  for (const [lines, text] of [
    [["number,name"], "This file has no rows below the first line."],
    [["number,name", '1,"open'], "The quotation mark in line 2 is never closed."],
    [
      ["number", ...Array.from({ length: 50_001 }, (_, row) => `${row}`)],
      "This list has more than 50,000 rows. Split it.",
    ],
  ] as const) {
    await page.getByLabel("CSV file").setInputFiles(list(lines));
    await page.getByText(text).waitFor();
    t.false(await page.locator("#columns").isVisible());
  }
});

browserTest("the keyboard alone is enough to find an item and change its price", async (t, { page }) => {
  await open(page, "/items");
  await page.getByRole("searchbox").focus();
  await page.keyboard.type("apple");
  await page.getByText("1 item", { exact: true }).waitFor();
  for (const _ of [1, 2]) await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  // Until its script arrives, a form stores nothing.
  await page.getByRole("button", { name: "Save", disabled: false }).waitFor();
  await page.getByLabel("Price (EUR)").focus();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("1.29");
  await page.keyboard.press("Enter");
  await outcome(page, "Saved.");
  t.is((await readItem(shelfwire, "item-0")).price, "1.29");
});

browserTest("an item's name is escaped in the list, in search results and on its page", async (t, { page }) => {
  for (const path of ["/items", "/items?search=script", "/items/item-3"]) {
    await open(page, path);
    await page.getByText(EVIL).locator("visible=true").first().waitFor();
    t.not(await page.title(), "taken", path);
  }
});

const shown = { items: "/items", "items-found": "/items?search=a", item: "/items/item-2", import: "/import" };

browserTest(
  "the item pages are accessible, light or dark, on a desktop, on a phone or at 200 %",
  async (t, { page }) => {
    for (const [name, path] of Object.entries(shown)) {
      await open(page, path);
      if (name === "items-found") await page.getByText(/^\d+ items/).waitFor();
      if (name === "import") {
        await page
          .getByLabel("CSV file")
          .setInputFiles(list(["SKU;Name;Preis;EAN", "item-0;Apple;1,99;", ";;2;", "new;Eggs;0,99;"]));
        await page.getByRole("button", { name: "Preview changes" }).click();
        await page.getByRole("button", { name: "Save 2 items" }).waitFor();
        await page.evaluate("scrollTo(0, 0)");
      }
      await assertReadable(t, page, name, { isWhole: name !== "items-found" });
    }
  },
);

test.serial("no page sent a request to another host, had errors, or attempted what its policy forbids", (t) => {
  t.deepEqual(seen, { foreign: [], violations: [], errors: [] });
});
