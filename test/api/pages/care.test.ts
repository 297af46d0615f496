import test from "ava";
import type { Page } from "playwright-core";
import { openSeenTags } from "../../../queues/linking/seen-tags.ts";
import { type Care, DAY_MS, dayOf } from "../../../schemas/care.ts";
import { labelServerKey, storeKey } from "../../../schemas/keys.ts";
import { demoStore, TENANT_ID } from "../../../scripts/demo/catalogue.ts";
import { hangLabels } from "../../../scripts/demo/hang-labels.ts";
import { labelFor } from "../../harness/glass.ts";
import { ownStack } from "../../harness/own.ts";
import { platformToken } from "../../harness/served.ts";
import { bodyOf } from "../calls.ts";
import { manage, operate } from "../management/calls.ts";
import { assertReadable, browserTests, seen } from "./browser.ts";

const shelfwire = ownStack({ workers: [], leavesStale: "its labels are written directly, without pictures" });
const browserTest = browserTests(shelfwire);
const [worn, full] = [labelFor("a worn battery"), labelFor("a full battery")];
const open = async (page: Page, path: string) => void (await page.goto(`${shelfwire.origin}${path}`));

test.serial.before(async () => {
  const careWith = (millivolts: number): Care => ({
    ...{ since: Date.now() - 10 * DAY_MS, refreshes: 5, days: [{ day: dayOf(new Date()), price: 4, link: 1 }] },
    voltages: [{ at: Date.now(), millivolts }],
  });
  await hangLabels(shelfwire.system.records, storeKey(TENANT_ID, "main"), [
    { barcode: worn, own: { plLocation: "A-12" }, state: { care: careWith(2_390), battery: "LOW" } },
    { barcode: full, state: { care: careWith(3_000), battery: "OK" } },
  ]);
});

browserTest("the overview links to the batteries that are due for replacement", async (t, { page }) => {
  await open(page, "/");
  await page.getByRole("link", { name: "Care of labels" }).click();
  await page.getByRole("heading", { name: "Batteries to replace within 30 days" }).waitFor();
  const entry = page.getByRole("link", { name: new RegExp(worn) });
  t.regex((await entry.textContent()) ?? "", /A-12.*about \d+ days/);
  t.is(await page.getByRole("link", { name: new RegExp(full) }).count(), 0);
  await page.getByText("There is a forecast for the batteries of 2 labels.").waitFor();
  await page.getByText("10 refreshes in 31 days").waitFor();
  await assertReadable(t, page, "care");
  await entry.click();
  await page.getByRole("heading", { name: "Care" }).waitFor();
  await page.getByText("5 refreshes in 31 days · On average 0.5 per day").waitFor();
});

browserTest("a store's quiet hours are set and removed on its page", async (t, { page }) => {
  const read = async () => bodyOf<{ quietHours?: object }>(await manage(shelfwire, "GET", "/stores/main"));
  await open(page, "/stores/main");
  const save = async () => {
    await page.getByRole("button", { name: "Save" }).click();
    await page.locator("#outcome", { hasText: "Saved." }).waitFor();
  };
  await page.getByLabel("From").fill("22:00");
  await page.getByLabel("To", { exact: true }).fill("06:00");
  await save();
  t.deepEqual((await read()).quietHours, { from: "22:00", to: "06:00" });
  await page.reload();
  t.is(await page.getByLabel("From").inputValue(), "22:00");
  await page.getByLabel("From").fill("");
  await page.getByLabel("To", { exact: true }).fill("");
  await save();
  t.is((await read()).quietHours, undefined);
});

browserTest("an access point's page lists the tags that can be added as labels", async (t, { enter }) => {
  const management = `/t/${TENANT_ID}/api/management/v1`;
  const server = { url: "http://10.0.0.7", driver: "openepaperlink" };
  await bodyOf(await operate(shelfwire, "PUT", `${management}/label-servers/shelf`, server));
  await bodyOf(await operate(shelfwire, "PUT", `${management}/stores/main`, { ...demoStore, labelServer: "shelf" }));
  const page = await enter({}, await platformToken());
  await open(page, "/label-servers/shelf?tenant=demo");
  await page.getByText("The label server hears no label that its stores do not know.").waitFor();
  const tag = { device: "00000218D6C53B19", hardwareType: "33", battery: "LOW" as const };
  await openSeenTags(shelfwire.system.redis).note(labelServerKey(`t/${TENANT_ID}`, "shelf"), [tag]);
  await page.reload();
  await page.getByText('PATCH /labels [{"barcode":"…","device":"00000218D6C53B19"}]').waitFor();
  t.true(await page.getByText('M3 2.9"').isVisible());
});

test.serial("no page loads anything from elsewhere or violates its policy", (t) => {
  t.deepEqual(seen, { foreign: [], violations: [], errors: [] });
});
