import test, { type ExecutionContext } from "ava";
import type { Page } from "playwright-core";
import { languages } from "../../../api/pages/messages/texts.ts";
import { labelStates } from "../../../records/kinds/labels.ts";
import { labelKey, linkIdOf } from "../../../schemas/keys.ts";
import { eventually } from "../../harness/eventually.ts";
import { labelFor } from "../../harness/glass.ts";
import { ownStack } from "../../harness/own.ts";
import type { Served } from "../../harness/served.ts";
import { openStore, readLabel, writeItems, writeLabels, writeLinks } from "../calls.ts";
import { browserTests, seen } from "./browser.ts";

const shelfwire = ownStack();
const browserTest = browserTests(shelfwire);
const states = { right: "OK", also: "OK", late: "PENDING", faulty: "ERROR", silent: "OFFLINE", bare: "NEW" } as const;
const [late, faulty, silent] = ["late", "faulty", "silent"].map((name) => labelFor(`counted ${name}`)) as [
  string,
  string,
  string,
];
let cellar: Served;

/** Labels of a store in every trouble: a price that waits, a fault, one that is not heard, one without an item. */
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
  for (const [name, state] of Object.entries(states)) await isIn(labelFor(`counted ${name}`), state);
});

const isIn = (barcode: string, plState: string) =>
  eventually(`${barcode} is ${plState}`, async () => (await readLabel(cellar, barcode)).plState === plState);

/** The first number of a text. */
const numberIn = (text: string | null): number => Number(/\d+/.exec(text ?? "")?.[0]);

/** The tiles of the store's card: what they count and where they lead. */
const readTiles = (page: Page) =>
  page.locator("#store-cellar .tile").evaluateAll((tiles) =>
    (tiles as unknown as { href: string; querySelector(selector: string): { textContent: string } }[]).map((tile) => ({
      count: Number(tile.querySelector(".figure").textContent),
      href: tile.href,
    })),
  );

/** Follows a count: the page behind it must show as many labels, and say so. */
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
    `${language}: the counts of the overview add up, and each leads to its labels`,
    async (t, { page, context }) => {
      await context.addCookies([{ name: "shelfwire-language", value: language, url: shelfwire.origin }]);
      await page.goto(`${shelfwire.origin}/?store=cellar&checks=1`);
      const card = page.locator("#store-cellar");
      await card.locator(".checked").waitFor();
      t.is(await page.locator("html").getAttribute("lang"), language);
      const all = Object.keys(states).length;
      t.is(numberIn(await card.locator("header .count").textContent()), all);
      const tiles = await readTiles(page);
      const ofStates = tiles.filter(({ href }) => !/battery=|WARNED/.test(href));
      t.is(
        ofStates.reduce((sum, { count }) => sum + count, 0),
        all,
      );
      t.is(numberIn(await card.locator(".verdict").textContent()), 2, "a fault, and one that is not heard");
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
    },
  );

browserTest("one with few rights sees the counts of the own store alone, and they add up", async (t, { enter }) => {
  const staff = await enter({}, await shelfwire.token({ scope: "labels:read", stores: ["cellar"] }));
  await staff.goto(`${shelfwire.origin}/?checks=1`);
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
});

test.serial("no page asked another host for anything, failed, or tried what its policy forbids", (t) => {
  t.deepEqual(seen, { foreign: [], violations: [], errors: [] });
});
