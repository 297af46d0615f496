import test from "ava";
import { switchStates } from "../../../records/kinds/switches.ts";
import { labelTypes } from "../../../records/kinds/tenants.ts";
import { labelKey, labelTypeKey, switchKey, tenantKey } from "../../../schemas/keys.ts";
import type { SwitchAnswer } from "../../../schemas/switch.ts";
import { TENANT_ID } from "../../../scripts/demo/catalogue.ts";
import { eventually } from "../../harness/eventually.ts";
import { DEMO_STORE, glassOf, itemOutcomes, labelFor, labelOutcomes } from "../../harness/glass.ts";
import { ownStack } from "../../harness/own.ts";
import { localTime, observedBefore, secondsAhead } from "../../harness/scheduled-times.ts";
import { bodyOf, moveToUtc, readItem } from "../calls.ts";

/** Labels that keep pictures, and a till that prepares the prices of their items. */
const shelfwire = ownStack();
const decided = ["committed", "called off", "forgotten"] as const;
/** Seconds before the switch in each attempt: a busy machine needs more time to prepare a price. */
const LEADS_S = [24, 60, 120, 300];

test.serial.before(async () => {
  await moveToUtc(shelfwire);
  const key = labelTypeKey(tenantKey(TENANT_ID), "1328");
  await shelfwire.system.commit.change(labelTypes, [key], (_, type) => type && { ...type, images: 2 }, "bulk");
});

async function hang(itemIds: readonly string[]): Promise<void> {
  const { client } = shelfwire;
  const rows = itemIds.map((itemId) => ({ itemId, itemName: `The ${itemId}`, price: "1.99" }));
  await itemOutcomes(shelfwire, await client.patchItems(rows));
  const labels = itemIds.map((itemId) => ({ barcode: labelFor(itemId), links: [{ itemId }] }));
  await labelOutcomes(shelfwire, await client.patchLabels(labels));
  for (const itemId of itemIds) await glassOf(shelfwire, labelFor(itemId));
}

/** Prepares an item's price for a time; returns the switch's id. */
async function prepare(itemId: string, showAt: Date, deadline: Date): Promise<string> {
  const order = { validFrom: localTime(showAt), deadline: localTime(deadline), awaitsCommit: true, readyPercent: 100 };
  const made = await bodyOf<SwitchAnswer>(await shelfwire.call("POST", "/switches", order));
  await itemOutcomes(
    shelfwire,
    await shelfwire.client.patchItems([{ itemId, price: "2.49", validFrom: localTime(showAt) }]),
  );
  return made.switchId;
}

const announced = async (id: string) => {
  const key = switchKey(DEMO_STORE, id);
  return (await shelfwire.system.records.read(switchStates, [key])).get(key);
};

/** Returns the time at which an item's label showed each price, according to the label's acknowledgements. */
async function shownBy(itemId: string): Promise<Map<string | undefined, Date>> {
  const label = labelKey(DEMO_STORE, labelFor(itemId));
  const entries = shelfwire.system.db.collection<{ label: string; at: Date; items: { price?: string }[] }>("glass");
  const found = await entries.find({ label }).sort({ at: 1 }).toArray();
  return new Map(found.map(({ items, at }) => [items[0]?.price, at]));
}

test.serial(
  "a committed price takes effect on item and label, not before its time; an uncommitted price takes effect nowhere",
  async (t) => {
    for (const [turn, leadS] of LEADS_S.entries()) {
      const items = decided.map((what) => `${what} ${turn}`);
      const [yes = "", no = "", never = ""] = items;
      await hang(items);
      const showAt = secondsAhead(leadS);
      const deadline = new Date(showAt.getTime() - (leadS * 1000) / 3);
      const later = (seconds: number, time: Date) => new Date(time.getTime() + seconds * 1000);
      const prepared = await observedBefore(deadline, async () => {
        const id = await prepare(yes, showAt, deadline);
        const calledOff = await prepare(no, later(1, showAt), later(1, deadline));
        const forgotten = await prepare(never, later(2, showAt), later(2, deadline));
        const { commit } = await bodyOf<SwitchAnswer>(await shelfwire.call("GET", `/switches/${id}`));
        return { id, calledOff, forgotten, commit };
      });
      if (prepared === undefined) continue;
      const { id, calledOff, forgotten } = prepared;
      t.is(prepared.commit, "AWAITED");
      await eventually("enough labels are ready, or the deadline has passed", async () => {
        const { isReady = false, state } = (await announced(id)) ?? {};
        return isReady || state === "CALLED_OFF";
      });
      const commit = await shelfwire.call("POST", `/switches/${id}/commit`);
      if (commit.status === 409) continue;
      t.is((await bodyOf<SwitchAnswer>(commit)).commit, "COMMITTED");
      t.is((await shelfwire.call("DELETE", `/switches/${id}`)).status, 409);
      const { status } = await shelfwire.call("DELETE", `/switches/${calledOff}`);
      if (status === 409) continue;
      t.is(status, 204);
      t.is((await shelfwire.call("POST", `/switches/${calledOff}/commit`)).status, 409);

      await eventually("the committed price is on the glass", async () => (await shownBy(yes)).has("2.49"));
      // Due updates are read every second.
      await eventually("the item has the price", async () => (await readItem(shelfwire, yes)).price === "2.49");
      t.true(((await shownBy(yes)).get("2.49") ?? new Date(0)) >= showAt);
      for (const [itemId, switchId] of [
        [no, calledOff],
        [never, forgotten],
      ] as const) {
        await eventually(`the change of ${itemId} is dropped`, async () => {
          const updates = await bodyOf<{ status: string; notices?: { code: string }[] }[]>(
            await shelfwire.call("GET", `/items/${encodeURIComponent(itemId)}/scheduled`),
          );
          return updates[0]?.status === "ERROR" && updates[0].notices?.[0]?.code === "SWITCH_NOT_COMMITTED";
        });
        t.is((await shelfwire.call("POST", `/switches/${switchId}/commit`)).status, 409);
        t.is((await readItem(shelfwire, itemId)).price, "1.99");
        t.deepEqual([...(await shownBy(itemId)).keys()], ["1.99"]);
        await eventually("the switch is announced", async () => (await announced(switchId))?.state === "CALLED_OFF");
      }
      return;
    }
    t.fail("the switches were not decided in time, even with the longest lead");
  },
);
