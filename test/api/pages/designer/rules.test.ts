import test from "ava";
import type { Page } from "playwright-core";
import { servedStack } from "../../../harness/served-stack.ts";
import { bodyOf } from "../../calls.ts";
import { manage } from "../../management/calls.ts";
import { assertReadable, browserTests, seen } from "../browser.ts";
import { fillShop, RULES, ruleIn } from "./a-rules-page.ts";

const shelfwire = servedStack();
const browserTest = browserTests(shelfwire);
test.serial.before(() => fillShop(shelfwire));

const open = async (page: Page, path = RULES) => {
  await page.goto(`${shelfwire.origin}${path}`);
  await page.getByText(/labels counted at/).waitFor();
};
interface Tree {
  scenarios: { id: string; name: string; cel_expression?: string; design_ids: string[]; children: unknown[] }[];
}
const readDraft = async () =>
  (await bodyOf<{ content: Tree }>(await manage(shelfwire, "GET", "/communication-packs/shelf-prices/draft"))).content;

browserTest("a rule is made by sentence, and a saved draft changes nothing on the labels", async (t, { page }) => {
  await open(page);
  await ruleIn(page, /Special offer/)
    .first()
    .click();
  await page.getByLabel("Applies if 1").getByLabel("Value").waitFor();
  const live = await bodyOf(await manage(shelfwire, "GET", "/communication-packs/shelf-prices"));
  await page.getByRole("button", { name: "Add rule", exact: true }).click();
  await page.getByLabel("Name", { exact: true }).fill("Cheap Dukat");
  await page.getByRole("button", { name: "Add condition" }).click();
  await page.getByLabel("Applies if 1").getByLabel("Property").selectOption("item.price");
  await page.getByLabel("Applies if 1").getByLabel("Comparison").selectOption("below");
  await page.getByLabel("Applies if 1").getByLabel("Value").fill("cheap");
  await page.getByText("“cheap” is not a number.").waitFor();
  await page.getByLabel("Applies if 1").getByLabel("Value").fill("1,00");
  await page.getByLabel("Add design").selectOption({ label: "special-296x128" });
  await page.getByRole("treeitem", { name: "Cheap Dukat" }).getByText("price below 1").waitFor();
  await ruleIn(page, "Cheap Dukat").focus();
  for (const _ of [1, 2, 3]) await page.keyboard.press("Alt+ArrowUp");
  await page.getByRole("button", { name: "Save draft" }).click();
  await page.getByText("Draft saved. Nothing on the labels has changed.").waitFor();
  const [first] = (await readDraft()).scenarios;
  t.like(first, {
    name: "Cheap Dukat",
    cel_expression: "double(item.price) < 1.0",
    design_ids: ["t/demo/designs/special-296x128"],
  });
  t.deepEqual(await bodyOf(await manage(shelfwire, "GET", "/communication-packs/shelf-prices")), live);
  await page.reload();
  await page.getByText("Draft saved.").waitFor();
  await page.getByRole("button", { name: "Discard draft" }).click();
  await page.getByText("As on the labels").waitFor();
  t.is((await manage(shelfwire, "GET", "/communication-packs/shelf-prices/draft")).status, 404);
});

browserTest(
  "every state of the page is accessible, light or dark, on a desktop, on a phone or at 200 %",
  async (t, { page }) => {
    await open(page);
    await assertReadable(t, page, "rules");
  },
);

test.serial("no page requested another host, had errors, or attempted what its policy forbids", (t) => {
  t.deepEqual(seen, { foreign: [], violations: [], errors: [] });
});
