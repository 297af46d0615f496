import test from "ava";
import type { Page } from "playwright-core";
import { demoStore } from "../../../scripts/demo/catalogue.ts";
import { eventually } from "../../harness/eventually.ts";
import { labelFor } from "../../harness/glass.ts";
import type { Served } from "../../harness/served.ts";
import { servedStack } from "../../harness/served-stack.ts";
import { bodyOf, openStore, writeItems, writeLabels } from "../calls.ts";
import { manage, operate } from "../management/calls.ts";
import { browserTests, seen } from "./browser.ts";

const shelfwire = servedStack();
const browserTest = browserTests(shelfwire);
const open = async (page: Page, path: string) => void (await page.goto(`${shelfwire.origin}${path}`));
const causeOf = async ({ call }: Served, barcode: string) =>
  (await bodyOf<{ cause: string }>(await call("GET", `/labels/${barcode}/explain`))).cause;
const hasCause = (store: Served, barcode: string, cause: string) =>
  eventually(`${barcode} is ${cause}`, async () => (await causeOf(store, barcode)) === cause);

browserTest(
  "of labels that nothing reaches the pages show what is on the shelf and what is on its way, and do not say that all is right",
  async (t, { page }) => {
    const cellar = await openStore(shelfwire, "cellar");
    const [first = "", ...others] = ["one", "two", "three"].map((name) => labelFor(`cellar ${name}`));
    await writeItems(cellar, [{ itemId: "wine", itemName: "Wine", price: "5.00" }]);
    await writeLabels(
      cellar,
      [first, ...others].map((barcode) => ({ barcode, links: [{ itemId: "wine" }] })),
    );
    for (const barcode of [first, ...others]) await hasCause(cellar, barcode, "UP_TO_DATE");
    const settings = { ...demoStore, name: "cellar" };
    await bodyOf(await operate(shelfwire, "PUT", "/t/demo/api/management/v1/label-servers/away", { url: "http://127.0.0.1:9" }));
    await bodyOf(await manage(shelfwire, "PUT", "/stores/cellar", { ...settings, labelServer: "away", linkDepartments: [] }));
    await writeItems(cellar, [{ itemId: "wine", price: "6.00" }]);
    await hasCause(cellar, first, "LABEL_SERVER_AWAY");

    await open(page, `/labels/${first}?store=cellar`);
    await page.getByRole("heading", { name: "On the shelf now" }).waitFor();
    await page.getByRole("heading", { name: "On its way" }).waitFor();
    t.is(await page.locator(".mat img").getAttribute("alt"), "Wine, €5.00");
    t.is(await page.locator(".coming img").getAttribute("alt"), "Wine, €6.00");
    t.is(await page.getByText("The newest picture is on the label").count(), 0);

    await open(page, "/shelf?store=cellar");
    const cell = page.locator(`[data-barcode="${first}"]`);
    for (const caption of ["On the shelf now", "On its way"]) await cell.locator(".caption", { hasText: caption }).waitFor();
    for (const barcode of [first, ...others]) await page.getByRole("checkbox", { name: new RegExp(barcode) }).check();
    await page.getByRole("button", { name: "Flash" }).click();
    await page.getByRole("button", { name: "Yes, do it" }).click();
    await page.getByText("Done for 0 labels. 3 labels cannot be reached.").waitFor();
    await page.getByRole("button", { name: "Show these 3 labels" }).click();
    await page.getByText("3 labels selected").waitFor();

    await manage(shelfwire, "PUT", "/stores/cellar", settings);
    for (const barcode of [first, ...others]) await hasCause(cellar, barcode, "UP_TO_DATE");
  },
);

test.serial("no page asked another host for anything, failed, or tried what its policy forbids", (t) => {
  t.deepEqual(seen, { foreign: [], violations: [], errors: [] });
});
