import test from "ava";
import type { Page } from "playwright-core";
import { folded } from "../../../../api/pages/browser/search/fold.ts";
import { pathInStore, queryInStore } from "../../../../api/pages/layout/chosen-store.ts";
import { worstFirst } from "../../../../api/pages/overview/store-table.ts";
import { openStoreCounts } from "../../../../queues/metrics/store-counts.ts";
import { storeKey } from "../../../../schemas/keys.ts";
import { eventually } from "../../../harness/eventually.ts";
import { labelFor } from "../../../harness/glass.ts";
import { ownStack } from "../../../harness/own.ts";
import { writeItems, writeLabels } from "../../calls.ts";
import { manage } from "../../management/calls.ts";
import { assertReadable, browserTests, seen } from "../browser.ts";
import { brokenWords, cutEntries } from "../in-the-browser.ts";

const shelfwire = ownStack({
  workers: ["item", "pages", "link"],
  leavesStale: "no worker draws: these pages find things by their texts",
});
const browserTest = browserTests(shelfwire);
const ITEMS = 150;
const MORE_STORES = 25;
const HOUR_MS = 3_600_000;

test.serial.before(async () => {
  const items = Array.from({ length: ITEMS }, (_, index) => ({
    itemId: `f${index}`,
    itemName: index === 7 ? "Šunka Đurđa" : `Item ${index}`,
    price: "1.99",
  }));
  await writeItems(shelfwire, items);
  await writeLabels(shelfwire, [{ barcode: labelFor("finding"), plLocation: "Gang 7", links: [{ itemId: "f7" }] }]);
  const { storeId: _, ...store } = (await (await manage(shelfwire, "GET", "/stores/main")).json()) as {
    storeId: string;
  };
  await manage(shelfwire, "PUT", "/stores/second", { ...store, name: "Žabica" });
});

const open = (page: Page, path: string) => page.goto(`${shelfwire.origin}${path}`);

browserTest(
  "an address without a page returns a readable page to people and a problem to programs",
  async (t, { page }) => {
    const answer = await open(page, "/shelves/7");
    t.is(answer?.status(), 404);
    await page.getByText("There is no page at this address.").waitFor();
    await assertReadable(t, page, "unknown-page");
    await page.getByRole("link", { name: "Overview" }).click();
    await page.getByRole("navigation", { name: "Pages" }).waitFor();
    const problem = await fetch(`${shelfwire.origin}/shelves/7`);
    t.is(problem.headers.get("content-type"), "application/problem+json");
  },
);

browserTest("Ctrl K finds items, labels, stores and pages, even if accents are left out", async (t, { page }) => {
  await open(page, "/care?store=main");
  await page.getByRole("button", { name: "Search" }).waitFor();
  await page.keyboard.press("Control+k");
  const dialog = page.getByRole("dialog");
  const field = dialog.getByRole("searchbox");
  const find = async (words: string, name: string) => {
    await field.fill(words);
    await dialog.getByRole("link", { name }).first().waitFor();
  };
  await find("zabica", "Žabica");
  await find("gang 7", labelFor("finding"));
  await find("shelf", "Shelf");
  await find("durda sunka", "Šunka Đurđa");
  await assertReadable(t, page, "search");
  await page.keyboard.press("ArrowDown");
  t.is(await page.evaluate("document.activeElement.textContent"), "Šunka Đurđa f7");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/items\/f7/);
});

browserTest("the store is remembered, and the user stays on the same page when it changes", async (t, { page }) => {
  await open(page, "/items?store=main");
  await page.locator(".store summary").click();
  await page.getByRole("link", { name: "Žabica" }).click();
  await page.waitForURL(/\/items\?store=second/);
  await open(page, "/shelf");
  t.is(await page.locator(".store summary").textContent(), "Store Žabica");
  await open(page, `/labels/${labelFor("finding")}`);
  await page.getByRole("heading", { name: labelFor("finding") }).waitFor();
  t.is(
    await page.locator(".store summary").textContent(),
    "Store Main street",
    "an address without a store means the first store",
  );
  await open(page, "/items?store=main");
});

browserTest("Back returns to the search and the place in the list", async (t, { page }) => {
  await open(page, "/items?store=main");
  await page.locator("#finder input[type=search]").fill("item");
  await page.getByRole("link", { name: "Item 33" }).first().click();
  await page.waitForURL(/\/items\/f33/);
  await page.goBack();
  await eventually("the list has its earlier position", async () => (await page.evaluate<number>("scrollY")) > 500);
  t.is(await page.locator("#finder input[type=search]").inputValue(), "item");
});

for (const [what, width, height] of [
  ["a phone", 390, 844],
  ["a tablet", 768, 1024],
  ["200 % zoom", 640, 360],
] as const) {
  browserTest(`in German and Croatian no page is wider than ${what}, and no word breaks`, async (t, { enter }) => {
    const page = await enter({ viewport: { width, height } });
    for (const language of ["de", "hr"]) {
      await page.context().addCookies([{ name: "shelfwire-language", value: language, url: shelfwire.origin }]);
      for (const path of ["/", "/shelf/then", "/people", "/stores"]) {
        await open(page, `${path}?store=main`);
        t.true(await page.evaluate<boolean>("document.documentElement.scrollWidth <= innerWidth"), path);
        t.deepEqual([...(await brokenWords(page)), ...(await cutEntries(page))], [], `${path} ${language}`);
      }
    }
  });
}

browserTest("head office sees thousands of stores in a table, those in trouble first", async (t, { page }) => {
  const { storeId: _, ...settings } = (await (await manage(shelfwire, "GET", "/stores/second")).json()) as {
    storeId: string;
  };
  for (let index = 0; index < MORE_STORES; index += 1)
    await manage(shelfwire, "PUT", `/stores/more${index}`, { ...settings, name: `Branch ${index}` });
  const counts = (some: object) => ({ NEW: 0, PENDING: 0, OK: 40, ERROR: 0, OFFLINE: 0, UNKNOWN: 0, ...some });
  const { redis, now } = shelfwire.system;
  const store = (id: string) => storeKey("demo", id);
  const earlier = openStoreCounts(redis, () => new Date(now().getTime() - 3 * HOUR_MS));
  await earlier.note(new Map([[store("more7"), counts({ PENDING: 12 })]]));
  await openStoreCounts(redis, now).note(
    new Map([
      [store("more3"), counts({ PENDING: 30 })],
      [store("more7"), counts({ OFFLINE: 3 })],
    ]),
  );
  await open(page, "/");
  await page.getByRole("row", { name: /Branch 24/ }).waitFor();
  const first = (index: number) => page.locator("#stores tbody tr").nth(index).textContent();
  t.regex((await first(0)) ?? "", /Branch 7\b/);
  t.regex((await first(1)) ?? "", /Branch 3\b/);
  t.is(await page.locator("#stores svg[role=img]").first().getAttribute("aria-label"), "at most 12");
  await page.getByRole("row", { name: /main.*1 label/ }).waitFor();
  await assertReadable(t, page, "store-table");
  await page.getByLabel("Find a store").fill("zabica");
  await page.getByText("1 store", { exact: true }).waitFor();
  t.is(await page.getByRole("row").count(), 2);
  t.regex(page.url(), /find=zabica/);
  await open(page, "/?find=branch&start=20");
  await page.getByText("25 stores", { exact: true }).waitFor();
  t.is(await page.getByRole("row").count(), 6);
});

test.serial("no page sent a request to another host, had errors, or attempted what its policy forbids", (t) => {
  t.deepEqual(seen, { foreign: [], violations: [], errors: [] });
});

test("stores with a failing label server come first, then those with the most labels in trouble, then those with the most pictures on their way", (t) => {
  const stores = ["a", "b", "c", "d", "e"].map((id) => ({ id, name: id }));
  const health = { labelServerId: "x", awaySince: null, deniedSince: null, answeredAt: null, lastFailure: null };
  const servers = [
    { ...health, state: "ANSWERS" as const, stores: ["a", "d"] },
    { ...health, state: "AWAY" as const, stores: ["c"] },
    { ...health, state: "DENIES" as const, stores: ["b"] },
  ];
  const none = { NEW: 0, PENDING: 0, OK: 5, ERROR: 0, OFFLINE: 0, UNKNOWN: 0 };
  const counts = [{ ...none, PENDING: 9, ERROR: 1 }, none, { ...none, ERROR: 1 }, { ...none, OFFLINE: 2 }].map(
    (plState, index) => ({ storeId: "abcd"[index] ?? "", countedAt: "", labels: 5, plState, behind: [] }),
  );
  const ids = (some: typeof counts) => worstFirst(stores, servers, some).map(({ id }) => id);
  t.deepEqual(ids([]), ["b", "c", "a", "d", "e"], "the order of the other stores is kept");
  t.deepEqual(ids(counts), ["c", "b", "d", "a", "e"]);
});

test("after a change of store, a page about one thing is replaced by the new store's list, unless the thing is an item", (t) => {
  t.is(pathInStore({ path: "/shelf/then" }, "/shelf/then"), "/shelf/then");
  t.is(pathInStore({ path: "/labels/:barcode", below: "shelf" }, "/labels/D4"), "/shelf");
  t.is(pathInStore({ path: "/items/:itemId", below: "items" }, "/items/7"), "/items/7");
  t.is(pathInStore({ path: "/held/:requestId", below: "items" }, "/held/7"), "/items");
  t.deepEqual(queryInStore(new URLSearchParams("store=a&start=50&search=x&verdict=OK")), { search: "x" });
});

for (const [text, plain] of [
  ["Šunka", "sunka"],
  ["Đurđa", "durda"],
  ["GROẞE Straße", "grosse strasse"],
  ["Łódź Ærø İzmir", "lodz aero izmir"],
  ["ไทย", "ไทย"],
] as const) {
  test(`"${text}" is found as "${plain}"`, (t) => t.is(folded(text), plain));
}
