import test from "ava";
import type { Page } from "playwright-core";
import { labelStates } from "../../../records/kinds/labels.ts";
import type { LabelExplanation } from "../../../schemas/explanation.ts";
import type { IntegrityReport } from "../../../schemas/integrity.ts";
import { labelKey } from "../../../schemas/keys.ts";
import { demoStore } from "../../../scripts/demo/catalogue.ts";
import { eventually } from "../../harness/eventually.ts";
import { labelFor } from "../../harness/glass.ts";
import { ownStack } from "../../harness/own.ts";
import type { Served } from "../../harness/served.ts";
import { bodyOf, openStore, sendPageImage, writeItems, writeLabels } from "../calls.ts";
import { manage } from "../management/calls.ts";
import { browserTests, keepPicture, seen } from "./browser.ts";

const shelfwire = ownStack();
const browserTest = browserTests(shelfwire);
const open = async (page: Page, path: string) => void (await page.goto(`${shelfwire.origin}${path}`));
const causeOf = async ({ call }: Served, barcode: string) =>
  (await bodyOf<{ cause: string }>(await call("GET", `/labels/${barcode}/explain`))).cause;
const hasCause = (store: Served, barcode: string, cause: string) =>
  eventually(`${barcode} is ${cause}`, async () => (await causeOf(store, barcode)) === cause);

const barcodes = ["one", "two", "three"].map((name) => labelFor(`cellar ${name}`));
const [first = ""] = barcodes;
let cellar: Served;

/** Opens a store with three labels that show one price, no longer report, and have another price on the way. */
test.serial.before(async () => {
  cellar = await openStore(shelfwire, "cellar", { timeZone: "UTC" });
  await writeItems(cellar, [{ itemId: "wine", itemName: "Wine", price: "5.00" }]);
  await writeLabels(
    cellar,
    barcodes.map((barcode) => ({ barcode, links: [{ itemId: "wine" }] })),
  );
  for (const barcode of barcodes) await hasCause(cellar, barcode, "UP_TO_DATE");
  for (const barcode of barcodes) shelfwire.labelServer.labels.set(barcode, { offline: true });
  await shelfwire.system.commit.change(
    labelStates,
    barcodes.map((barcode) => labelKey("t/demo/s/cellar", barcode)),
    (_, state) => state && { ...state, lastSeen: new Date("2026-01-01"), checksIn: true as const },
    "bulk",
  );
  await writeItems(cellar, [{ itemId: "wine", price: "6.00" }]);
});

browserTest(
  "an unresponsive label's page shows the picture on the shelf and the picture on its way",
  async (t, { page }) => {
    await open(page, `/labels/${first}?store=cellar`);
    await page.getByRole("heading", { name: "On its way" }).waitFor();
    t.is(await page.locator(".mat img").getAttribute("alt"), "Wine, €5.00");
    t.is(await page.locator(".coming img").getAttribute("alt"), "Wine, €6.00");
    t.true(await page.getByRole("heading", { name: "On the shelf now" }).isVisible());
    t.is(await page.getByText("The newest picture has been on the label").count(), 0);
    const [shown, next] = await Promise.all(
      [".mat img", ".coming img"].map(async (selector) => {
        const address = (await page.locator(selector).getAttribute("src")) ?? "";
        return Buffer.from(await (await page.request.get(`${shelfwire.origin}${address}`)).body());
      }),
    );
    t.deepEqual(shown, shelfwire.labelServer.labels.get(first)?.pages.get(0)?.png);
    t.notDeepEqual(next, shown);
  },
);

browserTest("a label that is added while the shelf is open appears in its place by barcode", async (t, { page }) => {
  const annex = await openStore(shelfwire, "annex", { timeZone: "UTC" });
  const ordered = ["one", "two", "three"].map((name) => labelFor(`annex ${name}`)).sort();
  const [one = "", two = "", three = ""] = ordered;
  await writeLabels(annex, [{ barcode: one }, { barcode: three }]);
  await open(page, "/shelf?store=annex");
  const cellOf = (barcode: string) => page.locator(`[data-barcode="${barcode}"]`);
  await cellOf(three).waitFor();
  await writeLabels(annex, [{ barcode: two }]);
  await cellOf(two).waitFor();
  for (const [index, barcode] of ordered.entries())
    t.is(await cellOf(barcode).getAttribute("aria-posinset"), String(index + 1));
});

browserTest("the shelf shows both, and links the labels that an action did not reach", async (t, { page }) => {
  await open(page, "/shelf?store=cellar");
  const cell = page.locator(`[data-barcode="${first}"]`);
  for (const caption of ["On the shelf now", "On its way"])
    await cell.locator(".caption", { hasText: caption }).waitFor();
  for (const barcode of barcodes) await page.getByRole("checkbox", { name: new RegExp(barcode) }).check();
  for (const [act, said] of [
    ["Flash", "Done for 0 labels. 3 labels cannot be reached."],
    ["Send again", "Done for 0 labels. 3 labels are not responding. They will catch up when they respond again."],
  ] as const) {
    await page.getByRole("button", { name: act }).click();
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByText(said).waitFor();
  }
  await page.getByRole("button", { name: "Show 3 labels" }).click();
  await page.getByText("3 labels selected").waitFor();
  t.is(await page.locator(".cell").count(), 3);
});

browserTest("an item's page shows both pictures of each of its labels", async (t, { page }) => {
  await open(page, "/items/wine?store=cellar");
  const labels = page.locator("#labels li");
  t.is(await labels.count(), barcodes.length);
  for (const [index, barcode] of (await labels.locator("a").allTextContents()).entries()) {
    const pictures = labels.nth(index).locator("img");
    t.deepEqual(await pictures.evaluateAll((all) => all.map((one) => one.getAttribute("alt"))), [
      `${barcode}: On the shelf now`,
      `${barcode}: On its way`,
    ]);
    const shown = await page.request.get(`${shelfwire.origin}${await pictures.first().getAttribute("src")}`);
    t.deepEqual(await shown.body(), shelfwire.labelServer.labels.get(barcode)?.pages.get(0)?.png);
  }
});

browserTest("another store's problem is visible, and each count links to its labels", async (t, { page, enter }) => {
  await open(page, "/?store=main");
  await page.locator("#store-cellar", { hasText: "3 labels need help" }).waitFor();
  await page.locator("#store-cellar").getByRole("link", { name: "cellar" }).click();
  const card = page.locator("#store-cellar");
  await card.getByText("0 of 3 labels show the newest picture").waitFor();
  const figures = await card.locator(".tile .figure").allTextContents();
  t.is(
    figures.reduce((sum, figure) => sum + Number(figure), 0),
    3,
  );
  await card.locator(".tile", { hasText: "3" }).click();
  await page.getByText("3 labels: The label has not responded for a long time.").waitFor();
  t.deepEqual(await page.locator(".barcodes a").allTextContents(), [...barcodes].sort());
  for (const locale of ["en-GB", "de-DE", "hr-HR"]) {
    const other = await enter({ locale });
    for (const path of ["/?store=cellar&checks=1", "/?store=cellar&verdict=OFFLINE", "/items/wine?store=cellar"]) {
      await open(other, path);
      await keepPicture(other, `truth-${locale}-${path.replaceAll(/\W+/g, "-")}`);
    }
  }
});

browserTest("an item's page shows when a price arrives on its labels", async (t, { page }) => {
  await open(page, "/items/wine?store=cellar");
  const label = page.locator("#labels li", { hasText: first });
  await label.locator("[data-of=next]").waitFor();
  shelfwire.labelServer.labels.set(first, { offline: false, battery: "OK" });
  await label.locator("[data-of=next]").waitFor({ state: "detached" });
  t.is(await label.locator("[data-of=shown]").count(), 1);
});

test.serial("a label that responds again shows its newest picture, and nothing else is on its way", async (t) => {
  for (const barcode of barcodes) shelfwire.labelServer.labels.set(barcode, { offline: false, battery: "OK" });
  for (const barcode of barcodes) await hasCause(cellar, barcode, "UP_TO_DATE");
  const pictureOf = (of: string) => cellar.call("GET", `/labels/${first}/image?of=${of}`);
  t.is((await pictureOf("next")).status, 404);
  const [shown, newest] = await Promise.all(["shown", "newest"].map(pictureOf));
  t.deepEqual(await shown?.bytes(), await newest?.bytes());
});

const glassOf = (barcode: string) => shelfwire.labelServer.labels.get(barcode)?.pages.get(0)?.png;

test.serial(
  "a store's new currency reaches its labels immediately, and a change that affects no picture draws nothing",
  async (t) => {
    const before = glassOf(first);
    const { received } = shelfwire.labelServer.labels.totals();
    const settings = { ...demoStore, name: "cellar", timeZone: "UTC" };
    await bodyOf(await manage(shelfwire, "PUT", "/stores/cellar", { ...settings, linkDepartments: [] }));
    await bodyOf(await manage(shelfwire, "PUT", "/stores/cellar", { ...settings, currency: "CHF" }));
    await eventually("the new currency is on the glass", async () => !glassOf(first)?.equals(before ?? Buffer.of()));
    for (const barcode of barcodes) await hasCause(cellar, barcode, "UP_TO_DATE");
    t.is(shelfwire.labelServer.labels.totals().received, received + barcodes.length);
  },
);

test.serial(
  "an uploaded image is reported as such and without a price, including in what the shelf showed earlier",
  async (t) => {
    const image = glassOf(barcodes[1] ?? "") ?? Buffer.of();
    await writeItems(cellar, [{ itemId: "wine", price: "7.00" }]);
    for (const barcode of barcodes) await hasCause(cellar, barcode, "UP_TO_DATE");
    t.is((await sendPageImage(cellar, "wine", 0, image)).status, 202);
    const uploaded = await eventually("the image is on the glass", async () => {
      const { glass, summary, cause } = await bodyOf<LabelExplanation>(
        await cellar.call("GET", `/labels/${first}/explain`),
      );
      return cause === "UP_TO_DATE" && glass[0]?.isUploaded && { glass, summary };
    });
    t.regex(uploaded.summary, /^The label shows an uploaded image of "Wine", item "wine", since/);
    t.is(uploaded.glass[0]?.items?.[0]?.price, null);
    const clock = new Intl.DateTimeFormat("sv-SE", {
      ...{ timeZone: "UTC", dateStyle: "short", timeStyle: "medium" },
    });
    const shown = await eventually("the log has the picture", async () => {
      const at = encodeURIComponent(clock.format(new Date()));
      const then = await manage(shelfwire, "GET", `/stores/cellar/integrity?at=${at}&barcode=${first}`);
      const [row] = (await bodyOf<IntegrityReport>(then)).shown ?? [];
      return row?.uploaded === true && row;
    });
    t.deepEqual(shown.items, [{ itemId: "wine", price: null }]);
  },
);

test.serial("no page sent a request to another host, had errors, or attempted what its policy forbids", (t) => {
  t.deepEqual(seen, { foreign: [], violations: [], errors: [] });
});
