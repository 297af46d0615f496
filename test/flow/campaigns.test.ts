import test from "ava";
import { createCampaignStore } from "../../api/campaigns/campaign-store.ts";
import { createFindConflicts } from "../../api/campaigns/find-conflicts.ts";
import { createRunCampaigns } from "../../queues/campaigns/run-campaigns.ts";
import { campaignParts, campaigns } from "../../records/kinds/campaigns.ts";
import { stores } from "../../records/kinds/tenants.ts";
import type { Records } from "../../records/records.ts";
import type { CampaignAnswer, CampaignConflicts, CampaignPreview } from "../../schemas/campaign-answers.ts";
import { campaignKey, campaignPartKey, tenantOf } from "../../schemas/keys.ts";
import type { PriceGuards } from "../../schemas/price-guards.ts";
import { STORE_ID } from "../../scripts/demo/catalogue.ts";
import { bodyOf, moveToUtc, readItem, refused, writeItems, writeLinks } from "../api/calls.ts";
import { manage } from "../api/management/calls.ts";
import { eventually } from "../harness/eventually.ts";
import { DEMO_STORE, glassOf, labelFor } from "../harness/glass.ts";
import { ownStack } from "../harness/own.ts";
import { inTime, localTime, observedBefore, secondsAhead } from "../harness/scheduled-times.ts";

/** Campaigns from the draft to the glass and back, on a store with guards. */
const shelfwire = ownStack();
const guards: PriceGuards = { change: { fall: 50 } };
const names = ["milk", "bread", "salt"];
/** Seconds until the end of a campaign in each attempt: a busy machine needs more time to observe it. */
const LEADS_S = [20, 70, 180, 400];

test.serial.before(async () => {
  // Set before the store's first call, which reads its settings.
  await moveToUtc(shelfwire);
  await manage(shelfwire, "PUT", `/stores/${STORE_ID}/price-guards`, guards);
  await writeItems(
    shelfwire,
    names.map((itemId) => ({ itemId, itemName: itemId, price: "5.00", properties: { priceKind: "regular" } })),
  );
  const links = names.map((itemId) => ({ barcode: labelFor(itemId), links: [{ itemId }] }));
  await writeLinks(shelfwire, "PATCH", "/labels", links);
  for (const itemId of names) await glassOf(shelfwire, labelFor(itemId));
});

async function send(method: string, path: string, body?: unknown): Promise<CampaignAnswer> {
  const answer = await shelfwire.call(method, `/campaigns${path}`, body);
  if (!answer.ok) throw new Error(`${method} /campaigns${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as CampaignAnswer;
}
/** Formats the store's local time this many seconds from now. */
const ahead = (seconds: number): string => localTime(secondsAhead(seconds));
const offerOf = async (itemId: string) => (await readItem(shelfwire, itemId)).offer?.price;
const untilOffer = (itemId: string, price: string | undefined) =>
  eventually(`the offer of ${itemId} is ${price}`, async () => (await offerOf(itemId)) === price);

/** Runs a campaign until its end and observes it; `isOver` ends the waits. */
async function observe(campaignId: string, regular: Buffer, isOver: () => boolean) {
  const show = async () => bodyOf<CampaignPreview>(await shelfwire.call("GET", `/campaigns/${campaignId}/preview`));
  const preview = await show();
  const scheduled = await send("POST", `/${campaignId}/schedule`);
  await eventually("the offer is 4.00", async () => isOver() || (await offerOf("milk")) === "4.00");
  const bread = await offerOf("bread");
  const running = await show();
  await eventually(
    "the label shows it",
    async () => isOver() || !(await glassOf(shelfwire, labelFor("milk"))).equals(regular),
  );
  await writeItems(shelfwire, [{ itemId: "milk", price: "6.00" }]);
  return { preview, scheduled, bread, running, milk: await readItem(shelfwire, "milk") };
}

/** Waits until a campaign is over, and milk has its first price and picture again. */
async function untilRegular(campaignId: string, regular: Buffer): Promise<void> {
  await eventually("no work is left", async () => (await send("GET", `/${campaignId}`)).isUnderWay === false);
  await untilOffer("milk", undefined);
  await untilOffer("bread", undefined);
  await writeItems(shelfwire, [{ itemId: "milk", price: "5.00" }]);
  await eventually("the regular price is back", async () =>
    (await glassOf(shelfwire, labelFor("milk"))).equals(regular),
  );
}

const pictures = ({ labels }: CampaignPreview) => labels.map(({ itemId, after }) => [itemId, after]);

test.serial(
  "a campaign shows its price until its end, and then the regular price, even if that changed in the meantime",
  (t) =>
    inTime(LEADS_S, async (_turn, leadS) => {
      const regular = await glassOf(shelfwire, labelFor("milk"));
      const end = secondsAhead(leadS);
      const { campaignId } = await send("POST", "", {
        name: "Spring",
        until: localTime(end),
        items: [{ itemId: "milk" }, { itemId: "bread", price: "4.44" }, { itemId: "unknown" }],
        prices: { percent: 20 },
        properties: { priceKind: "special" },
      });
      const seen = await observedBefore(end, () => observe(campaignId, regular, () => new Date() >= end));
      if (seen === undefined) {
        await untilRegular(campaignId, regular);
        return false;
      }
      const { preview, scheduled, bread, running, milk } = seen;
      t.deepEqual(
        preview.items.map(({ itemId, price, leftOut }) => [itemId, price, leftOut]),
        [
          ["unknown", null, "NO_ITEM"],
          ["milk", "4.00", null],
          ["bread", "4.44", null],
        ],
      );
      t.deepEqual(preview.labels.map(({ itemId }) => itemId).toSorted(), ["bread", "milk"]);
      t.true(preview.labels.every(({ before, after }) => before !== null && after !== null && before !== after));
      t.like(scheduled, { state: "LIVE", itemCount: 2, leftOut: 1 });
      t.is(bread, "4.44");
      t.deepEqual(pictures(running), pictures(preview), "a running campaign is drawn as in its preview");
      t.like(milk, { price: "6.00", offer: { price: "4.00" }, properties: { priceKind: "regular" } });
      // Everything that is scheduled is in the database.
      await shelfwire.system.redis.flushall();

      await untilOffer("milk", undefined);
      await untilOffer("bread", undefined);
      t.is((await send("GET", `/${campaignId}`)).state, "ENDED");
      t.is((await readItem(shelfwire, "milk")).price, "6.00");
      await untilRegular(campaignId, regular);
      return true;
    }),
);

test.serial(
  "of two campaigns the later one is shown, each names the other, and cancelling the later restores the earlier price",
  async (t) => {
    const order = (name: string, price: string) => ({
      ...{ name, until: ahead(3600) },
      items: [{ itemId: "salt", price }],
    });
    const month = await send("POST", "", order("Month", "4.50"));
    await send("POST", `/${month.campaignId}/schedule`);
    await untilOffer("salt", "4.50");
    const week = await send("POST", "", { ...order("Week", "4.20"), name: "Draft" });
    t.like(await send("PATCH", `/${week.campaignId}`, { name: "Week" }), { state: "DRAFT", name: "Week" });
    const found = await bodyOf<CampaignConflicts>(
      await shelfwire.call("GET", `/campaigns/${week.campaignId}/conflicts`),
    );
    t.deepEqual(
      found.conflicts.map(({ kind, name, price, wins }) => [kind, name, price, wins]),
      [["CAMPAIGN", "Month", "4.50", false]],
    );
    await send("POST", `/${week.campaignId}/schedule`);
    await untilOffer("salt", "4.20");
    t.like(await send("POST", `/${week.campaignId}/cancel`), { state: "CANCELLED" });
    await untilOffer("salt", "4.50");
    await send("POST", `/${month.campaignId}/cancel`);
    await untilOffer("salt", undefined);
    const left = await bodyOf<unknown[]>(await shelfwire.call("GET", "/items/salt/scheduled"));
    t.deepEqual(left, []);
    await refused(t, await shelfwire.call("PATCH", `/campaigns/${week.campaignId}`, { name: "Other" }), 409);
  },
);

test.serial("conflicts are looked up for a bounded number of items, a few campaigns at a time", async (t) => {
  const { system } = shelfwire;
  const order = { until: ahead(7200), items: [{ itemId: "bread", price: "4.30" }] };
  const all = await Promise.all([1, 2, 3, 4].map((index) => send("POST", "", { name: `Bound ${index}`, ...order })));
  for (const { campaignId } of all.slice(1)) await send("POST", `/${campaignId}/schedule`);
  const key = campaignKey(tenantOf(DEMO_STORE), all[0]?.campaignId ?? "");
  const [campaign] = (await system.records.read(campaigns, [key])).values();
  const [store] = (await system.records.read(stores, [DEMO_STORE])).values();
  const reads: number[] = [];
  const records: Records = {
    ...system.records,
    read(kind, keys) {
      if (Object.is(kind, campaignParts)) reads.push(keys.length);
      return system.records.read(kind, keys);
    },
  };
  const world = { ...system, records, findStore: async () => store, databaseNow: () => new Date() };
  const find = (compared: number) =>
    createFindConflicts(world, createCampaignStore(world), { conflicts: 1, compared, partsPerRead: 2 })(
      campaign ?? t.fail(),
      [store ?? t.fail()],
      false,
    );
  t.like(await find(10), { count: 3, isBounded: false, conflicts: { length: 1 } });
  t.true(Math.max(...reads) <= 2, "no more campaigns are in memory at the same time");
  t.like(await find(2), { count: 2, isBounded: true });
  for (const { campaignId } of all.slice(1)) await send("POST", `/${campaignId}/cancel`);
});

test.serial(
  "a campaign starts once, even if its worker was killed before it recorded the request and several workers repeat it",
  async (t) => {
    const { commit, records } = shelfwire.system;
    const { campaignId } = await send("POST", "", {
      ...{ name: "Once", until: ahead(3600) },
      items: [{ itemId: "bread", price: "4.10" }],
    });
    await send("POST", `/${campaignId}/schedule`);
    await untilOffer("bread", "4.10");
    const [key, part] = [campaignKey(tenantOf(DEMO_STORE), campaignId), campaignPartKey(DEMO_STORE, campaignId)];
    const noted = () =>
      eventually(
        "the request is recorded",
        async () => (await records.read(campaignParts, [part])).get(part)?.requestId,
      );
    const first = await noted();
    await eventually("no work is left", async () => (await send("GET", `/${campaignId}`)).isUnderWay === false);
    await commit.change(
      campaignParts,
      [part],
      (_, current) => {
        if (current === undefined) return undefined;
        const { requestId: _noted, ...unnoted } = current;
        return unnoted;
      },
      "interactive",
    );
    await commit.change(campaigns, [key], (_, current) => current && { ...current, due: new Date(0) }, "interactive");
    const run = createRunCampaigns(shelfwire.system);
    await Promise.all([run(), run(), run()]);
    t.is(await noted(), first);
    t.is((await bodyOf<unknown[]>(await shelfwire.call("GET", "/items/bread/scheduled"))).length, 1);
    await send("POST", `/${campaignId}/cancel`);
    await untilOffer("bread", undefined);
  },
);

test.serial("a campaign that hits a price guard is refused, or held without changing anything", async (t) => {
  const { campaignId } = await send("POST", "", {
    ...{ name: "Too cheap", until: ahead(3600) },
    items: [{ itemId: "milk", price: "0.50" }],
  });
  const problem = await refused(t, await shelfwire.call("POST", `/campaigns/${campaignId}/schedule`), 409);
  t.is(problem.type, "/problems/price-guard");
  await send("POST", `/${campaignId}/schedule`, { onGuard: "HOLD" });
  const held = await eventually("the request is held", async () => {
    const { stores } = await send("GET", `/${campaignId}`);
    return stores[0]?.held === "WAITING" && stores[0];
  });
  t.is(await offerOf("milk"), undefined);
  await send("POST", `/${campaignId}/cancel`);
  await eventually(
    "its request is refused",
    async () => (await send("GET", `/${campaignId}`)).stores[0]?.held === "REFUSED",
  );
  t.is((await shelfwire.call("GET", `/held-requests/${held.requestId}`)).status, 200);
  t.is(await offerOf("milk"), undefined);
});
