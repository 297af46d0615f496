import test from "ava";
import type { Page } from "playwright-core";
import { designer as german } from "../../../../api/pages/messages/designer/de.ts";
import { designer as english } from "../../../../api/pages/messages/designer/en.ts";
import { designer as croatian } from "../../../../api/pages/messages/designer/hr.ts";
import { eventually } from "../../../harness/eventually.ts";
import { servedStack } from "../../../harness/served-stack.ts";
import { bodyOf } from "../../calls.ts";
import { manage } from "../../management/calls.ts";
import { assertReadable, browserTests, seen } from "../browser.ts";
import { fillShop, RULES, ruleIn } from "./a-rules-page.ts";

const shelfwire = servedStack();
const browserTest = browserTests(shelfwire);
test.serial.before(() => fillShop(shelfwire));

interface Pack {
  name: string;
  scenarios: { name: string; design_ids: string[] }[];
}
const PACK = "/communication-packs/shelf-prices";
const readPack = async (): Promise<Pack> => {
  const { name, scenarios } = await bodyOf<Pack>(await manage(shelfwire, "GET", PACK));
  return { name, scenarios };
};
const readDraft = async () =>
  (await bodyOf<{ content: Pack }>(await manage(shelfwire, "GET", `${PACK}/draft`))).content;
const open = async (page: Page, path = RULES) => {
  await page.goto(`${shelfwire.origin}${path}`);
  await page.locator("#counted", { hasText: /\d/ }).waitFor();
};
const namesIn = (page: Page) => page.locator("#tree .name").allInnerTexts();
const pressed = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();
const discard = async (page: Page) => {
  await pressed(page, "Discard draft");
  await page.getByText("As on the labels").waitFor();
};

browserTest("a rule is dragged before another one with a pointer", async (t, { page }) => {
  await open(page);
  const before = await namesIn(page);
  await page.locator("#tree li").last().hover();
  await page.mouse.down();
  // The first move starts the drag, and the second is over the row.
  for (const y of [6, 3])
    await page
      .locator("#tree li")
      .first()
      .hover({ position: { x: 40, y } });
  await page.mouse.up();
  await page.getByText("Unsaved changes.").waitFor();
  t.deepEqual(await namesIn(page), [before.at(-1), ...before.slice(0, -1)]);
});

browserTest("a publication of rules is scheduled, listed, and called off", async (t, { page }) => {
  await open(page);
  await ruleIn(page, /Regular price/).click();
  await page.getByLabel("Name", { exact: true }).fill("Usual price");
  await pressed(page, "Publish …");
  const dialog = page.getByRole("dialog");
  await dialog.getByText("No label would change.").waitFor();
  await dialog.getByLabel("At a later time").check();
  await dialog.getByLabel("Day and time").fill("2096-02-29T06:30");
  await dialog.getByRole("button", { name: "Publish", exact: true }).click();
  const row = page.locator("#publications li").first();
  await row.getByText(/Feb 29, 2096, 6:30/).waitFor();
  await row.getByText("scheduled").waitFor();
  t.true((await readPack()).scenarios.some(({ name }) => name === "Regular price"));
  await pressed(page, "Call off");
  await row.getByText("called off").waitFor();
  await discard(page);
});

browserTest(
  "a draft that another user has saved meanwhile is not overwritten without a warning",
  async (t, { page }) => {
    await open(page);
    const { name, scenarios } = await readPack();
    const [first, ...others] = scenarios;
    const theirs = { name, scenarios: [{ ...first, name: "Theirs" }, ...others] };
    await bodyOf(await manage(shelfwire, "PUT", `${PACK}/draft`, { content: theirs }));
    await ruleIn(page, new RegExp(first?.name ?? ""))
      .first()
      .click();
    await page.getByLabel("Name", { exact: true }).fill("Mine");
    await pressed(page, "Save draft");
    await page.getByText("manager has saved this draft in the meantime.").waitFor();
    t.is((await readDraft()).scenarios[0]?.name, "Theirs");
    await pressed(page, "Continue with the saved draft");
    await ruleIn(page, /^Theirs/).waitFor();
    await pressed(page, "Undo");
    await ruleIn(page, /^Mine/).waitFor();
    await pressed(page, "Save draft");
    await page.getByText("Draft saved.").waitFor();
    t.is((await readDraft()).scenarios[0]?.name, "Mine");
    await discard(page);
  },
);

browserTest("the page warns of a property that no item has, at the place that reads it", async (t, { page }) => {
  await open(page);
  await ruleIn(page, /Regular price/).click();
  await pressed(page, "Add condition");
  const clause = page.getByLabel("Applies if 1");
  t.true((await clause.getByLabel("Property").locator("option").allInnerTexts()).includes("price kind"));
  await clause.getByLabel("Property").selectOption({ label: "Other property …" });
  await clause.locator("input").first().fill("colour");
  await page.keyboard.press("Enter");
  const warning = "No item has a property “colour”.";
  await clause.getByText(warning).waitFor();
  await ruleIn(page, /Regular price/)
    .getByText(warning)
    .waitFor();
  await pressed(page, "Expression");
  await page.locator(".cm-lintRange-warning", { hasText: "colour" }).waitFor();
});

browserTest(
  "versions say what each of them changed, and an earlier version is published again",
  async (t, { page }) => {
    const before = await readPack();
    const after = {
      ...before,
      scenarios: before.scenarios.map((one, index) => (index === 0 ? { ...one, name: "Bargain" } : one)),
    };
    await bodyOf(await manage(shelfwire, "PUT", `${PACK}?note=shorter`, after));
    await open(page);
    await pressed(page, "Versions");
    const dialog = page.getByRole("dialog");
    const newest = dialog.locator("#versions-list > li").first();
    await newest.getByText("shorter").waitFor();
    await newest.getByText("What changed").click();
    await newest.getByText(`Bargain › name: ${before.scenarios[0]?.name} → Bargain`).waitFor();
    await assertReadable(t, page, "rules-versions", { sizes: ["desk", "phone"], isWhole: false });
    await dialog
      .getByRole("button", { name: /^Publish again/ })
      .first()
      .click();
    await dialog.getByText(/compared|No label would change/).waitFor();
    await dialog.getByRole("button", { name: "Publish", exact: true }).click();
    await eventually(
      "the former version is live",
      async () => JSON.stringify(await readPack()) === JSON.stringify(before),
    );
    await page.locator("#publications").getByText("published", { exact: true }).waitFor();
    t.is((await namesIn(page))[0], before.scenarios[0]?.name);
  },
);

browserTest("rules are created from scratch, named, and published with their first rule", async (t, { page }) => {
  await page.goto(`${shelfwire.origin}/designer`);
  await page.getByText("New rules").click();
  await page.getByLabel("Name of the rules").fill("Wine cellar");
  await pressed(page, "Create");
  await page.waitForURL(/pack=wine-cellar-/);
  const id = new URL(page.url()).searchParams.get("pack") ?? "";
  await page.getByRole("heading", { name: "Wine cellar" }).waitFor();
  await pressed(page, "Add rule");
  await page.getByLabel("Name", { exact: true }).fill("Wine");
  await pressed(page, "Add condition");
  await page.getByLabel("Applies if 1").getByLabel("Property").selectOption("item.brand");
  await page.getByLabel("Applies if 1").getByLabel("Value").fill("Vineyard");
  await page.getByLabel("Add design").selectOption({ label: "regular-296x128" });
  await page.getByText(/would change/).waitFor();
  await pressed(page, "Publish …");
  const dialog = page.getByRole("dialog");
  await dialog.getByText("4 labels would no longer have a design.").waitFor();
  await dialog.getByLabel("Publish anyway").check();
  await dialog.getByRole("button", { name: "Publish", exact: true }).click();
  await page.getByText("As on the labels").waitFor();
  const made = await bodyOf<Pack & { active: boolean }>(await manage(shelfwire, "GET", `/communication-packs/${id}`));
  t.like(made, { name: "Wine cellar", active: true });
  t.deepEqual(
    made.scenarios.map(({ name, design_ids }) => [name, design_ids]),
    [["Wine", ["t/demo/designs/regular-296x128"]]],
  );
  await pressed(page, "Roll back");
  await page.waitForURL(/\/designer($|\?)/);
  await page.getByRole("link", { name: /shelf-prices.*Active/ }).waitFor();
});

const linesIn = (page: Page) =>
  page.evaluate<string[]>(`[
    ...document.querySelector("main").innerText.split("\\n"),
    ...[...document.querySelectorAll("main [aria-label], main [title]")].flatMap((one) => [one.ariaLabel, one.title]),
  ].filter(Boolean).map((line) => line.trim())`);

for (const [language, messages] of Object.entries({ de: german, hr: croatian }))
  browserTest(
    `${language}: neither the rules page nor its dialogs contain English text`,
    async (t, { page, context }) => {
      await context.addCookies([{ name: "shelfwire-language", value: language, url: shelfwire.origin }]);
      await open(page);
      const foreign = new Set<unknown>(
        Object.entries(english).flatMap(([key, text]) =>
          messages[key as keyof typeof messages] === text ? [] : [text],
        ),
      );
      const assertTranslated = async (what: string) =>
        t.deepEqual(
          (await linesIn(page)).filter((line) => foreign.has(line)),
          [],
          what,
        );
      await page.locator(".case img").first().waitFor();
      await assertTranslated("the page");
      for (const [button, dialog] of [
        ["#versions", "#versions-dialog"],
        ["#publish", "#publish-dialog"],
      ] as const) {
        if (button === "#publish") {
          await page.locator("#tree li").last().focus();
          await page.keyboard.press("Alt+ArrowUp");
        }
        await page.locator(button).click();
        await page.locator(`${dialog}[open]`).waitFor();
        await assertTranslated(dialog);
        await page.keyboard.press("Escape");
      }
      await page.locator("#discard").click();
    },
  );

test.serial("no page sent a request to another host, had errors, or attempted what its policy forbids", (t) => {
  t.deepEqual(seen, { foreign: [], violations: [], errors: [] });
});
