import test from "ava";
import type { Page } from "playwright-core";
import { readCode } from "../../../drawing/codes/read-codes.ts";
import { eventually } from "../../../harness/eventually.ts";
import { ownStack } from "../../../harness/own.ts";
import { manage } from "../../management/calls.ts";
import { assertReadable, browserTests, seen } from "../browser.ts";

const shelfwire = ownStack({ workers: [] });
const browserTest = browserTests(shelfwire);
const PASSWORD = "a password of ana's own";

test.serial.before(async () => {
  const { storeId: _, ...store } = (await (await manage(shelfwire, "GET", "/stores/main")).json()) as {
    storeId: string;
  };
  await manage(shelfwire, "PUT", "/stores/second", { ...store, name: "Žabica" });
});

const open = (page: Page, path: string) => page.goto(`${shelfwire.origin}${path}`);
const said = (page: Page, text: string) => page.locator("#invite-outcome", { hasText: text }).waitFor();
const phone = { viewport: { width: 390, height: 844 } };

/** Fills in the invitation form, and sends it. */
async function invite(page: Page, name: string, role: string, store?: string): Promise<void> {
  await open(page, "/people");
  await page.getByLabel("User name").fill(name);
  await page.getByLabel("Role").selectOption(role);
  if (store !== undefined) await page.getByLabel(store, { exact: true }).check();
  await page.getByRole("button", { name: "Create invitation" }).click();
}

/** Returns whether the browser itself accepts a field's value. */
const isValid = (field: unknown): boolean => (field as { validity: { valid: boolean } }).validity.valid;

/** Returns the link of a new invitation, as the page writes it and as its QR code contains it. */
async function linkIn(page: Page): Promise<{ written: string; coded: string }> {
  await said(page, "The invitation is ready.");
  const canvas = page.getByRole("img", { name: "The address as a code to scan" });
  await canvas.waitFor();
  // The code is drawn after its canvas appears.
  const { text } = await eventually("the QR code is readable", async () =>
    readCode(await canvas.screenshot(), "QRCode"),
  );
  return { written: (await page.locator("#invitation code").textContent()) ?? "", coded: text };
}

async function logIn(page: Page, password: string): Promise<void> {
  await open(page, "/login");
  await page.getByLabel("Name").fill("ana");
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Log in" }).click();
}

browserTest(
  "an invitation without a store or with a wrong name is refused with a readable message, and none is created",
  async (t, { page }) => {
    await invite(page, "ana", "shop");
    await said(page, "Choose at least one store.");
    t.true(await page.locator("#invitation").isHidden());
    await page.getByLabel("User name").fill("ana maria");
    await page.getByLabel("Main street").check();
    await page.getByRole("button", { name: "Create invitation" }).click();
    t.false(await page.getByLabel("User name").evaluate(isValid));
    await page.reload();
    t.is(await page.locator(".entry .name").count(), 0);
  },
);

browserTest(
  "a person invited by link or QR code chooses a password on a phone, is logged in, and can log in with it again",
  async (t, { page, enter }) => {
    await invite(page, "ana", "shop", "Main street");
    const { written, coded } = await linkIn(page);
    t.is(coded, written);
    await assertReadable(t, page, "people-invited");
    const ana = await enter(phone, false);
    await ana.goto(coded);
    await ana.getByText("Your user name is ana.").waitFor();
    await assertReadable(t, ana, "join", { sizes: ["phone"] });
    await ana.getByLabel("Password").fill("short");
    await ana.getByRole("button", { name: "Log in" }).click();
    t.false(await ana.getByLabel("Password").evaluate(isValid));
    await ana.evaluate("document.querySelector('[name=password]').removeAttribute('minlength')");
    await ana.getByRole("button", { name: "Log in" }).click();
    await ana.getByRole("alert").getByText("At least").waitFor();
    await ana.getByLabel("Password").fill(PASSWORD);
    await ana.getByRole("button", { name: "Log in" }).click();
    await ana.getByRole("navigation", { name: "Pages" }).waitFor();
    t.is(await ana.locator("p.store").textContent(), "Main street");
    await ana.goto(written);
    await ana.getByText("This invitation has been used or has expired.").waitFor();
    await eventually("the visit is stored and shown", async () => {
      await page.reload();
      return page.getByText("Last visit:").isVisible();
    });
    const elsewhere = await enter(phone, false);
    await logIn(elsewhere, "wrong");
    await elsewhere.getByRole("alert").getByText("Wrong name or password.").waitFor();
    await logIn(elsewhere, PASSWORD);
    await elsewhere.getByRole("navigation", { name: "Pages" }).waitFor();
  },
);

browserTest("a user sees where they are logged in, and ends one other session or all of them", async (t, { enter }) => {
  const [own, other] = [await enter(phone, false), await enter({}, false)];
  for (const page of [own, other]) {
    await logIn(page, PASSWORD);
    await page.getByRole("navigation", { name: "Pages" }).waitFor();
  }
  await open(own, "/account");
  await own.getByText("You are logged in as ana.").waitFor();
  await assertReadable(t, own, "account", { sizes: ["phone"] });
  const sessions = own.locator(".sessions li");
  const count = await sessions.count();
  t.is(await own.getByText("this device").count(), 1);
  t.true(count > 1);
  for (let left = count - 1; left > 0; left -= 1) {
    await sessions
      .getByRole("button", { name: /Log out/ })
      .first()
      .click();
    await eventually("one session has ended", async () => (await sessions.count()) === left);
  }
  await open(other, "/shelf");
  await other.getByRole("button", { name: "Log in" }).waitFor();
  await own.getByRole("button", { name: "Log out everywhere" }).click();
  await own.getByRole("button", { name: "Log in" }).waitFor();
  await open(own, "/account");
  await own.getByRole("button", { name: "Log in" }).waitFor();
});

browserTest(
  "head office logs a person out everywhere, and revokes their access, after a confirmation that names them",
  async (t, { page, enter }) => {
    const ana = await enter(phone, false);
    await logIn(ana, PASSWORD);
    await ana.getByRole("navigation", { name: "Pages" }).waitFor();
    const act = async (name: string, answer: string) => {
      await open(page, "/people");
      await page.getByRole("button", { name: `${name} ana` }).click();
      await page.getByRole("dialog").getByText("ana", { exact: true }).waitFor();
      // Once its call has a response, the page reloads itself; it must not be opened again before that.
      const reloaded = answer === "Continue" ? page.waitForEvent("load") : undefined;
      await page.getByRole("dialog").getByRole("button", { name: answer }).click();
      await reloaded;
    };
    await act("Revoke access", "Cancel");
    await open(ana, "/account");
    await ana.getByText("You are logged in as ana.").waitFor();
    await act("Log out everywhere", "Continue");
    await eventually("the person is logged out", async () => {
      await open(ana, "/account");
      return ana.getByRole("button", { name: "Log in" }).isVisible();
    });
    await act("Revoke access", "Continue");
    await page.getByRole("button", { name: "Revoke access ana" }).waitFor({ state: "detached" });
    await logIn(ana, PASSWORD);
    await ana.getByRole("alert").getByText("Wrong name or password.").waitFor();
    t.pass();
  },
);

test.serial("no page sent a request to another host, had errors, or attempted what its policy forbids", (t) => {
  t.deepEqual(seen, { foreign: [], violations: [], errors: [] });
});
