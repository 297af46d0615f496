import test from "ava";
import type { Page } from "playwright-core";
import { languages } from "../../../api/pages/messages/texts.ts";
import { STORE_ID } from "../../../scripts/demo/catalogue.ts";
import { callsOf } from "../../flow/held/held-calls.ts";
import { eventually } from "../../harness/eventually.ts";
import { ownStack } from "../../harness/own.ts";
import { writeItems } from "../calls.ts";
import { manage } from "../management/calls.ts";
import { assertReadable, browserTests, seen } from "./browser.ts";

const shelfwire = ownStack({ workers: ["item"] });
const browserTest = browserTests(shelfwire);
const ana = callsOf(shelfwire, "ana");
const open = async (page: Page, path: string) => void (await page.goto(`${shelfwire.origin}${path}`));
const tokenOf = (subject: string) => shelfwire.token({ subject });

test.serial.before(async () => {
  await manage(shelfwire, "PUT", `/stores/${STORE_ID}/price-guards`, { change: { rise: 30 } });
  const names = ["Milk", "Bread", "Salt"];
  await writeItems(
    shelfwire,
    names.map((itemName) => ({ itemId: itemName.toLowerCase(), itemName, price: "1.00" })),
  );
});

browserTest(
  "a second person finds a held list, sees the largest change first, and approves the list",
  async (t, { enter }) => {
    const number = await ana.hold([
      { itemId: "milk", price: "1.50" },
      { itemId: "bread", price: "10.00" },
    ]);
    const page = await enter({}, await tokenOf("ivo"));
    await open(page, "/items");
    await page.getByRole("link", { name: "1 list is held" }).click();
    await page.getByText("Sent by ana").waitFor();
    await assertReadable(t, page, "held");
    await page.getByRole("link", { name: `Held request ${number}` }).click();
    await page.locator(".jumps li").nth(1).waitFor();
    const rows = await page.locator(".jumps li").allTextContents();
    t.regex(rows[0] ?? "", /Bread.*\+900%.*At most 30% is allowed/s);
    t.regex(rows[1] ?? "", /Milk.*\+50%/s);
    await assertReadable(t, page, "held-request");
    await page.getByLabel("Note").fill("Agreed");
    await page.getByRole("button", { name: "Approve" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Approve" }).click();
    await page.getByText("Approved: ivo").waitFor();
    t.is(await page.getByRole("button", { name: "Approve" }).count(), 0);
    await eventually("the price is stored", async () =>
      (await shelfwire.client.listItems("projection=S")).some(
        ({ itemId, price }) => itemId === "bread" && price === "10.00",
      ),
    );
  },
);

browserTest("the sender of a list, or a user without the permission, cannot decide on it", async (t, { enter }) => {
  const number = await ana.hold([{ itemId: "salt", price: "3.00" }]);
  const own = await enter({}, await tokenOf("ana"));
  await open(own, `/held/${number}`);
  await own.getByText("You sent these prices").waitFor();
  const without = await enter({}, await shelfwire.token({ subject: "eva", scope: "items:read", stores: [STORE_ID] }));
  await open(without, `/held/${number}`);
  await without.getByText("You do not have permission to decide").waitFor();
  for (const page of [own, without]) t.is(await page.locator("[data-act]").count(), 0);
  const second = await enter({}, await tokenOf("ivo"));
  await open(second, `/held/${number}`);
  await second.getByRole("button", { name: "Refuse" }).click();
  await second.getByText("Refused: ivo").waitFor();
  await open(second, "/held");
  await second.getByText("Nothing is held.").waitFor();
});

for (const language of Object.keys(languages))
  browserTest(`held prices are shown in ${language}`, async (t, { enter }) => {
    const number = await ana.hold([{ itemId: "salt", price: "3.00" }]);
    const page = await enter({ locale: language }, await tokenOf("ivo"));
    await open(page, `/held/${number}`);
    t.is(await page.locator("html").getAttribute("lang"), language);
    t.is(await page.locator(".jumps .technical").count(), 0);
  });

test.serial("no page of held prices loads anything from elsewhere or violates its policy", (t) => {
  t.deepEqual(seen, { foreign: [], violations: [], errors: [] });
});
