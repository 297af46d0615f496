import test from "ava";
import type { Permit } from "../../../api/access/verify-token.ts";
import { createCampaignStore } from "../../../api/campaigns/campaign-store.ts";
import { createScheduleCampaign } from "../../../api/campaigns/schedule-campaign.ts";
import { createRunCampaigns } from "../../../queues/campaigns/run-campaigns.ts";
import type { Commit } from "../../../queues/changes/commit.ts";
import { campaignParts, campaigns } from "../../../records/kinds/campaigns.ts";
import { items } from "../../../records/kinds/items.ts";
import { journalCollection } from "../../../records/requests/journal.ts";
import type { Campaign } from "../../../schemas/campaign.ts";
import { campaignKey, campaignPartKey, itemKey } from "../../../schemas/keys.ts";
import type { Stored } from "../../../schemas/record.ts";
import type { StoreRecord } from "../../../schemas/store.ts";
import { ownSystem } from "../../harness/own.ts";

/** A store without workers, for calls that schedule the same draft and for calls that are killed. */
const own = ownSystem();
const [TENANT, STORE] = ["t/demo", "t/demo/s/main"];
const permit: Permit = { caller: "ana", subject: "ana", tenant: "demo", stores: "*", scopes: new Set() };
const settings = { _id: STORE, timeZone: "Europe/Zagreb" } as Stored<StoreRecord>;

test.serial.before(async () => {
  const milk = { itemId: "milk", price: "5.00", sics: [], properties: [], stamps: {}, created: 1 };
  await own.system.commit.change(items, [itemKey(STORE, "milk")], () => milk, "bulk");
});

async function draft(id: string, price: string): Promise<Stored<Campaign>> {
  const body: Campaign = {
    ...{ name: id, storeIds: ["main"], until: "2099-01-01 00:00:00", items: [{ itemId: "milk", price }] },
    ...{ state: "DRAFT", createdAt: new Date(), createdBy: { kind: "user", id: "ana", channel: "pages" } },
  };
  return change(id, () => body);
}
async function change(id: string, decide: (current: Campaign) => Campaign): Promise<Stored<Campaign>> {
  const key = campaignKey(TENANT, id);
  const write = (_: string, current: Stored<Campaign> | undefined) => decide(current as Stored<Campaign>);
  const changed = await own.system.commit.change(campaigns, [key], write, "interactive");
  return changed.get(key) as Stored<Campaign>;
}
/** Schedules a draft in a process that calls `beforeParts` before it writes the campaign's parts. */
function schedule(campaign: Stored<Campaign>, beforeParts = async () => {}): Promise<Stored<Campaign>> {
  const { system } = own;
  const commit: Commit = {
    ...system.commit,
    async change(kind, ...rest) {
      if (Object.is(kind, campaignParts)) await beforeParts();
      return system.commit.change(kind, ...rest);
    },
  };
  const notTried = () => Promise.reject(new Error("the store has no guards"));
  const world = { ...system, commit, findStore: async () => settings, tryRows: notTried };
  return createScheduleCampaign(world, createCampaignStore(world))(campaign, permit, undefined);
}
const partOf = async (id: string) => {
  const key = campaignPartKey(STORE, id);
  return (await own.system.records.read(campaignParts, [key])).get(key);
};
const requests = async () =>
  (await journalCollection(own.system.db).find({ store: STORE }).toArray()).map(({ rows }) => String(rows));

test.serial("the parts of a slow call never replace those of the call that scheduled the campaign", async (t) => {
  const read = await draft("slow", "1.00");
  const slow = schedule(read, async () => {
    const corrected = await change("slow", (current) => ({ ...current, items: [{ itemId: "milk", price: "4.00" }] }));
    t.is((await schedule(corrected)).state, "SCHEDULED");
  });
  await t.throwsAsync(slow, { message: /^Somebody else has changed/ });
  t.deepEqual((await partOf("slow"))?.items, [{ itemId: "milk", price: "4.00" }]);
  await createRunCampaigns(own.system)();
  const sent = await requests();
  t.true(sent.length > 0 && sent.every((rows) => !rows.includes("1.00")), "the request has the corrected price");
  t.true(sent.some((rows) => rows.includes("4.00")));
});

test.serial("a part that an earlier release wrote for a draft is replaced", async (t) => {
  const read = await draft("earlier", "3.00");
  const part = { items: [{ itemId: "milk", price: "1.00" }], leftOut: 0 };
  await own.system.commit.change(campaignParts, [campaignPartKey(STORE, "earlier")], () => part, "interactive");
  await schedule(read);
  t.deepEqual((await partOf("earlier"))?.items, [{ itemId: "milk", price: "3.00" }]);
  await createRunCampaigns(own.system)();
});

test.serial("a draft that is cancelled after a call to schedule it was killed sends nothing", async (t) => {
  await t.throwsAsync(
    schedule(await draft("killed", "2.00"), async () => {
      throw new Error("killed");
    }),
    { message: "killed" },
  );
  // The parts may have been written before the process ended.
  const part = { items: [{ itemId: "milk", price: "2.00" }], leftOut: 0 };
  await own.system.commit.change(campaignParts, [campaignPartKey(STORE, "killed")], () => part, "interactive");
  await change("killed", (current) => ({ ...current, state: "CANCELLED", due: new Date(0) }));
  const before = await requests();
  await createRunCampaigns(own.system)();
  t.is((await partOf("killed"))?.requestId, undefined);
  t.deepEqual(await requests(), before);
});

test.serial("a campaign that an earlier release scheduled begins and is cancelled", async (t) => {
  const part = { items: [{ itemId: "milk", price: "4.10" }], leftOut: 0 };
  await own.system.commit.change(campaignParts, [campaignPartKey(STORE, "before")], () => part, "interactive");
  const [begins, ends] = [new Date(), new Date("2099-01-01")];
  await draft("before", "4.10");
  await change("before", (current) => ({ ...current, state: "SCHEDULED", begins, ends, due: new Date(0) }));
  await createRunCampaigns(own.system)();
  const begun = (await partOf("before"))?.requestId ?? 0;
  t.true(begun > 0);
  await change("before", (current) => ({ ...current, state: "CANCELLED", due: new Date(0) }));
  await createRunCampaigns(own.system)();
  t.true(((await partOf("before"))?.cancelledBy ?? 0) > begun);
});
