import test, { type ExecutionContext } from "ava";
import { processNames } from "../../queues/topology.ts";
import { labelTypes } from "../../records/kinds/tenants.ts";
import { EVERY_KEY, labelKey, labelTypeKey, tenantKey } from "../../schemas/keys.ts";
import { type SwitchAnswer, switchIdOf } from "../../schemas/switch.ts";
import { TENANT_ID } from "../../scripts/demo/catalogue.ts";
import { createMakeSwitches } from "../../workers/renderer/make-switches.ts";
import { bodyOf, moveToUtc, numberOf } from "../api/calls.ts";
import { eventually } from "../harness/eventually.ts";
import { DEMO_STORE, itemOutcomes, labelFor, labelOutcomes, transmissions } from "../harness/glass.ts";
import { ownStack } from "../harness/own.ts";
import { inTime, localTime, observedBefore, secondsAhead } from "../harness/scheduled-times.ts";

const shelfwire = ownStack({ workers: processNames.filter((name) => name !== "transmitter") });
let transmitter: { close(): Promise<void> };

const TYPE = "1328";

test.serial.before(async () => {
  // Set before the store's first call, which reads its settings.
  await moveToUtc(shelfwire);
  transmitter = await shelfwire.openWorker("transmitter");
  const key = labelTypeKey(tenantKey(TENANT_ID), TYPE);
  await shelfwire.system.commit.change(labelTypes, [key], (_, type) => type && { ...type, images: 2 }, "bulk");
});

/** Hangs labels with these names, each with its own item at 1.99, and waits until they show it. */
async function hang(names: readonly string[]): Promise<void> {
  const { client } = shelfwire;
  await itemOutcomes(
    shelfwire,
    await client.patchItems(names.map((itemId) => ({ itemId, itemName: `The ${itemId}`, price: "1.99" }))),
  );
  const rows = names.map((itemId) => ({ barcode: labelFor(itemId), links: [{ itemId }] }));
  await labelOutcomes(shelfwire, await client.patchLabels(rows));
  for (const name of names)
    await eventually(`${name} is shown`, async () => transmissions(shelfwire, labelFor(name)) > 0);
  await eventually(
    "all labels are OK",
    async () => (await client.listLabels("filter[plState]=PENDING,NEW")).length === 0,
  );
}

const schedule = async (names: readonly string[], showAt: Date, price = "2.49"): Promise<number> => {
  const rows = names.map((itemId) => ({ itemId, price, validFrom: localTime(showAt) }));
  const request = await shelfwire.client.patchItems(rows);
  await itemOutcomes(shelfwire, request);
  return request;
};

/** Returns the id of the switch, or undefined if it is too late to prepare one. */
const prepare = (showAt: Date, deadline: Date, atDeadline: string): Promise<string | undefined> =>
  observedBefore(showAt, async () => {
    const order = { validFrom: localTime(showAt), deadline: localTime(deadline), atDeadline };
    const answer = await shelfwire.call("POST", "/switches", order);
    // With the longest lead, the renderer may have made a switch whose deadline has passed.
    return answer.status === 409 ? undefined : (await bodyOf<SwitchAnswer>(answer)).switchId;
  });

const read = async (id: string) => (await (await shelfwire.call("GET", `/switches/${id}`)).json()) as SwitchAnswer;
const labelsOf = async (id: string, query: string) => {
  const found = await (await shelfwire.call("GET", `/switches/${id}/labels?${query}`)).json();
  return (found as { barcode: string }[]).map(({ barcode }) => barcode).sort();
};

/** Returns the prices that a label has shown, each with its time, according to the label's acknowledgements. */
async function shownBy(name: string): Promise<{ price: string | undefined; at: Date }[]> {
  const label = labelKey(DEMO_STORE, labelFor(name));
  const entries = shelfwire.system.db.collection<{ label: string; at: Date; items: { price?: string }[] }>("glass");
  const found = await entries.find({ label }).sort({ at: 1 }).toArray();
  return found.map(({ items, at }) => ({ price: items[0]?.price, at }));
}

const pricesOf = async (name: string) => (await shownBy(name)).map(({ price }) => price);

/** Fails if what a label showed second, which is its scheduled price, was shown too early. */
async function assertNotEarly(t: ExecutionContext, name: string, showAt: Date): Promise<void> {
  const [, second] = await shownBy(name);
  t.true(second && second.at >= showAt, `${name} was shown at ${second?.at.toISOString()}, with ${second?.price}`);
}

const names = (count: number, of: string) => Array.from({ length: count }, (_, index) => `${of} ${index}`);

/** Seconds before the switch in each attempt: a busy machine needs more time to prepare it. */
const LEADS_S = [30, 75, 150, 300];
/** Leaves a third of the lead for the label server to accept the orders for all labels. */
const deadlineFor = (showAt: Date, leadS: number) => new Date(showAt.getTime() - (leadS * 1000) / 3);

/** Repeats the run, allowing more time before the switch on each attempt, until `run` returns true. */
const switchInTime = (run: (turn: number, leadS: number) => Promise<boolean>): Promise<void> =>
  inTime(LEADS_S, async (turn, leadS) => {
    const isDone = await run(turn, leadS);
    shelfwire.labelServer.labels.set("*", { offline: false });
    return isDone;
  });

test.serial("labels show their scheduled changes together, none early, and labels that are asleep are named", (t) =>
  switchInTime(async (turn, leadS) => {
    const plain = names(100, `together ${turn}`);
    const asleep = names(2, `asleep ${turn}`);
    const [changed, cancelled, corrected] = [`changed ${turn}`, `cancelled ${turn}`, `corrected ${turn}`];
    const all = [...plain, ...asleep, changed, cancelled, corrected];
    await hang(all);
    const showAt = secondsAhead(leadS);
    const deadline = deadlineFor(showAt, leadS);
    // Before anything is scheduled: with a long lead, the renderer itself makes a switch, and its pictures are sent.
    for (const name of asleep) shelfwire.labelServer.labels.set(labelFor(name), { offline: true });
    await schedule(
      all.filter((name) => name !== cancelled),
      showAt,
    );
    const toCancel = await schedule([cancelled], showAt);
    const id = await prepare(showAt, deadline, "GO_AHEAD");
    if (id === undefined) return false;
    await eventually("all labels except those asleep keep their pictures, or the deadline has passed", async () => {
      const { ready, asleep: sleeping } = (await read(id)).labels;
      return (ready === all.length - 2 && sleeping === 2) || Date.now() >= deadline.getTime();
    });
    const named = await labelsOf(id, "readiness=ASLEEP");
    // Changes before the switch make some of the prepared pictures stale.
    await itemOutcomes(shelfwire, await shelfwire.client.patchItems([{ itemId: changed, itemName: "Another name" }]));
    await schedule([corrected], showAt, "3.33");
    // Waits until the cancellation is applied, not only accepted: after the deadline, it would no longer affect the switch.
    const cancelling = await shelfwire.call("DELETE", `/items/${encodeURIComponent(cancelled)}/scheduled/${toCancel}`);
    await itemOutcomes(shelfwire, await numberOf(cancelling));
    const early = plain.filter((name) => transmissions(shelfwire, labelFor(name)) > 1);
    if (Date.now() >= deadline.getTime()) return false;
    t.deepEqual(early, []);
    t.deepEqual(named, asleep.map((name) => labelFor(name)).sort());
    await eventually("the switch is decided", async () => (await read(id)).state !== "PREPARING");
    if ((await read(id)).state !== "ORDERED") return false;

    // The switch is also called off if the label server did not accept an order in time.
    await eventually("all labels except those asleep have switched, or the switch is called off", async () => {
      const { state, labels } = await read(id);
      return state === "CALLED_OFF" || labels.shown >= plain.length;
    });
    if ((await read(id)).state === "CALLED_OFF") return false;
    for (const name of asleep) shelfwire.labelServer.labels.set(labelFor(name), { offline: false });
    for (const name of [...plain, ...asleep, changed])
      await eventually(`${name} shows its price`, async () => (await pricesOf(name)).at(-1) === "2.49");
    for (const name of plain) {
      t.deepEqual([...new Set(await pricesOf(name))], ["1.99", "2.49"]);
      await assertNotEarly(t, name, showAt);
    }
    t.deepEqual(new Set(await pricesOf(cancelled)), new Set(["1.99"]));
    await eventually("the corrected price is shown", async () => (await pricesOf(corrected)).at(-1) === "3.33");
    return true;
  }),
);

test.serial("a switch whose labels are not ready at the deadline is called off, and the changes are still shown", (t) =>
  switchInTime(async (turn, leadS) => {
    const all = names(5, `called off ${turn}`);
    await hang(all);
    const showAt = secondsAhead(leadS);
    const [sleeper = ""] = all;
    // Before anything is scheduled, as above.
    shelfwire.labelServer.labels.set(labelFor(sleeper), { offline: true });
    await schedule(all, showAt);
    const id = await prepare(showAt, new Date(showAt.getTime() - 20_000), "CALL_OFF");
    if (id === undefined) return false;
    const { state, reason } = await eventually("the switch is decided", async () => {
      const found = await read(id);
      return found.state !== "PREPARING" && found;
    });
    if (reason === "NOT_PREPARED" || reason === "TOO_LATE") return false;
    t.deepEqual([state, reason], ["CALLED_OFF", "NOT_READY"]);
    t.true((await labelsOf(id, "readiness=ASLEEP&readiness=WAITING")).includes(labelFor(sleeper)));
    shelfwire.labelServer.labels.set(labelFor(sleeper), { offline: false });
    for (const name of all) {
      await eventually(`${name} shows its price`, async () => (await pricesOf(name)).at(-1) === "2.49");
      t.deepEqual([...new Set(await pricesOf(name))], ["1.99", "2.49"]);
    }
    return true;
  }),
);

test.serial("changes scheduled for the same time are shown together, even without a call for a switch", (t) =>
  switchInTime(async (turn, leadS) => {
    const all = names(20, `automatic ${turn}`);
    await hang(all);
    const showAt = secondsAhead(leadS);
    await schedule(all, showAt);
    // Does what the renderer would do two minutes before the switch, so that the test need not wait that long.
    const { system } = shelfwire;
    const partitions = { own: async () => [EVERY_KEY] };
    await createMakeSwitches({ ...system, partitions, now: () => new Date(showAt.getTime() - 120_000) })();
    const id = switchIdOf(showAt);
    const made = await observedBefore(showAt, () => read(id));
    if (made === undefined) return false;
    t.like(made, { isAutomatic: true, atDeadline: "GO_AHEAD" });
    await eventually("the switch is decided", async () => (await read(id)).state !== "PREPARING");
    if ((await read(id)).state !== "ORDERED") return false;
    for (const name of all) {
      await eventually(`${name} shows its price`, async () => (await pricesOf(name)).at(-1) === "2.49");
      t.deepEqual([...new Set(await pricesOf(name))], ["1.99", "2.49"]);
      await assertNotEarly(t, name, showAt);
    }
    return (await read(id)).labels.shown > 0;
  }),
);

test.serial("no picture is lost if a transmitter ends while labels receive their pictures", (t) =>
  switchInTime(async (turn, leadS) => {
    const all = names(60, `resumed ${turn}`);
    await hang(all);
    const showAt = secondsAhead(leadS);
    const deadline = deadlineFor(showAt, leadS);
    await schedule(all, showAt);
    const id = await prepare(showAt, deadline, "CALL_OFF");
    if (id === undefined) return false;
    await eventually("some labels are prepared, or the switch is decided", async () => {
      const { state, labels } = await read(id);
      return labels.prepared > 0 || state !== "PREPARING";
    });
    await transmitter.close();
    transmitter = await shelfwire.openWorker("transmitter");
    await eventually("the switch is decided", async () => (await read(id)).state !== "PREPARING");
    if ((await read(id)).state !== "ORDERED") return false;
    for (const name of all) {
      await eventually(`${name} is on record`, async () => (await pricesOf(name)).at(-1) === "2.49");
      await assertNotEarly(t, name, showAt);
    }
    return true;
  }),
);
