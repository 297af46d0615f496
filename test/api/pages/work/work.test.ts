import { randomUUID } from "node:crypto";
import test from "ava";
import type { Page } from "playwright-core";
import { languages } from "../../../../api/pages/messages/texts.ts";
import { items } from "../../../../records/kinds/items.ts";
import { itemKey, storeKey } from "../../../../schemas/keys.ts";
import { STORE_ID, TENANT_ID } from "../../../../scripts/demo/catalogue.ts";
import { hangLabels, proveLabels } from "../../../../scripts/demo/hang-labels.ts";
import { labelFor } from "../../../harness/glass.ts";
import { ownStack } from "../../../harness/own.ts";
import { bodyOf } from "../../calls.ts";
import { manage } from "../../management/calls.ts";
import { assertReadable, browserTests, keepPicture, seen } from "../browser.ts";

const shelfwire = ownStack({ workers: [], leavesStale: "its labels are written directly, without pictures" });
const browserTest = browserTests(shelfwire);
const STORE = storeKey(TENANT_ID, STORE_ID);
const LONG_AGO = new Date(Date.now() - 30 * 86_400_000);
const worn = ["A-1", "A-1", "B-7"].map((plLocation, index) => ({ barcode: labelFor(`worn ${index}`), plLocation }));
const silent = labelFor("silent");
const open = async (page: Page, path: string) => void (await page.goto(`${shelfwire.origin}${path}`));

test.serial.before(async () => {
  await hangLabels(shelfwire.system.records, STORE, [
    ...worn.map(({ barcode, plLocation }) => ({
      ...{ barcode, own: { plLocation }, links: [{ itemId: "milk" }], isDrawn: true },
      state: { battery: "LOW" as const },
    })),
    { barcode: silent, isDrawn: true, links: [{ itemId: "milk" }], state: { lastSeen: LONG_AGO, checksIn: true } },
    { barcode: labelFor("fine"), isDrawn: true, links: [{ itemId: "milk" }], state: {} },
  ]);
  await proveLabels(shelfwire.system.records, STORE, new Date(Date.now() + 3_600_000));
});

browserTest("a store's tasks add up, and are selected, assigned and done by location", async (t, { page }) => {
  await open(page, "/");
  await page.getByRole("navigation").getByRole("link", { name: "Tasks" }).click();
  await page.getByText("4 labels need attention").waitFor();
  t.deepEqual(await page.locator(".tile .figure").allTextContents(), ["1", "3"], "worst first");
  t.true(await page.getByRole("link", { name: silent }).isVisible(), "the worst cause is open");
  await page.getByRole("link", { name: /Battery to replace/ }).click();
  await page.getByRole("heading", { name: "Battery to replace" }).waitFor();
  t.deepEqual(await page.locator(".places h3").allTextContents(), ["A-1", "B-7"]);
  // Until the page's script arrives, a selection changes nothing.
  await page.getByRole("button", { name: "Print", disabled: false }).waitFor();
  await page.getByLabel("Select all").check();
  await page.getByText("3 labels selected").waitFor();
  await assertReadable(t, page, "work");
  await page.setViewportSize({ width: 360, height: 740 });
  t.true(
    (await page.evaluate<number>("document.documentElement.scrollWidth")) <= 360,
    "the page fits on a small phone",
  );
  await page.getByLabel("Who").fill("ivo");
  await page.getByRole("button", { name: "Assign" }).click();
  await page.getByText("3 assigned").waitFor();
  t.is(await page.getByText("Assigned to ivo").count(), 3);
  await page.getByLabel(`Select ${worn[0]?.barcode}`).check();
  await page.getByRole("button", { name: "Done", exact: true }).click();
  await page.getByText("2 assigned · 1 done").waitFor();
  await page.getByText("4 labels need attention").waitFor();
});

browserTest(
  "findings under the law of the store's country are listed with their items, in each language",
  async (t, { page, context }) => {
    const { storeId: _, ...store } = await bodyOf<{ storeId: string }>(
      await manage(shelfwire, "GET", `/stores/${STORE_ID}`),
    );
    t.is((await manage(shelfwire, "PUT", `/stores/${STORE_ID}`, { ...store, country: "HR" })).status, 200);
    const properties = [{ key: "quantity", value: "12 oz", stamp: 1 }];
    const body = { itemId: "cheese", price: "1.99", sics: [], properties, stamps: {}, created: 1 };
    const written = { writeId: randomUUID(), at: new Date() };
    const { records } = shelfwire.system;
    await records.compareAndSet(items, [{ key: itemKey(STORE, "cheese"), current: undefined, body }], written);
    await open(page, "/work");
    const law = page.getByRole("region", { name: "Law" });
    await law.getByText("A quantity is not metric: cheese").waitFor();
    t.regex((await law.getByRole("link", { name: "cheese" }).getAttribute("href")) ?? "", /\/items\/cheese/);
    await assertReadable(t, page, "work-law", { sizes: ["phone"] });
    for (const [language, title] of [
      ["de", "Gesetz"],
      ["hr", "Zakon"],
    ] as const) {
      await context.addCookies([{ name: "shelfwire-language", value: language, url: shelfwire.origin }]);
      await open(page, "/work");
      await page.getByRole("region", { name: title }).waitFor();
    }
  },
);

browserTest("a list is printed on A4 by location, with a code for each label", async (t, { page }) => {
  await open(page, "/work?cause=BATTERY");
  t.is(await page.locator(".code").count(), 3);
  t.false(await page.locator(".code").first().isVisible());
  await page.emulateMedia({ media: "print" });
  t.true(await page.locator(".code").first().isVisible());
  for (const hidden of [".top", ".tiles", "#print", ".select-all"])
    t.false(await page.locator(hidden).isVisible(), hidden);
  await keepPicture(page, "work-print");
  t.true((await page.pdf({ format: "A4" })).length > 0);
});

browserTest("a user who may only read sees the tasks without actions", async (t, { enter }) => {
  const page = await enter({}, await shelfwire.token({ subject: "eva", scope: "labels:read", stores: [STORE_ID] }));
  await open(page, "/work?cause=BATTERY");
  await page.getByRole("heading", { name: "Battery to replace" }).waitFor();
  t.is(await page.locator("[data-act], [data-mark], input[type=checkbox]").count(), 0);
});

test.serial("a user who works in a store starts with its tasks, and head office with the overview", async (t) => {
  const beginOf = async (stores: string[] | "*", next: string) => {
    const token = await shelfwire.token({ scope: "labels:read", stores });
    const answer = await fetch(`${shelfwire.origin}/login`, {
      method: "POST",
      redirect: "manual",
      headers: { origin: shelfwire.origin },
      body: new URLSearchParams({ token, next }),
    });
    return answer.headers.get("location");
  };
  t.is(await beginOf([STORE_ID], "/"), "/work");
  t.is(await beginOf([STORE_ID], "/shelf"), "/shelf");
  t.is(await beginOf("*", "/"), "/");
});

for (const language of Object.keys(languages))
  browserTest(`the tasks are shown in ${language}`, async (t, { enter }) => {
    const page = await enter({ locale: language });
    await open(page, "/work?cause=BATTERY");
    t.is(await page.locator("html").getAttribute("lang"), language);
    t.is(await page.locator(".places h3").count(), 2);
    await page.setViewportSize({ width: 360, height: 740 });
    t.true(
      (await page.evaluate<number>("document.documentElement.scrollWidth")) <= 360,
      "the page fits on a small phone",
    );
  });

test.serial("the tasks page loads nothing from elsewhere and violates no policy", (t) => {
  t.deepEqual(seen, { foreign: [], violations: [], errors: [] });
});
