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
/** Types a letter in the editor and chooses a completion at once, as somebody who clicks while still typing. */
const chooseWhileTyping = (letter: string, completion: string) => `(async () => {
  document.execCommand("insertText", false, ${JSON.stringify(letter)});
  await new Promise((typed) => setTimeout(typed));
  const { shadowRoot } = document.querySelector(".cel-host");
  const entries = [...shadowRoot.querySelectorAll(".cm-tooltip-autocomplete li")];
  const chosen = entries.find(({ textContent }) => textContent.startsWith(${JSON.stringify(completion)}));
  chosen.dispatchEvent(new MouseEvent("mousedown", { bubbles: true, cancelable: true }));
})()`;
interface Tree {
  scenarios: { id: string; name: string; cel_expression?: string; design_ids: string[]; children: unknown[] }[];
}
const readDraft = async () =>
  (await bodyOf<{ content: Tree }>(await manage(shelfwire, "GET", "/communication-packs/shelf-prices/draft"))).content;

browserTest("a rule is made as a sentence, and a saved draft changes nothing on the labels", async (t, { page }) => {
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
  "test items show what a rule chooses for them, with the picture, or why the rule does not apply",
  async (t, { page }) => {
    await open(page);
    const card = (name: string | RegExp) => page.locator(".case").filter({ has: page.getByRole("button", { name }) });
    await card(/Yogurt.*special price/s)
      .getByText("Special offer · special-296x128")
      .waitFor();
    await card(/Yogurt/)
      .locator("img")
      .waitFor();
    await card(/Figs.*no price/s)
      .getByText("No price · no-price-296x128")
      .waitFor();
    await card(/longer than most.*longest name/s).waitFor();
    await page
      .getByRole("button", { name: /longer than most/ })
      .first()
      .click();
    await ruleIn(page, /Special offer .*price kind is special/)
      .getByText("price kind is regular")
      .waitFor();
    await ruleIn(page, /Regular price/)
      .getByText("applies")
      .waitFor();
    await page.getByLabel("Item number or name").fill("wine");
    await page.getByRole("button", { name: "Pin", exact: true }).click();
    await card(/Wine.*pinned/s)
      .locator("img")
      .waitFor();
    await page.getByLabel("Item number or name").fill("nothing");
    await page.getByRole("button", { name: "Pin", exact: true }).click();
    await page.getByText("No item is called “nothing”.").waitFor();
    // A rule that reads a property which the bread lacks.
    await ruleIn(page, /Special offer .*price kind is special/).click();
    await page.getByRole("button", { name: "Add condition" }).click();
    await page.getByLabel("Applies if 2").getByLabel("Property").selectOption("item.brand");
    await page.getByLabel("Applies if 2").getByLabel("Value").fill("Dukat");
    await ruleIn(page, /Special offer .*price kind is special/)
      .getByText("lacks brand")
      .waitFor();
    t.is(await page.locator("#tree [data-path=chosen]").count(), 1);
    await assertReadable(t, page, "rules-tried", { sizes: ["desk", "phone"] });
  },
);

browserTest(
  "an expression is edited as CEL, with completion, and its fault is underlined at its place",
  async (t, { page }) => {
    await open(page);
    await page.locator(".case img").first().waitFor();
    await ruleIn(page, /Special offer .*price kind is special/).click();
    t.false(
      await page.evaluate<boolean>(
        `performance.getEntriesByType("resource").some(({ name }) => name.includes("codemirror"))`,
      ),
    );
    await page.getByRole("button", { name: "Expression" }).click();
    const editor = page.getByRole("textbox", { name: "Condition as an expression (CEL)" });
    await page.locator(".cel-host .cm-editor").waitFor();
    await editor.click();
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.type("item.br");
    await page.locator(".cm-tooltip-autocomplete").getByText("item.brand").waitFor();
    // With the pointer: for a moment after the list appears, Enter still starts a new line.
    await page.evaluate(chooseWhileTyping("a", "item.brand"));
    await page.locator(".cm-line", { hasText: /^item\.brand$/ }).waitFor();
    await page.keyboard.type(' ~ "Dukat"');
    await page.locator(".cm-lintRange-error", { hasText: "~" }).waitFor();
    await ruleIn(page, /Special offer/)
      .first()
      .getByText("Line 1, column 12")
      .waitFor();
    await page.getByText("Not counted: correct the faults first.").waitFor();
    await assertReadable(t, page, "rules-cel", { sizes: ["desk"] });
    await page.keyboard.press("ControlOrMeta+a");
    await page.route("**/communication-packs/validate", (route) => route.fulfill({ status: 503 }));
    await page.keyboard.type('item.itemName.matches("(?i)bread")');
    await page.getByText("Shelfwire will try again.").waitFor();
    await page.unroute("**/communication-packs/validate");
    await page.getByText("This expression says more than a sentence can.").waitFor();
    await page.getByText(/labels? would change/).waitFor();
    const bytes = await page.evaluate<number>(
      `performance.getEntriesByType("resource").filter(({ name }) => /[.][jt]s$/.test(name)).reduce((sum, { encodedBodySize: size }) => sum + size, 0)`,
    );
    t.true(bytes < 250_000, `${bytes} bytes of script`);
  },
);

browserTest(
  "a rule is published with its differences in view, and the publication is undone with one click",
  async (t, { page }) => {
    await open(page);
    await ruleIn(page, /Regular price/).click();
    await page.getByRole("button", { name: "Add condition" }).click();
    await page.getByLabel("Applies if 1").getByLabel("Property").selectOption("item.brand");
    await page.getByLabel("Applies if 1").getByLabel("Comparison").selectOption("isNot");
    await page.getByLabel("Applies if 1").getByLabel("Value").fill("Vineyard");
    await page.getByText(/would change/).waitFor();
    await page.getByRole("button", { name: "Publish …" }).click();
    const dialog = page.getByRole("dialog");
    await dialog
      .getByRole("row", { name: /Regular price · regular-296x128 no rule · no design/ })
      .locator("img")
      .first()
      .waitFor();
    await dialog.getByLabel("Publish anyway").waitFor();
    t.true(
      await dialog.getByRole("button", { name: "Publish", exact: true }).isDisabled(),
      "a blank label stops the publication",
    );
    await assertReadable(t, page, "rules-publish", { sizes: ["desk"], isWhole: false });
    await dialog.getByLabel("Why? A note for others").fill("Vineyard sets its own prices");
    await dialog.getByLabel("Publish anyway").check();
    await dialog.getByRole("button", { name: "Publish", exact: true }).click();
    await page.getByText("As on the labels").waitFor();
    await page.getByText("Vineyard sets its own prices").waitFor();
    const expression = async () =>
      (await bodyOf<Tree>(await manage(shelfwire, "GET", "/communication-packs/shelf-prices"))).scenarios.at(-1)
        ?.cel_expression;
    t.is(await expression(), '!has(item.brand) || item.brand != "Vineyard"');
    await page.getByRole("button", { name: "Roll back" }).click();
    await page.getByText("rolled back", { exact: true }).waitFor();
    t.is(await expression(), undefined);
  },
);

browserTest(
  "every state of the page is accessible, light or dark, on a desktop, on a phone or at 200 %",
  async (t, { page }) => {
    await open(page);
    await assertReadable(t, page, "rules");
  },
);

test.serial("no page sent a request to another host, had errors, or attempted what its policy forbids", (t) => {
  t.deepEqual(seen, { foreign: [], violations: [], errors: [] });
});
