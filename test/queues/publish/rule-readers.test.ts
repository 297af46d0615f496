import test from "ava";
import { createFindUnread } from "../../../queues/publish/rule-readers.ts";
import { communicationPacks } from "../../../records/kinds/designs.ts";
import { tenants } from "../../../records/kinds/tenants.ts";
import { itemKey } from "../../../schemas/keys.ts";
import type { Change } from "../../../schemas/topics.ts";
import { ownSystem } from "../../harness/own.ts";

const own = ownSystem();

const changeOf = (tenant: string, itemKeys?: string[], more: Partial<Change> = {}): Change => ({
  ...{
    key: itemKey(`t/${tenant}/s/main`, "milk"),
    rev: 7,
    formerRev: 5,
    operation: "UPDATED",
    changed: [],
    urgency: "bulk",
  },
  ...(itemKeys && { itemKeys }),
  ...more,
});

async function setPack(tenant: string, packId: string, itemKeys?: string[]) {
  const key = `t/${tenant}/communication-packs/${packId}`;
  const pack = { name: packId, scenarios: [], ...(itemKeys && { itemKeys }) };
  await own.system.commit.change(communicationPacks, [key], () => pack, "bulk");
  await own.system.commit.change(
    tenants,
    [`t/${tenant}`],
    (_, current) => ({ name: tenant, ...current, communicationPack: key }),
    "bulk",
  );
}

test("a change to an item is unread if no rule of the tenant's active pack reads it", async (t) => {
  const findUnread = createFindUnread(own.system.records);
  await setPack("reads", "first", ["has(price)", "priceKind"]);
  await setPack("silent", "old");
  const price = changeOf("reads", ["price"]);
  const changes = [
    price,
    changeOf("reads", ["price", "has(price)"]),
    changeOf("reads", ["priceKind"]),
    changeOf("reads"),
    changeOf("reads", ["price"], { operation: "DELETED" }),
    changeOf("silent", ["price"]),
    changeOf("nobody", ["price"]),
  ];
  t.deepEqual([...(await findUnread(changes))], [price]);
});

test("a different pack counts from its activation, and a saved pack from its save", async (t) => {
  const findUnread = createFindUnread(own.system.records);
  const price = changeOf("switches", ["price"]);
  const isUnread = async () => (await findUnread([price])).has(price);
  await setPack("switches", "one", ["priceKind"]);
  t.true(await isUnread());
  await setPack("switches", "two", ["price"]);
  t.false(await isUnread());
  await setPack("switches", "two", ["brand"]);
  t.true(await isUnread());
});
