import { mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "ava";
import type { Page } from "playwright-core";
import { eventually } from "../../harness/eventually.ts";
import { labelFor } from "../../harness/glass.ts";
import { servedStack } from "../../harness/served-stack.ts";
import { readLabel, writeItems, writeLabels } from "../calls.ts";
import { operate } from "../management/calls.ts";
import { assertReadable, browserTests, keepPicture, seen } from "./browser.ts";
import { writeFilm } from "./fake-camera.ts";

const shelfwire = servedStack();
/** Over plain HTTP a browser trusts its own machine alone, and no other host. */
const PLAIN_HOST = "shop.example";
const CODE = "4006381333931";
const [hung, first, filmed, cut, broken, fresh, freed, double] = [
  "hung",
  "first",
  "filmed",
  "cut",
  "broken",
  "fresh",
  "freed",
  "double",
].map((name) => labelFor(`aisle ${name}`)) as [string, string, string, string, string, string, string, string];

const folder = mkdtempSync(join(tmpdir(), "shelfwire-film-"));
const film = join(folder, "film.y4m");
test.after.always(() => rm(folder, { recursive: true }));
const browserTest = browserTests(shelfwire, async () => {
  await writeFilm(film, [
    ["code128", filmed],
    ["ean13", CODE],
  ]);
  return [
    "--use-fake-ui-for-media-stream",
    "--use-fake-device-for-media-stream",
    `--use-file-for-fake-video-capture=${film}`,
    `--host-resolver-rules=MAP ${PLAIN_HOST} 127.0.0.1`,
  ];
});

test.serial.before(async () => {
  const two = { labelTypes: [1328], linkPositions: 2 };
  await operate(shelfwire, "PUT", "/t/demo/api/management/v1/models/Two", two);
  await writeItems(shelfwire, [
    { itemId: "pen", itemName: "Pen", price: "1.49", sics: [CODE] },
    { itemId: "ruler", itemName: "Ruler", price: "2.99" },
  ]);
  await writeLabels(shelfwire, [
    { barcode: hung, links: [{ itemId: "ruler" }] },
    { barcode: broken, plLocation: "A 4", links: [{ itemId: "pen", linkedItemId: CODE }] },
    { barcode: freed, links: [{ itemId: "ruler" }] },
    { barcode: double, modelName: "Two", links: [{ itemId: "ruler" }] },
  ]);
});

const open = async (page: Page) => void (await page.goto(`${shelfwire.origin}/aisle`));
/** As a hand scanner does: a code typed wherever the focus is, and Enter. */
async function scan(page: Page, code: string): Promise<void> {
  await page.keyboard.type(code);
  await page.keyboard.press("Enter");
}
const asks = (page: Page, what: string) => page.locator("#asked", { hasText: what }).waitFor();
const choose = (page: Page, mode: string) => page.locator(".modes").getByRole("button", { name: mode }).click();
const isOnGlass = (page: Page) => page.locator("#card-state", { hasText: "It shows the newest picture." }).waitFor();
const isSent = (page: Page) => page.locator("#entries [data-entry=done]").waitFor();
const itemsOf = async (barcode: string) => (await readLabel(shelfwire, barcode)).links.map(({ itemId }) => itemId);

browserTest("a hand scanner links a label in two scans, and the page shows its picture arrive", async (t, { page }) => {
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
  await eventually("its picture is loaded", () =>
    page.evaluate<boolean>(`document.querySelector("#picture").naturalWidth > 0`),
  );
  t.deepEqual(await itemsOf(first), ["pen"]);
  t.is(await page.locator("[data-mode=link]").getAttribute("aria-pressed"), "true", "Enter pressed no button");
  await asks(page, "Scan the label");
});

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

browserTest("on a label for several products the user chooses the position of the next one", async (t, { page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await open(page);
  await scan(page, first);
  await asks(page, "Now scan the item");
  t.true(await page.locator("#positions").isHidden(), "it holds one product");
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

browserTest("a link whose response is lost is sent again and made once", async (t, { enter }) => {
  const page = await enter({ serviceWorkers: "block", viewport: { width: 390, height: 844 } });
  /** By key, in order: whether each response that came through was a replayed one. */
  const answers = new Map<string, boolean>();
  let isCut = false;
  await page.route("**/labels/link-single*", async (route) => {
    if (isCut) return route.abort();
    const answer = await route.fetch();
    const key = route.request().headers()["idempotency-key"] ?? "";
    answers.set(key, answer.headers()["idempotency-replayed"] === "true");
    if (answers.size > 1 || answers.get(key)) return route.fulfill({ response: answer });
    isCut = true;
    await page.context().setOffline(true);
    return route.abort();
  });
  await open(page);
  await scan(page, cut);
  await asks(page, "Now scan the item");
  await scan(page, CODE);
  await page.getByText("1 change is not sent yet").waitFor();
  await page.getByText("Stored here. It is sent once the network is back.").waitFor();
  t.true(await page.getByText("No network.").isVisible());
  await scan(page, hung);
  await scan(page, CODE);
  await page.getByText("2 changes are not sent yet").waitFor();
  await keepPicture(page, "aisle-offline-phone-light", false);
  isCut = false;
  await page.context().setOffline(false);
  await page.getByText("Everything is sent").waitFor();
  t.deepEqual([...answers.values()], [true, false], "the lost link was replayed, the other one is new");
  t.deepEqual(await itemsOf(cut), ["pen"]);
  t.deepEqual(await itemsOf(hung), ["pen"]);
  const history = (await (await shelfwire.call("GET", `/labels/${cut}/history`)).json()) as { result: string }[];
  t.is(history.filter(({ result }) => result === "begun").length, 1);
});

browserTest(
  "without a network the browser opens the page from its cache, which shows waiting changes and no price",
  async (t, { page, context }) => {
    await open(page);
    await page.evaluate(`navigator.serviceWorker.ready`);
    await eventually("the page is stored", () =>
      page.evaluate<boolean>(`caches.match(location.href).then((kept) => kept !== undefined)`),
    );
    await context.setOffline(true);
    await scan(page, freed);
    await scan(page, CODE);
    await page.getByText("1 change is not sent yet").waitFor();
    await page.reload();
    await page.getByText("1 change is not sent yet").waitFor();
    t.true(await page.locator("#card").isHidden());
    await context.setOffline(false);
    await page.getByText("Everything is sent").waitFor();
    t.deepEqual(await itemsOf(freed), ["pen"]);
    const kept = await page.evaluate<string[]>(
      `caches.open("shelfwire-aisle").then((cache) => cache.keys()).then((all) => all.map(({ url }) => new URL(url).pathname))`,
    );
    t.deepEqual(
      kept.filter((path) => path !== "/aisle" && !path.startsWith("/assets/")),
      [],
    );
  },
);

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
  t.deepEqual(await itemsOf(broken), []);
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
  await scan(page, hung);
  await isOnGlass(page);
  await page.getByRole("button", { name: "Send again" }).click();
  await page.getByText("The picture is sent again").waitFor();
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

browserTest(
  "over plain HTTP a hand scanner links, and the camera explains what it requires",
  async (t, { context }) => {
    // Its own context: the others may ask the server's own address alone.
    const plain = await context.browser()?.newContext({ locale: "en-GB" });
    if (plain === undefined) return t.fail();
    const page = await plain.newPage();
    const errors: string[] = [];
    page.on("pageerror", ({ message }) => errors.push(message));
    await page.goto(`${shelfwire.origin.replace("127.0.0.1", PLAIN_HOST)}/login?next=/aisle`);
    await page.fill("[name=token]", await shelfwire.token());
    await page.keyboard.press("Enter");
    await asks(page, "Scan the label");
    t.false(await page.evaluate<boolean>("isSecureContext"));
    await scan(page, filmed);
    await asks(page, "Now scan the item");
    await scan(page, "ruler");
    await isSent(page);
    t.deepEqual(await itemsOf(filmed), ["ruler"]);
    await page.getByRole("button", { name: "Camera" }).click();
    await page.getByText("only at a secure address (https)").waitFor();
    await plain.close();
    t.deepEqual(errors, []);
  },
);

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
    t.true(await page.evaluate<boolean>(`getComputedStyle(document.activeElement).outlineStyle !== "none"`));
  }
  for (const stop of ["camera", "link", "find", "check", "replace", "unlink"]) t.true(reached.has(stop), stop);
});

browserTest("the page is accessible, light or dark, on a phone, on a desktop and at 200 %", async (t, { page }) => {
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
