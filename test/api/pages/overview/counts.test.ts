import test, { type ExecutionContext } from "ava";
import type { Page } from "playwright-core";
import { languages } from "../../../../api/pages/messages/texts.ts";
import { labelStates } from "../../../../records/kinds/labels.ts";
import { labelKey, linkIdOf } from "../../../../schemas/keys.ts";
import { eventually } from "../../../harness/eventually.ts";
import { labelFor } from "../../../harness/glass.ts";
import { ownStack } from "../../../harness/own.ts";
import { platformToken, type Served, sessionOf } from "../../../harness/served.ts";
import { bodyOf, openStore, readLabel, writeItems, writeLabels, writeLinks } from "../../calls.ts";
import { operate } from "../../management/calls.ts";
import { browserTests, seen } from "../browser.ts";

const shelfwire = ownStack();
const browserTest = browserTests(shelfwire);
const states = { right: "OK", also: "OK", late: "PENDING", faulty: "ERROR", silent: "OFFLINE", bare: "NEW" } as const;
const [late, faulty, silent] = ["late", "faulty", "silent"].map((name) => labelFor(`counted ${name}`)) as [
  string,
  string,
  string,
];
/** More labels of one item than the item's page shows pictures for. */
const crowd = Array.from({ length: 14 }, (_, index) => labelFor(`crowd ${index}`));
let cellar: Served;

/** Opens a store with labels in every kind of trouble: a waiting price, a fault, a silent label, a label without an item. */
test.serial.before(async () => {
  cellar = await openStore(shelfwire, "cellar");
  const linked = Object.keys(states).filter((name) => name !== "bare");
  await writeItems(
    cellar,
    linked.map((itemId) => ({ itemId, itemName: itemId, price: "5.00" })),
  );
  await writeLabels(cellar, [
    ...linked.map((itemId) => ({ barcode: labelFor(`counted ${itemId}`), links: [{ itemId }] })),
    { barcode: labelFor("counted bare") },
  ]);
  for (const name of linked) await isIn(labelFor(`counted ${name}`), "OK");
  for (const barcode of [late, silent]) shelfwire.labelServer.labels.set(barcode, { offline: true });
  await shelfwire.system.commit.change(
    labelStates,
    [labelKey("t/demo/s/cellar", silent)],
    (_, state) => state && { ...state, lastSeen: new Date("2026-01-01"), checksIn: true as const },
    "bulk",
  );
  await writeItems(cellar, [
    { itemId: "late", price: "6.00" },
    { itemId: "silent", price: "6.00" },
  ]);
  await writeLinks(cellar, "PATCH", `/links/${linkIdOf(faulty, 0)}`, { ecclink: { eccModelId: "no-model" } });
  const loft = await openStore(shelfwire, "loft");
  await writeItems(loft, [{ itemId: "many", itemName: "many", price: "5.00" }]);
  await writeLabels(
    loft,
    crowd.map((barcode) => ({ barcode, links: [{ itemId: "many" }] })),
  );
  const operated = (path: string, body: object) => operate(shelfwire, "PUT", `/t/demo/api/management/v1${path}`, body);
  await bodyOf(await operated("/label-servers/attic-server", { url: "https://labels.example.com" }));
  await openStore(shelfwire, "attic", { labelServer: "attic-server" });
  const user = { stores: ["cellar", "loft"], scope: "labels:read", password: "long enough for one" };
  await bodyOf(await operated("/users/till-7", user));
  for (const [name, state] of Object.entries(states)) await isIn(labelFor(`counted ${name}`), state);
});

const isIn = (barcode: string, plState: string) =>
  eventually(`${barcode} is ${plState}`, async () => (await readLabel(cellar, barcode)).plState === plState);

/** Returns the first number in a string. */
const numberIn = (text: string | null): number => Number(/\d+/.exec(text ?? "")?.[0]);

/** Reads the tiles of the store's card: their counts and links. */
const readTiles = (page: Page) =>
  page.locator("#store-cellar .tile").evaluateAll((tiles) =>
    (tiles as unknown as { href: string; querySelector(selector: string): { textContent: string } }[]).map((tile) => ({
      count: Number(tile.querySelector(".figure").textContent),
      href: tile.href,
    })),
  );

/** Follows a count: the linked page must show and state the same number of labels. */
async function leadsToItsLabels(t: ExecutionContext, page: Page, { count, href }: { count: number; href: string }) {
  await page.goto(href);
  const labels = page.locator(".cell, .barcodes a");
  await eventually(`${href} shows ${count} labels`, async () => (await labels.count()) === count);
  const said = page.locator("#count, section.card > p").first();
  await eventually(`${href} says so`, async () => numberIn(`${(await said.textContent()) ?? ""} 0`) === count);
  t.pass();
}

for (const language of Object.keys(languages))
  browserTest(
    `${language}: the counts of the overview add up, and each count links to its labels`,
    async (t, { page, context }) => {
      await context.addCookies([{ name: "shelfwire-language", value: language, url: shelfwire.origin }]);
      await page.goto(`${shelfwire.origin}/?store=cellar&checks=1`);
      const card = page.locator("#store-cellar");
      await card.locator(".checked").waitFor();
      t.is(await page.locator("html").getAttribute("lang"), language);
      const all = Object.keys(states).length;
      const total = card.locator("header .count a");
      t.is(numberIn(await total.textContent()), all);
      const way = new URL((await total.getAttribute("href")) ?? "", shelfwire.origin);
      const tiles = await readTiles(page);
      const ofStates = tiles.filter(({ href }) => !/battery=|WARNED/.test(href));
      t.is(
        ofStates.reduce((sum, { count }) => sum + count, 0),
        all,
      );
      t.is(numberIn(await card.locator(".verdict").textContent()), 2, "a fault, and a label that does not report");
      const [one = 0, other = 0] =
        ((await card.locator(".checked").textContent()) ?? "").match(/\d+/g)?.map(Number) ?? [];
      const causes = await card.locator(".causes li").all();
      let behind = 0;
      for (const cause of causes) {
        const count = numberIn(await cause.locator("strong").textContent());
        t.is(await cause.locator(".barcodes a").count(), count);
        behind += count;
      }
      t.deepEqual([one, other].sort(), [all - behind, all].sort());
      for (const tile of tiles.filter(({ count }) => count > 0)) await leadsToItsLabels(t, page, tile);
      await leadsToItsLabels(t, page, { count: all, href: way.href });
      t.is(await countByFilter(page, "state", "plState"), all);
      t.is(await countByFilter(page, "battery", "batteryState"), all);
    },
  );

/** Chooses each value of a filter on the shelf, and checks that the shelf shows the labels with that value; returns the total. */
async function countByFilter(page: Page, name: string, field: "plState" | "batteryState"): Promise<number> {
  const listed = await bodyOf<Record<typeof field, string>[]>(await cellar.call("GET", "/labels"));
  const select = page.locator(`[name=${name}]`);
  const values = await select
    .locator("option:not([value=''])")
    .evaluateAll((all) => all.map((one) => one.getAttribute("value")));
  let sum = 0;
  for (const value of values) {
    const wanted = listed.filter((label) => label[field] === value).length;
    await select.selectOption(value);
    await eventually(`${value} shows ${wanted} labels, and says so`, async () => {
      const said = numberIn(`${(await page.locator("#count").textContent()) ?? ""} 0`);
      return said === wanted && (await page.locator(".cell").count()) === wanted;
    });
    sum += wanted;
  }
  await select.selectOption("");
  return sum;
}

/** Reads a page without its script. */
async function read(path: string, language: string, token?: string): Promise<string> {
  const session = await sessionOf(shelfwire.origin, token ?? (await shelfwire.token()));
  const headers = { cookie: `${session}; shelfwire-language=${language}`, accept: "text/html" };
  const page = await (await fetch(`${shelfwire.origin}${path}`, { headers })).text();
  if (!page.includes(`<html lang="${language}"`)) throw new Error(`${path} is not in ${language}`);
  return page;
}

/** Returns the groups that a pattern finds in a page. */
const found = (page: string, pattern: RegExp): string[][] =>
  Array.from(page.matchAll(pattern), ([, ...groups]) => groups);

for (const language of Object.keys(languages)) {
  test.serial(`${language}: an item's page counts the labels that it lists and links to each`, async (t) => {
    for (const [item, store] of [
      ["late", "cellar"],
      ["faulty", "cellar"],
      ["many", "loft"],
    ]) {
      const page = await read(`/items/${item}?store=${store}`, language);
      const [, list = ""] = /<ul class="barcodes">(.*?)<\/ul>/s.exec(page) ?? [];
      const labels = found(list, /<li>(?:<a href="([^"]*)">)?([^<]*)/g);
      const [, said = ""] = /id="delete-title">[^<]*<\/h2><p>([^<]*)/.exec(page) ?? [];
      t.is(numberIn(said), labels.length, said);
      t.is(labels.length, item === "many" ? crowd.length : 1);
      for (const [address = "", barcode = ""] of labels.slice(0, 2)) {
        const label = await read(address.replaceAll("&amp;", "&"), language);
        t.true(label.includes(`data-barcode="${barcode}"`), address);
      }
    }
  });

  test.serial(`${language}: the stores of label servers and users are counted and can be found`, async (t) => {
    const own = await read("/stores?store=cellar", language);
    const [, rows = ""] = /aria-labelledby="stores-title">(.*?)<\/section>/s.exec(own) ?? [];
    const stores = found(rows, /<li>(.*?)<\/li>/gs).map(([row = ""]) => row);
    const [, servers = ""] = /aria-labelledby="servers-title">(.*?)<\/section>/s.exec(own) ?? [];
    const counts = found(servers, /class="name">([^<]*)<\/span><span class="muted">([^<]*)/g);
    t.is(
      counts.reduce((sum, [, said]) => sum + numberIn(said ?? ""), 0),
      stores.length,
    );
    const named = stores.filter((row) => row.includes(`<span class="server">attic-server</span>`));
    t.is(numberIn(counts.find(([name]) => name === "attic-server")?.[1] ?? ""), named.length);
    t.is(named.length, 1);
    const operators = await read("/stores?tenant=demo", language, await platformToken());
    const [[address = "", said = ""] = []] = found(
      operators,
      /href="([^"]*\/users\/till-7[^"]*)"><span class="name">till-7<\/span><span class="muted">([^<]*)/g,
    );
    const user = await read(address.replaceAll("&amp;", "&"), language, await platformToken());
    t.is(numberIn(said), 2);
    t.is(found(user, /name="stores" value="([^"]*)" checked/g).length, 2);
  });
}

browserTest(
  "a user with few permissions sees only the counts of its own store, and they add up",
  async (t, { enter }) => {
    const staff = await enter({}, await shelfwire.token({ scope: "labels:read", stores: ["cellar"] }));
    await staff.goto(`${shelfwire.origin}/?checks=1`);
    t.is(await staff.locator(".verdict").getAttribute("data-state"), "ERROR");
    const tiles = await readTiles(staff);
    t.deepEqual(
      tiles.map(({ count }) => count).reduce((sum, count) => sum + count, 0),
      Object.keys(states).length,
    );
    t.is(await staff.locator(".checked, .causes, .store-card:not(#store-cellar)").count(), 0);
    for (const tile of tiles.filter(({ count }) => count > 0)) await leadsToItsLabels(t, staff, tile);
    const till = await enter({}, await shelfwire.token({ scope: "items:read", stores: ["cellar"] }));
    await till.goto(`${shelfwire.origin}/?checks=1`);
    t.is(await till.locator(".figure, .count, .checked, .verdict").count(), 0);
  },
);

test.serial("no page sent a request to another host, had errors, or attempted what its policy forbids", (t) => {
  t.deepEqual(seen, { foreign: [], violations: [], errors: [] });
});
