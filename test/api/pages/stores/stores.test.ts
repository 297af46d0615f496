import test from "ava";
import type { Page } from "playwright-core";
import { ownStack } from "../../../harness/own.ts";
import { platformToken } from "../../../harness/served.ts";
import { bodyOf } from "../../calls.ts";
import { manage, operate } from "../../management/calls.ts";
import { assertReadable, browserTests, keepPicture, seen } from "../browser.ts";
import { EVIL } from "../shop-items.ts";
import { failureTexts, giveUp, keepDeadLetter, noteServerAway, noteSilentServer } from "./failed-calls.ts";

const shelfwire = ownStack({ workers: [] });
const browserTest = browserTests(shelfwire);
let subscription = "";

test.serial.before(async () => {
  const made = await manage(shelfwire, "POST", "/subscriptions", {
    topics: ["link.v2"],
    url: "https://shop.example/events",
  });
  subscription = ((await made.json()) as { subscriptionId: string }).subscriptionId;
  await keepDeadLetter(shelfwire.system.db, subscription);
});

const open = async (page: Page, path: string) => void (await page.goto(`${shelfwire.origin}${path}`));
const fill = async (page: Page, fields: Readonly<Record<string, string>>) => {
  for (const [name, value] of Object.entries(fields)) await page.getByLabel(name).fill(value);
};
const save = (page: Page) => page.getByRole("button", { name: "Save" }).click();
const said = (page: Page, text: string) => page.locator("#outcome", { hasText: text }).waitFor();
const saved = async (page: Page) => {
  await save(page);
  await said(page, "Saved.");
};
/** Presses a button, and the button of the same name in the dialog for confirmation. */
const confirm = async (page: Page, name: string) => {
  await page.getByRole("button", { name }).click();
  await page.getByRole("dialog").getByRole("button", { name }).click();
};
const operator = platformToken();
const asOperator = async (enter: (options: object, token: string) => Promise<Page>) => enter({}, await operator);

browserTest(
  "head office creates and changes a store without overwriting another user's change",
  async (t, { page }) => {
    await open(page, "/stores");
    await page.getByRole("link", { name: "New store" }).click();
    await fill(page, { "Short name": "harbour", "Time zone": "Nowhere" });
    await fill(page, { Currency: "EUR", "Language and region": "hr-HR" });
    await page.getByLabel("Name", { exact: true }).fill(EVIL);
    await page.getByRole("button", { name: "Add a department" }).click();
    await fill(page, { Number: "1", Transceivers: "T1, T2" });
    await save(page);
    await said(page, "Time zone: The time zone “Nowhere” does not exist.");
    await page.getByLabel("Time zone").fill("Europe/Zagreb");
    await save(page);
    await page.getByRole("link", { name: EVIL }).first().click();
    await page.getByRole("heading", { name: EVIL }).waitFor();
    t.not(await page.title(), "taken");
    const read = () => manage(shelfwire, "GET", "/stores/harbour");
    t.deepEqual(await bodyOf(await read()), {
      storeId: "harbour",
      name: EVIL,
      timeZone: "Europe/Zagreb",
      currency: "EUR",
      locale: "hr-HR",
      linkDepartments: [{ id: "1", transceivers: ["T1", "T2"] }],
    });
    const { storeId: _, ...store } = await bodyOf<{ storeId: string }>(await read());
    await manage(shelfwire, "PUT", "/stores/harbour", {
      ...store,
      name: "Harbour",
      parameters: { ITEM_MUST_EXIST: false },
    });
    await page.getByLabel("Currency").fill("HRK");
    await save(page);
    await said(page, "Someone else has changed this in the meantime.");
    await page.reload();
    await page.getByLabel("Name", { exact: true }).fill("Old harbour");
    await saved(page);
    const parameters = { ITEM_MUST_EXIST: false };
    t.like(await bodyOf<object>(await read()), { name: "Old harbour", currency: "EUR", parameters });
    await confirm(page, "Remove store");
    await page.waitForURL(/\/stores$/);
    t.is((await read()).status, 404);
  },
);

browserTest(
  "the operator grants a user access to a store, with a password that is shown once, and revokes it",
  async (t, { enter }) => {
    const page = await asOperator(enter);
    await open(page, "/");
    await page.getByRole("link", { name: "Retailers" }).click();
    await page.getByRole("link", { name: /demo/ }).click();
    await page.getByRole("link", { name: "New user" }).click();
    await page.getByLabel("User name").fill("till-7");
    await page.getByLabel("Main street").check();
    await page.getByText("Advanced: individual permissions").click();
    await page.getByLabel("See items and prices").check();
    await page.getByLabel("See labels").check();
    await saved(page);
    const password = (await page.locator("#once code").textContent()) ?? "";
    const login = (password: string) =>
      fetch(`${shelfwire.origin}/api/public/auth/v1/login`, {
        headers: { authorization: `Basic ${Buffer.from(`till-7:${password}`).toString("base64")}` },
      });
    t.is((await login(password)).status, 200);
    const read = () => operate(shelfwire, "GET", "/t/demo/api/management/v1/users/till-7");
    t.deepEqual(await bodyOf(await read()), { name: "till-7", stores: ["main"], scope: "items:read labels:read" });
    await open(page, "/users/till-7?tenant=demo");
    t.is(await page.getByText(password).count(), 0);
    await page.getByLabel("See labels").uncheck();
    await saved(page);
    t.like(await bodyOf<object>(await read()), { scope: "items:read" });
    await page.reload();
    await page.getByLabel("Create a new password when saving").check();
    await saved(page);
    const renewed = (await page.locator("#once code").textContent()) ?? "";
    t.deepEqual([(await login(password)).status, (await login(renewed)).status], [401, 200]);
    t.like(await bodyOf<object>(await read()), { scope: "items:read" }, "the other fields stay unchanged");
    await confirm(page, "Revoke access");
    await page.waitForURL(/\/stores\?tenant=demo$/);
    t.is((await read()).status, 404);
  },
);

browserTest(
  "the operator adds a label server, whose secret is shown once, and assigns a store to it",
  async (t, { enter }) => {
    const page = await asOperator(enter);
    await open(page, "/new/label-server?tenant=demo");
    await fill(page, { "Short name": "cellar", Address: "https://labels.example" });
    await saved(page);
    t.regex((await page.locator("#once code").textContent()) ?? "", /^[\w-]{32}$/);
    await open(page, "/stores/main?tenant=demo");
    await page.locator("select[name=labelServer]").selectOption("cellar");
    await saved(page);
    t.like(await bodyOf<object>(await manage(shelfwire, "GET", "/stores/main")), { labelServer: "cellar" });
    await open(page, "/label-servers/cellar?tenant=demo");
    await confirm(page, "Remove label server");
    await page.locator("#remove-outcome", { hasText: "main" }).waitFor();
  },
);

browserTest("a subscription's page shows its deliveries, and failed events can be retried", async (t, { page }) => {
  await open(page, "/stores");
  await page.getByText("1 undelivered event").waitFor();
  await page.getByRole("link", { name: /shop.example/ }).click();
  await page.getByText("tried 30 times – The other system responded with status 500.").waitFor();
  await keepPicture(page, "subscription-dead-desk-light");
  await page.getByRole("button", { name: "Try again" }).click();
  await said(page, "1 event is being sent again.");
  await page.getByText("No undelivered events.").waitFor();
  await page.getByText("2 events are waiting").waitFor();
  await page.getByRole("button", { name: "Send a test" }).click();
  await said(page, "A test is on its way.");
  await page.getByText("3 events are waiting").waitFor();
  const read = async () => bodyOf<object>(await manage(shelfwire, "GET", `/subscriptions/${subscription}`));
  t.like(await read(), { waiting: 3, dead: 0 });
  const address = page.getByLabel("Address to call");
  await address.fill("ftp://shop.example");
  await page.getByRole("button", { name: "Change address" }).click();
  await said(page, "Not saved: Address to call: This does not have the right format.");
  await address.fill("https://shop.example/other");
  await page.getByRole("button", { name: "Change address" }).click();
  await page.getByRole("heading", { name: "https://shop.example/other" }).waitFor();
  t.like(await read(), { url: "https://shop.example/other", topics: ["link.v2"], waiting: 3 });
});

browserTest(
  "with the keyboard only, a subscription is created, its secret is shown once, and it is removed",
  async (t, { page }) => {
    await open(page, "/new/subscription");
    // Until its script arrives, a form stores nothing.
    await page.getByRole("button", { name: "Save", disabled: false }).waitFor();
    await page.getByLabel("Address to call").focus();
    await page.keyboard.type("https://other.example/events");
    for (const _ of [1, 2]) await page.keyboard.press("Tab");
    await page.keyboard.press("Space");
    await page.keyboard.press("Enter");
    await said(page, "Saved.");
    t.regex((await page.locator("#once code").textContent()) ?? "", /^whsec_/);
    await open(page, "/stores");
    await page.getByRole("link", { name: /other.example/ }).click();
    await confirm(page, "Remove subscription");
    await page.waitForURL(/\/stores$/);
    t.is(await page.getByText("other.example").count(), 0);
  },
);

browserTest("failures of subscriptions and label servers are in the page's language", async (t, { page, context }) => {
  await noteSilentServer(shelfwire.system.redis);
  await giveUp(shelfwire.system.db, subscription, 9, 503);
  for (const [language, server, system] of failureTexts) {
    await context.addCookies([{ name: "shelfwire-language", value: language, url: shelfwire.origin }]);
    await open(page, "/stores");
    await page.getByText(server).waitFor();
    await open(page, `/subscriptions/${subscription}`);
    await page.locator("#state").getByText(system).waitFor();
    await page.locator("#dead").getByText(system).waitFor();
    t.is(await page.getByText("answered").count(), 0);
  }
});

browserTest("head office sees which label server is unreachable, since when and why", async (t, { page }) => {
  await open(page, "/");
  await page.getByText("Not called recently").waitFor();
  await noteServerAway(shelfwire.system.redis);
  await page.reload();
  await page.getByText("No response since Mar 2, 09:15").waitFor();
  await open(page, "/stores");
  await page.getByText("Last failure, Mar 2, 09:15: the label server answered 401").waitFor();
  t.is(await page.getByText("no such secret").count(), 0, "only the operator may do that");
  await keepPicture(page, "label-servers-desk-light");
  t.is(await page.locator("a[href*='/label-servers/']").count(), 0, "the page is only for the operator");
});

test.serial("the operator creates another user", async (t) => {
  const order = { stores: ["main"], scope: "labels:read", password: "long enough for one" };
  t.is((await operate(shelfwire, "PUT", "/t/demo/api/management/v1/users/till-8", order)).status, 200);
});

browserTest(
  "the pages of stores and users are accessible, light or dark, on a desktop, on a phone or at 200 %",
  async (t, { page: office, enter }) => {
    const operator = await asOperator(enter);
    // Among similar forms, only one is checked in every size.
    const phone = ["phone"] as const;
    for (const [name, page, path, sizes] of [
      ["new-store", office, "/new/store", phone],
      ["user", operator, "/users/till-8?tenant=demo", phone],
      ["new-label-server", operator, "/new/label-server?tenant=demo", phone],
      ["label-server", operator, "/label-servers/cellar?tenant=demo", phone],
      ["retailers", operator, "/stores", phone],
      ["stores", office, "/stores", undefined],
      ["store", office, "/stores/main", undefined],
      ["subscription", office, `/subscriptions/${subscription}`, undefined],
      ["new-subscription", office, "/new/subscription", undefined],
      ["operator", operator, "/stores?tenant=demo", undefined],
      ["new-user", operator, "/new/user?tenant=demo", undefined],
    ] as const) {
      await open(page, path);
      await assertReadable(t, page, name, sizes && { sizes });
    }
  },
);

test.serial("no page sent a request to another host, had errors, or attempted what its policy forbids", (t) => {
  t.deepEqual(seen, { foreign: [], violations: [], errors: [] });
});
