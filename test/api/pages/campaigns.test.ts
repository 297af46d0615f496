import test from "ava";
import type { Page } from "playwright-core";
import { parseItems } from "../../../api/pages/browser/campaigns/parse-items.ts";
import { weekOf } from "../../../api/pages/campaigns/week.ts";
import { languages } from "../../../api/pages/messages/texts.ts";
import type { CampaignAnswer, CampaignSummary } from "../../../schemas/campaign-answers.ts";
import { STORE_ID } from "../../../scripts/demo/catalogue.ts";
import { eventually } from "../../harness/eventually.ts";
import { ownStack } from "../../harness/own.ts";
import { bodyOf, writeItems } from "../calls.ts";
import { manage } from "../management/calls.ts";
import { assertReadable, browserTests, seen } from "./browser.ts";

const shelfwire = ownStack({ workers: ["item"] });
const browserTest = browserTests(shelfwire);
const open = async (page: Page, path: string) => void (await page.goto(`${shelfwire.origin}${path}`));
const names = Array.from({ length: 50 }, (_, index) => `product-${index}`);
const MOST_CLICKS = 12;

test.serial.before(async () => {
  await manage(shelfwire, "PUT", `/stores/${STORE_ID}/price-guards`, { change: { fall: 50 } });
  await writeItems(
    shelfwire,
    names.map((itemId) => ({ itemId, itemName: itemId, price: "2.00" })),
  );
});

const campaigns = async () => bodyOf<CampaignSummary[]>(await shelfwire.call("GET", "/campaigns"));

test("a pasted list has one item per line, with or without a price, and with or without a heading", (t) => {
  t.deepEqual(parseItems("Item;Price\nmilk;1,99\nbread\n\nmilk;2,49", ","), {
    items: [{ itemId: "bread" }, { itemId: "milk", price: "2.49" }],
  });
  t.deepEqual(parseItems("milk\t1.99\tfresh\r\nbread\t\r\n", ".").items, [
    { itemId: "milk", price: "1.99" },
    { itemId: "bread" },
  ]);
  t.deepEqual(parseItems("milk,1.99", ".").items, [{ itemId: "milk", price: "1.99" }]);
  t.is(parseItems("milk;1,99\nbread;cheap", ",").badLine, "bread;cheap");
});

test("a week has seven days from Monday, even across a clock change", (t) => {
  const days = ["23", "24", "25", "26", "27", "28", "29"].map((day) => `2026-03-${day}`);
  for (const day of ["2026-03-23", "2026-03-29"]) t.deepEqual(weekOf(day), days);
});

browserTest("at most 12 clicks put 50 items on offer from tomorrow at six until Saturday", async (t, { enter }) => {
  const page = await enter({}, await shelfwire.token({ subject: "ana" }));
  let clicks = 0;
  const click = async (locator: ReturnType<Page["locator"]>) => {
    clicks += 1;
    await locator.click();
  };
  const type = async (label: string, text: string) => {
    await click(page.getByLabel(label, { exact: true }));
    await page.getByLabel(label, { exact: true }).fill(text);
  };
  await open(page, "/items");
  await click(page.getByRole("link", { name: "Campaigns" }));
  await click(page.getByRole("link", { name: "New campaign" }));
  await assertReadable(t, page, "new-campaign");
  await type("Name", "Spring");
  await type("Items", names.join("\n"));
  await type("Percent, price or property", "25");
  await click(page.getByRole("button", { name: "Preview" }));
  await page.getByRole("heading", { name: "What it changes" }).waitFor();
  t.regex((await page.locator(".jumps li").first().textContent()) ?? "", /2\.00.*1\.50/s);
  await assertReadable(t, page, "campaign");
  await click(page.getByRole("button", { name: "Schedule" }));
  await page.getByText("Scheduled", { exact: true }).waitFor();
  t.log(`${clicks} clicks`);
  t.true(clicks <= MOST_CLICKS);
  const [found] = await campaigns();
  t.like(found, { name: "Spring", state: "SCHEDULED", itemCount: 50 });
  t.regex(found?.from ?? "", / 06:00:00$/);
  t.is(new Date(`${found?.until.slice(0, 10)}T00:00:00Z`).getUTCDay(), 6);
  const scheduled = await eventually("its request is accepted", async () => {
    const { stores } = await bodyOf<CampaignAnswer>(await shelfwire.call("GET", `/campaigns/${found?.campaignId}`));
    return stores[0]?.requestId ?? false;
  });
  t.true(scheduled > 0);

  await open(page, "/campaigns");
  await page.getByRole("link", { name: "Next week" }).click();
  await assertReadable(t, page, "campaigns");
  await page.locator(".campaigns").getByRole("link", { name: "Spring" }).click();
  await page.getByRole("button", { name: "Cancel the campaign" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Cancel the campaign" }).click();
  await page.getByText("Cancelled", { exact: true }).waitFor();
});

browserTest(
  "a campaign that hits a guard is sent for approval, and two campaigns with the same item name each other",
  async (t, { enter }) => {
    const page = await enter({}, await shelfwire.token({ subject: "ana" }));
    const order = { until: "2090-01-01 20:00:00", items: [{ itemId: "product-0", price: "1.80" }] };
    const create = async (fields: object) =>
      (await (await shelfwire.call("POST", "/campaigns", { ...order, ...fields })).json()) as CampaignAnswer;
    const month = await create({ name: "Month" });
    await shelfwire.call("POST", `/campaigns/${month.campaignId}/schedule`);
    const cheap = await create({ name: "Cheap", items: [{ itemId: "product-0", price: "0.10" }] });
    await open(page, `/campaigns/${cheap.campaignId}`);
    await page.getByRole("link", { name: "Month" }).waitFor();
    await page.getByText("This campaign is shown.").waitFor();
    await page.getByRole("button", { name: "Schedule" }).click();
    await page.getByRole("button", { name: "Send for approval" }).click();
    await eventually("its prices are held", async () => {
      const { stores } = await bodyOf<CampaignAnswer>(await shelfwire.call("GET", `/campaigns/${cheap.campaignId}`));
      return stores[0]?.held === "WAITING";
    });
    // The page may reload before or after the prices are held.
    const held = page.getByRole("link", { name: "held in 1 store" });
    t.true(
      await eventually("the page shows the held campaign", async () => {
        await open(page, `/campaigns/${cheap.campaignId}`);
        return held.isVisible();
      }),
    );
  },
);

for (const language of Object.keys(languages))
  browserTest(`campaigns are shown in ${language}`, async (t, { enter }) => {
    const page = await enter({ locale: language });
    for (const path of ["/campaigns", "/campaigns/new", `/campaigns/${(await campaigns())[0]?.campaignId}`]) {
      await open(page, path);
      t.is(await page.locator("html").getAttribute("lang"), language);
      await page.locator(".campaigns-page h1").waitFor();
    }
  });

test.serial("no campaign page loads anything from elsewhere or violates its policy", (t) => {
  t.deepEqual(seen, { foreign: [], violations: [], errors: [] });
});
