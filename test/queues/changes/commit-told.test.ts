import test from "ava";
import { createCommit } from "../../../queues/changes/commit.ts";
import { items } from "../../../records/kinds/items.ts";
import { labelStates } from "../../../records/kinds/labels.ts";
import type { OutboxEntry } from "../../../records/outbox/outbox.ts";
import { openRecords } from "../../../records/records.ts";
import { withCauses } from "../../../runtime/causes.ts";
import type { Cause } from "../../../schemas/cause.ts";
import type { Item } from "../../../schemas/item.ts";
import { itemKey, labelKey } from "../../../schemas/keys.ts";
import { type LabelState, newLabelState } from "../../../schemas/label-state.ts";
import type { Change, Topic } from "../../../schemas/topics.ts";
import { ownDatabase } from "../../harness/own.ts";

/** A commit's messages to the outbox, the queues and the tails, and the call to which it attributes its writes. */
const own = ownDatabase();
const STORE = "t/demo/s/main";
const item = (itemId: string, price: string): Item => ({
  ...{ itemId, price, sics: [], properties: [], stamps: {}, created: 1 },
});
const state = (more: Partial<LabelState> = {}): LabelState => ({ ...newLabelState(), ...more });

function open({ publishes, isTaken = true }: { publishes?: readonly Topic[]; isTaken?: boolean } = {}) {
  const told: string[] = [];
  const changes: Change[] = [];
  const records = openRecords(own.db);
  const commit = createCommit({
    records,
    outbox: {
      add: async (...entries: readonly OutboxEntry[]) =>
        void told.push(...entries.map(({ kind, changes: listed }) => `add ${kind} ${listed.length}`)),
      remove: async (...ids) => void told.push(...ids.map(() => "remove")),
      keep: async () => {},
      async *scan() {},
    },
    publisher: {
      async publish(topic, published) {
        told.push(`publish ${topic} ${published.length}`);
        changes.push(...published);
        return isTaken;
      },
      streamLabels: (keys) => void told.push(...keys.map((key) => `label ${key.slice(STORE.length)}`)),
    },
    now: () => new Date(),
    ...(publishes && { publishes }),
  });
  const read = async (key: string) => (await records.read(items, [key])).get(key);
  const setPrice = (itemId: string, price: string) =>
    commit.change(items, [itemKey(STORE, itemId)], () => item(itemId, price), "bulk");
  const setState = (barcode: string, more: Partial<LabelState>) =>
    commit.change(labelStates, [labelKey(STORE, barcode)], () => state(more), "bulk");
  return { commit, records, told, changes, read, setPrice, setState };
}

test("a change is added to the outbox, written and published, and then leaves the outbox; a change that no queue accepted stays in it", async (t) => {
  const { told, setPrice } = open();
  await setPrice("milk", "1.10");
  t.deepEqual(told, ["add storeitemvalues.v1 1", "publish storeitemvalues.v1 1", "remove"]);
  const away = open({ isTaken: false });
  await away.setPrice("bread", "1.10");
  t.deepEqual(away.told, ["add storeitemvalues.v1 1", "publish storeitemvalues.v1 1"]);
});

test("a lost write publishes nothing, and its entry leaves the outbox", async (t) => {
  const { commit, told, read, setPrice } = open();
  const key = itemKey(STORE, "lost");
  await setPrice("lost", "1.10");
  const current = await read(key);
  await setPrice("lost", "2.20");
  told.length = 0;
  const { lost } = await commit.write(items, [{ key, current, body: item("lost", "3.30") }], "bulk");
  t.deepEqual(lost, [key]);
  t.deepEqual(told, ["add storeitemvalues.v1 1", "remove"]);
});

test("a change to a record whose kind has no topic is sent only to tails", async (t) => {
  const { told, setState } = open();
  await setState("quiet", {});
  t.deepEqual(told, ["label /labels/quiet"], "a new label");
  told.length = 0;
  await setState("quiet", { battery: "LOW", lastSeen: new Date(0) } as Partial<LabelState>);
  t.deepEqual(told, ["label /labels/quiet"]);
  told.length = 0;
  await setState("quiet", { battery: "LOW", lastSeen: new Date(1) } as Partial<LabelState>);
  t.deepEqual(told, [], "a field that no tail shows");
});

test("a process changes no records of topics that it does not publish", async (t) => {
  const { setPrice, setState, read, told } = open({ publishes: ["link.v2"] });
  await t.throwsAsync(setPrice("foreign", "1.10"), {
    message: "this process may not change storeitemvalues.v1: queues/topology.ts does not name it",
  });
  t.is(await read(itemKey(STORE, "foreign")), undefined);
  await setState("foreign", {});
  t.deepEqual(told, ["label /labels/foreign"], "any process may change records without a topic");
  const named = open({ publishes: ["link.v2", "storeitemvalues.v1"] });
  await named.setPrice("foreign", "1.10");
  t.truthy(await read(itemKey(STORE, "foreign")));
});

const causes: Cause[] = [{ request: 7, call: "a call" }];

test("a record and its change name the call that caused them; a record without a topic names no call", async (t) => {
  const { setPrice, setState, read, changes, records } = open();
  await withCauses(causes, () => setPrice("caused", "1.10"));
  t.deepEqual((await read(itemKey(STORE, "caused")))?.cause, causes[0]);
  t.deepEqual(changes[0]?.cause, causes[0]);
  await withCauses(causes, () => setState("caused", {}));
  const key = labelKey(STORE, "caused");
  t.is((await records.read(labelStates, [key])).get(key)?.cause, undefined);
  await setPrice("alone", "1.10");
  t.is((await read(itemKey(STORE, "alone")))?.cause, undefined);
  t.false("cause" in (changes[1] ?? {}));
});

test("a derived record names the cause of its newest input, not the current call", async (t) => {
  const { commit, read } = open();
  const key = itemKey(STORE, "derived");
  const inputs = ["link.v2 t/demo/s/main/links/A-0#1"];
  const derived = { key, current: undefined, body: item("derived", "1.10"), inputs, cause: { call: "of the input" } };
  await withCauses(causes, () => commit.write(items, [derived], "bulk"));
  t.deepEqual((await read(key))?.cause, { call: "of the input" });
});

test("a call that changes nothing is not named anywhere", async (t) => {
  const { setPrice, read, told } = open();
  await withCauses(causes, () => setPrice("same", "1.10"));
  told.length = 0;
  await withCauses([{ request: 8, call: "another call" }], () => setPrice("same", "1.10"));
  await setPrice("same", "1.10");
  t.deepEqual(told, []);
  t.deepEqual((await read(itemKey(STORE, "same")))?.cause, causes[0]);
});
