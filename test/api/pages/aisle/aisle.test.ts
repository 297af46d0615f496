import { mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "ava";
import { eventually } from "../../../harness/eventually.ts";
import { untilOk } from "../../../harness/glass.ts";
import { servedStack } from "../../../harness/served-stack.ts";
import { readLabel } from "../../calls.ts";
import { assertReadable, browserTests, keepPicture, seen } from "../browser.ts";
import { isFocusSeen } from "../in-the-browser.ts";
import {
  aisleOf,
  asks,
  broken,
  CODE,
  choose,
  double,
  fillAisle,
  filmed,
  filmedBy,
  first,
  freed,
  fresh,
  hung,
  isOnGlass,
  isSent,
  scan,
} from "./an-aisle.ts";
import { testLinksWithoutNetwork } from "./links-without-network.ts";

const shelfwire = servedStack();
const folder = mkdtempSync(join(tmpdir(), "shelfwire-film-"));
test.after.always(() => rm(folder, { recursive: true }));
const browserTest = browserTests(shelfwire, () => filmedBy(join(folder, "film.y4m")));
test.serial.before(() => fillAisle(shelfwire));

const { open, itemsOf } = aisleOf(shelfwire);

browserTest(
  "a hand scanner links a label in two scans, and the page shows when its picture arrives",
  async (t, { page }) => {
    await open(page);
    await asks(page, "Scan the label");
    await page.route("**/labels/models/*", (route) => route.fulfill({ body: "<" }), { times: 1 });
    await scan(page, first);
    await page.getByText("This scan was not kept.").waitFor();
    await scan(page, first);
    await asks(page, "Now scan the item");
    await page.locator("[data-mode=unlink]").focus();
    await scan(page, CODE);
    await isOnGlass(page);
    t.is(await page.locator("#card-name").textContent(), "Pen");
    await eventually("the label's picture is loaded", () =>
      page.evaluate<boolean>(`document.querySelector("#picture").naturalWidth > 0`),
    );
    t.deepEqual(await itemsOf(first), ["pen"]);
    t.is(await page.locator("[data-mode=link]").getAttribute("aria-pressed"), "true", "Enter pressed no button");
    await asks(page, "Scan the label");
  },
);

browserTest("a late change does not replace the label on the page", async (t, { page }) => {
  const held = Promise.withResolvers<void>();
  await page.route("**/labels/link-single*", async (route) => {
    await held.promise;
    await route.continue();
  });
  await open(page);
  await scan(page, first);
  await asks(page, "Now scan the item");
  await scan(page, CODE);
  await page.getByText("Sending …").waitFor();
  await scan(page, double);
  await page.locator("#card-code", { hasText: double }).waitFor();
  held.resolve();
  await isSent(page);
  t.true(await page.locator("#card-code", { hasText: double }).isVisible());
});

browserTest("on a label for several products the user chooses the next product's position", async (t, { page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await open(page);
  await scan(page, first);
  await asks(page, "Now scan the item");
  t.true(await page.locator("#positions").isHidden(), "the label holds one product");
  await scan(page, double);
  await page.getByRole("button", { name: "Position 2" }).click();
  await keepPicture(page, "aisle-positions-phone-light", false);
  await scan(page, CODE);
  await page.getByText(`Item ${CODE} on label ${double}, position 2`).waitFor();
  await isSent(page);
  const { links } = await readLabel(shelfwire, double);
  t.deepEqual(
    links.map(({ itemId, displayPosition }) => [itemId, displayPosition]),
    [
      ["ruler", 0],
      ["pen", 1],
    ],
  );
});

browserTest(
  "a product may be scanned first, and an unknown code links nothing; the page reports both",
  async (t, { page }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    await open(page);
    await scan(page, "nothing-at-all");
    await asks(page, "Now scan its label");
    await scan(page, hung);
    await page.getByText("Not linked: this item is not known here.").first().waitFor();
    await keepPicture(page, "aisle-refused-phone-light", false);
    t.deepEqual(await itemsOf(hung), ["ruler"]);
    await page.getByRole("button", { name: "Dismiss" }).click();
    t.true(await page.locator("#outbox").isHidden());
  },
);

browserTest("the camera recognizes a label and then a product and links them", async (t, { page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await open(page);
  await page.route("**/zxing/**", (route) => route.abort());
  await page.getByRole("button", { name: "Camera" }).click();
  await page.getByText("Scanning by camera needs the network").waitFor();
  t.true(await page.locator("#seen").isHidden());
  await page.unrouteAll();
  await page.getByRole("button", { name: "Camera" }).click();
  await page.locator("#entries [data-entry=done]").waitFor({ timeout: 120_000 });
  await keepPicture(page, "aisle-camera-phone-light", false);
  await page.getByRole("button", { name: "Camera" }).click();
  t.true(await page.locator("#seen").isHidden());
  t.deepEqual(await itemsOf(filmed), ["pen"]);
});

testLinksWithoutNetwork(browserTest, shelfwire);

browserTest("replacing a broken label moves its link to the new label and frees the old one", async (t, { page }) => {
  await open(page);
  await choose(page, "Replace");
  await scan(page, broken);
  await asks(page, "Now scan the new label");
  await scan(page, broken);
  await page.getByText("That is the same label").waitFor();
  await scan(page, fresh);
  await isSent(page);
  await isOnGlass(page);
  const label = (await (await shelfwire.call("GET", `/labels/${fresh}`)).json()) as { plLocation: string };
  t.is(label.plLocation, "A 4");
  t.deepEqual(await itemsOf(fresh), ["pen"]);
  await eventually("the former label is free", async () => (await itemsOf(broken)).length === 0);
});

browserTest("a label is unlinked after confirmation", async (t, { page }) => {
  await open(page);
  await choose(page, "Unlink");
  await scan(page, freed);
  await asks(page, "Unlink this label?");
  await page.getByRole("button", { name: "Start over" }).click();
  await asks(page, "Scan the label");
  t.not((await itemsOf(freed)).length, 0);
  await scan(page, freed);
  await page.locator("#unlink").click();
  await page.getByText("The label goes blank").waitFor();
  await eventually("the label is free", async () => (await itemsOf(freed)).length === 0);
});

browserTest("a product's labels flash, and a wrong label is explained and refreshed", async (t, { page }) => {
  await open(page);
  await choose(page, "Find");
  await scan(page, CODE);
  await page.getByText(/labels? (is|are) flashing/).waitFor();
  await choose(page, "Report");
  // The page looks at a scanned label only once.
  await untilOk(shelfwire, hung);
  await scan(page, hung);
  await isOnGlass(page);
  await page.getByRole("button", { name: "Send again" }).click();
  await page.getByText("The picture is being sent again").waitFor();
  await page.getByRole("button", { name: "Replace this label" }).click();
  await asks(page, "Now scan the new label");
  t.true(await page.locator("#chosen", { hasText: hung }).isVisible());
});

browserTest("every action fits on a phone in each language", async (t, { enter }) => {
  for (const locale of ["de-DE", "hr-HR"]) {
    const page = await enter({ locale, viewport: { width: 360, height: 780 } });
    await open(page);
    await page.locator("#asked:not(:empty)").waitFor();
    await keepPicture(page, `aisle-begin-phone-${locale}`, false);
    t.is(await page.evaluate<number>("document.documentElement.scrollWidth"), 360, locale);
    const tooWide = await page.evaluate<string[]>(
      `Array.from(document.querySelectorAll(".modes button")).filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent)`,
    );
    t.deepEqual(tooWide, [], locale);
  }
});

browserTest("every action works with the keyboard alone", async (t, { page }) => {
  await open(page);
  await page.getByPlaceholder("Type a code").focus();
  await scan(page, hung);
  await asks(page, "Now scan the item");
  await scan(page, "ruler");
  await isSent(page);
  t.deepEqual(await itemsOf(hung), ["ruler"]);
  const reached = new Set<string>();
  for (let tabs = 0; tabs < 7; tabs += 1) {
    await page.keyboard.press("Tab");
    reached.add(await page.evaluate<string>(`document.activeElement.dataset.mode ?? document.activeElement.id`));
    t.true(await isFocusSeen(page));
  }
  for (const stop of ["camera", "link", "find", "check", "replace", "unlink"]) t.true(reached.has(stop), stop);
});

browserTest("the page is accessible, light or dark, on a phone, on a desktop and at 200 %", async (t, { page }) => {
  // As above, the page looks only once.
  await untilOk(shelfwire, hung);
  await open(page);
  const keep = (what: string) => assertReadable(t, page, `aisle-${what}`, { isWhole: false });
  await asks(page, "Scan the label");
  await keep("begin");
  await scan(page, hung);
  await isOnGlass(page);
  await scan(page, "ruler");
  await isSent(page);
  await isOnGlass(page);
  await keep("linked");
  await choose(page, "Unlink");
  await scan(page, hung);
  await page.locator("#unlink").waitFor();
  await isOnGlass(page);
  await keep("unlink");
});

test.serial("the page requested no other host, had no errors, and attempted nothing that its policy forbids", (t) => {
  t.deepEqual(seen, { foreign: [], violations: [], errors: [] });
});
