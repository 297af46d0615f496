import test from "ava";
import type { Page } from "playwright-core";
import { languages } from "../../../api/pages/messages/texts.ts";
import { eventually } from "../../harness/eventually.ts";
import { labelFor } from "../../harness/glass.ts";
import { servedStack } from "../../harness/served-stack.ts";
import { readItem, writeItems, writeLabels } from "../calls.ts";
import { barcodes, scriptedPages, shelfOf } from "./a-shelf.ts";
import { assertReadable, browserTests, keepPicture, seen } from "./browser.ts";
import { cutEntries, isFocusSeen, isTimelineLoaded, loadSlowly, sizeOfPicture, tabToLabel } from "./in-the-browser.ts";
import { EVIL } from "./shop-items.ts";

const shelfwire = servedStack();
const browserTest = browserTests(shelfwire);
const shelf = shelfOf(shelfwire);
const { causeOf, isShown } = shelf;
const [apple = ""] = barcodes;
const label = `/labels/${apple}`;
let subscription = "";
test.serial.before(async () => {
  subscription = await shelf.fill();
});

const open = async (page: Page, path: string) => void (await page.goto(`${shelfwire.origin}${path}`));

browserTest("the overview shows that all shelves are correct and how long a price takes", async (t, { enter }) => {
  // A login ends the browser's session, and the other tests of this file share theirs, so this test has its own login.
  const page = await enter({}, false);
  await open(page, "/login");
  await page.fill("[name=token]", await shelfwire.token());
  await page.keyboard.press("Enter");
  await page.getByText("Every label shows the right price").waitFor();
  await page.getByText("5 of 5 labels show the newest picture").waitFor();
  t.is(await page.locator(".tile .figure").first().textContent(), "5");
  t.true(await page.getByRole("row", { name: /Last hour 5/ }).isVisible());
  await page.getByRole("img", { name: /Pictures of the last hour.*At most [1-9]/ }).waitFor();
  t.regex(
    (await page.locator(".charts .range title").first().textContent()) ?? "",
    // If the time is on another day, for example just before midnight, the day is named.
    /^([A-Z][a-z]{2} \d{1,2}, )?\d\d:\d\d: \d pictures?, half within /,
  );
});

browserTest("a label's page shows when a changed price arrives", async (t, { page }) => {
  await open(page, label);
  const before = await page.locator(".mat img").getAttribute("src");
  const field = page.getByLabel("New price");
  const send = page.locator("#price-form").getByRole("button", { name: "Change price" });
  for (const written of ["abc", "-3"]) {
    await field.fill(written);
    await send.click();
    await page.getByText(`“${written}” is not a price.`).waitFor();
  }
  await field.fill("7,77");
  await send.click();
  await page.getByText("Change the price from €1.49 to €7.77?").waitFor();
  await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
  await page.getByText("The price stays the same.").waitFor();
  t.is((await readItem(shelfwire, "item-0")).price, "1.49", "invalid and unconfirmed prices were not sent");
  await send.click();
  await page.getByRole("dialog").getByRole("button", { name: "Change price" }).click();
  await page.getByText("The new price is on the label.").waitFor();
  t.is((await readItem(shelfwire, "item-0")).price, "7.77");
  t.is(await field.inputValue(), "7.77");
  await page.locator(".position .price", { hasText: "7.77" }).waitFor();
  await eventually(
    "the page shows the new picture",
    async () => (await page.locator(".mat img").getAttribute("src")) !== before,
  );
  const { width, shown } = await sizeOfPicture(page);
  t.is(shown % width, 0, "the picture is enlarged by whole pixels");
  await page.getByText("Why this design").waitFor();
  const pictures = page.locator("#timeline .then");
  await pictures.nth(1).scrollIntoViewIfNeeded();
  await eventually("the earlier picture is visible", () => isTimelineLoaded(page));
  t.not(await pictures.nth(0).getAttribute("src"), await pictures.nth(1).getAttribute("src"));
});

browserTest("a label can be flashed and, after confirmation, unlinked from its page", async (t, { page }) => {
  await open(page, `/labels/${barcodes[3]}`);
  await page.getByRole("button", { name: "Flash" }).click();
  await page.getByText("The label flashes").waitFor();
  await page.getByRole("button", { name: "Unlink" }).click();
  await page.getByRole("button", { name: "Cancel" }).click();
  t.is(await causeOf(barcodes[3] ?? ""), "UP_TO_DATE");
  await page.getByRole("button", { name: "Unlink" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Unlink" }).click();
  await page.getByText("No item is linked to it.").first().waitFor();
  await writeLabels(shelfwire, [{ barcode: barcodes[3] ?? "", links: [{ itemId: "item-3" }] }]);
  await isShown(barcodes[3] ?? "");
});

browserTest("the shelf finds a label by its item's name and acts on the selected labels", async (t, { page }) => {
  await open(page, "/shelf");
  await page.getByRole("link", { name: /pear/ }).waitFor();
  t.is(await page.locator(".cell").count(), 5);
  await page.getByRole("searchbox", { name: "Search" }).fill("PEAR");
  await page.getByText("1 label", { exact: true }).waitFor();
  await page.getByRole("checkbox", { name: new RegExp(barcodes[1] ?? "") }).check();
  await page.getByText("1 label selected").waitFor();
  await page.getByRole("button", { name: "Flash" }).click();
  await page.getByText("1 label will flash for 15 seconds.").waitFor();
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByText("Done for 1 label.").waitFor();
  await page.getByRole("searchbox", { name: "Search" }).fill("");
  const department = page.locator("[name=department]");
  await department.selectOption("Fruit");
  await page.getByText("2 labels", { exact: true }).waitFor();
  await department.selectOption("");
  await page.getByLabel("Label department").selectOption("1");
  await page.getByText("1 label", { exact: true }).waitFor();
  // The cells follow the count in the browser's next frame.
  await eventually("only this label is shown", async () => (await page.locator(".cell").count()) === 1);
  t.is(await page.locator(".cell").getAttribute("data-barcode"), barcodes[4] ?? "");
});

browserTest("stopping an action on many labels completes the calls that have already started", async (t, { page }) => {
  await open(page, "/shelf");
  for (const barcode of barcodes) await page.getByRole("checkbox", { name: new RegExp(barcode) }).check();
  await page.getByText("5 labels selected").waitFor();
  const held = Promise.withResolvers<void>();
  let startedCalls = 0;
  await page.route("**/flash", async (route) => {
    startedCalls += 1;
    await held.promise;
    await route.continue();
  });
  await page.getByRole("button", { name: "Flash" }).click();
  await page.getByText("5 labels will flash for 15 seconds.").waitFor();
  await page.keyboard.press("Escape");
  t.is(startedCalls, 0, "nothing is done without a confirmation");
  await page.getByRole("button", { name: "Flash" }).click();
  await page.getByRole("button", { name: "Continue" }).click();
  await eventually("four calls are in progress", async () => startedCalls === 4);
  await page.getByRole("button", { name: "Stop" }).click();
  held.resolve();
  await page.getByText("Stopped after 4 labels.").waitFor();
  t.is(startedCalls, 4);
});

const STAFF = { scope: "labels:read items:read", stores: ["main"] };

browserTest(
  "the shelf of a single-store user receives a change and shows the new picture and price",
  async (t, { enter }) => {
    const page = await enter({}, await shelfwire.token(STAFF));
    // Without timers the page receives only the changes that the stream reports.
    await page.addInitScript({ content: "window.setInterval = () => 0;" });
    await open(page, "/shelf");
    await page.locator(".cell .state[data-state=OK]").nth(4).waitFor();
    const cell = page.locator(`[data-barcode="${barcodes[2]}"]`);
    const picture = cell.locator("[data-of=shown] img");
    await picture.waitFor();
    const before = await picture.getAttribute("src");
    await writeItems(shelfwire, [{ itemId: "item-2", price: "8.88" }]);
    await eventually("the picture has changed", async () => (await picture.getAttribute("src")) !== before);
    await cell.getByText("8.88").waitFor();
    const added = labelFor("hung while the page is open");
    await writeLabels(shelfwire, [{ barcode: added, links: [{ itemId: "item-0" }] }]);
    await page.locator(`[data-barcode="${added}"]`, { hasText: "apple" }).waitFor();
    await shelfwire.call("DELETE", `/labels/${added}/links`);
    await page.locator(`[data-barcode="${added}"]`, { hasText: "No item" }).waitFor();
    t.pass();
  },
);

browserTest("if no stream can be opened, the page polls", async (t, { enter }) => {
  const page = await enter({}, await shelfwire.token(STAFF));
  await page.clock.install();
  await page.route("**/labels/tail", (route) => route.fulfill({ status: 429 }));
  await open(page, `/labels/${barcodes[2]}`);
  await page.locator(".position .price", { hasText: "8.88" }).waitFor();
  await writeItems(shelfwire, [{ itemId: "item-2", price: "8.99" }]);
  await eventually("the page has the new price", async () => {
    await page.clock.fastForward(10_000);
    return page.locator(".position .price", { hasText: "8.99" }).isVisible();
  });
  t.pass();
});

browserTest("an item's name is escaped on every page, whatever it contains", async (t, { page }) => {
  for (const path of ["/", "/shelf", `/labels/${barcodes[4]}`]) {
    await open(page, path);
    if (path !== "/") await page.getByText(EVIL).first().waitFor();
    t.not(await page.title(), "taken", path);
  }
});

browserTest("the keyboard alone is enough to reach a label, change its price and go back", async (t, { page }) => {
  await open(page, `/shelf?search=${apple}`);
  await page.getByText("1 label", { exact: true }).waitFor();
  await page.getByRole("searchbox").focus();
  await tabToLabel(page);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: apple }).waitFor();
  // Until its script arrives, a form sends nothing.
  await page.getByRole("button", { name: "Change price", disabled: false }).waitFor();
  await page.getByLabel("New price").focus();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("6.66");
  await page.keyboard.press("Enter");
  await page.getByText("The new price is on the label.").waitFor();
  t.true(await isFocusSeen(page), "the focus is visible");
});

browserTest("without its script a page still shows the state", async (t, { enter }) => {
  // Such a page is not refreshed, so no label may be waiting for its picture.
  await Promise.all(barcodes.map(isShown));
  const page = await enter({ javaScriptEnabled: false });
  await open(page, "/");
  await page.getByText("No label reports a problem").waitFor();
  await page.getByRole("link", { name: "Every label is being compared with its price" }).click();
  await page.getByText("Every label shows the right price").waitFor();
  await open(page, label);
  t.true(await page.getByText("The newest picture has been on the label").isVisible());
});

browserTest(
  "a page whose scripts load slowly is readable and accepts no input that it would lose; scripts are under 150 kB",
  async (t, { page }) => {
    for (const path of scriptedPages(label, subscription)) await loadSlowly(t, page, shelfwire.origin, path);
  },
);

browserTest(
  "on the narrowest phone each navigation entry is fully visible in every language",
  async (t, { page, context }) => {
    await page.setViewportSize({ width: 320, height: 640 });
    for (const language of Object.keys(languages)) {
      await context.addCookies([{ name: "shelfwire-language", value: language, url: shelfwire.origin }]);
      await open(page, "/stores");
      t.deepEqual(await cutEntries(page), [], language);
      t.is(await page.locator(".top nav a").count(), 7);
      await keepPicture(page, `navigation-narrow-${language}`, false);
    }
  },
);

browserTest("every page is accessible, light or dark, on a desktop, on a phone or at 200 %", async (t, { page }) => {
  for (const [name, path] of Object.entries({ login: "/login", overview: "/?checks=1", shelf: "/shelf", label })) {
    await open(page, path);
    if (name === "shelf") await page.locator(".cell img").first().waitFor();
    await assertReadable(t, page, name, { isWhole: name !== "shelf" });
  }
});

test.serial("no page sent a request to another host, had errors, or attempted what its policy forbids", (t) => {
  t.deepEqual(seen, { foreign: [], violations: [], errors: [] });
});
