import test from "ava";
import { createChangeEvents } from "../../../queues/publish/change-events.ts";
import type { Change, Topic } from "../../../schemas/topics.ts";
import { unchecked } from "../../harness/part-of.ts";

const STORE = "t/demo/s/main";
const LINK = `${STORE}/links/A-0`;
const change = (key: string, more: Partial<Change> = {}): Change => ({
  ...{ key, rev: 7, operation: "UPDATED", changed: ["price"], urgency: "bulk", at: 1_000 },
  ...more,
});
const link = { origin: "studio", itemId: "milk", eslId: "A", status: "ACTIVE", designId: "own" };
const chosen = { design_id: "chosen" };
const ofStore = { status: "ACTIVE", designId: "of the store" };

/** Events of the given links, studio links and store-level links, by kind and key. */
function events(stored: Record<string, Record<string, object | undefined>> = {}) {
  const read = async ({ name }: { name: string }, keys: readonly string[]) =>
    new Map(keys.flatMap((key) => (stored[name]?.[key] ? [[key, stored[name][key]] as const] : [])));
  const readFields = async (kind: { name: string }, keys: readonly string[], fields: readonly string[]) =>
    new Map(
      [...(await read(kind, keys))].map(([key, record]) => [
        key,
        Object.fromEntries(Object.entries(record).filter(([field]) => fields.includes(field))),
      ]),
    );
  const records = { read, readFields };
  return createChangeEvents(unchecked(records), () => new Date(5_000));
}

test("an event names the record, its rev and the changed fields, except fields that serve only to order writes", async (t) => {
  const changed = [
    "stamps",
    "price",
    "created",
    "itemName",
    "floor",
    "inputs",
    "stamp",
    "offers",
    "charged",
    "versions",
  ];
  const [event, second] = await events()("storeitemvalues.v1", "storeitemvalues.v1", [
    change(`${STORE}/items/milk`, { changed }),
    change(`${STORE}/items/bread`, { at: undefined }),
  ]);
  t.deepEqual(event, {
    specversion: "1.0",
    id: `${STORE}/items/milk#7`,
    source: `/${STORE}`,
    type: "storeitemvalues.v1",
    subject: `${STORE}/items/milk`,
    time: new Date(1_000).toISOString(),
    datacontenttype: "application/json",
    data: { key: `${STORE}/items/milk`, rev: 7, operation: "UPDATED", changed: ["itemName", "offer", "price"] },
  });
  t.is(second?.time, new Date(5_000).toISOString());
});

const old = "dtoflow-changes-link.v1" as const;
const shape = { id: "A-0", itemId: "milk", eslId: "A", tenantId: "demo", storeId: "main", status: "ACTIVE" };

test("the old format shows the link with its current design: forced, chosen by the rules, or its own", async (t) => {
  const designOf = async (more: object, isChosen = true) => {
    const stored = { "link.v2": { [LINK]: { ...link, ...more } }, "studiolink.v1": isChosen ? { [LINK]: chosen } : {} };
    const [event] = await events(stored)(old, "link.v2", [change(LINK)]);
    return event?.data;
  };
  t.deepEqual(await designOf({}), { ...shape, operation: "UPDATED", designId: "chosen" });
  t.like(await designOf({}, false), { designId: null });
  t.like(await designOf({ origin: "designer" }), { designId: "own" });
  t.like(await designOf({ forced_design_id: "forced" }), { designId: "forced" });
  t.deepEqual(await events()(old, "link.v2", [change(LINK)]), []);
});

test("the legacy format reports a design chosen by the rules as a change to the link once the link shows it", async (t) => {
  const told = async (changed: Partial<Change>, more: object = {}) => {
    const stored = { "link.v2": { [LINK]: { ...link, ...more } }, "studiolink.v1": { [LINK]: chosen } };
    return events(stored)(old, "studiolink.v1" as Topic, [change(LINK, changed)]);
  };
  const [event] = await told({ operation: "CREATED" });
  t.is(event?.id, `${LINK}#7#design`);
  t.like(event?.data, { operation: "UPDATED", designId: "chosen" });
  t.is((await told({ changed: ["design_id"] })).length, 1);
  t.deepEqual(await told({ changed: ["conditions"] }), []);
  for (const hidden of [{ origin: "designer" }, { status: "DELETED" }, { forced_design_id: "forced" }])
    t.deepEqual(await told({ operation: "CREATED" }, hidden), []);
});

test("the old topic of designer links carries only designer links", async (t) => {
  const told = (origin: string) =>
    events({ "link.v2": { [LINK]: { ...link, origin } } })("dtoflow-changes-designerlink.v1", "designerlink.v1", [
      change(LINK),
    ]);
  t.is((await told("designer")).length, 1);
  t.is((await told("designer"))[0]?.id, `${LINK}#7`);
  t.deepEqual(await told("studio"), []);
  const gone = await events()("dtoflow-changes-designerlink.v1", "designerlink.v1", [change(LINK)]);
  t.deepEqual(gone, [], "a link that is no longer stored");
  t.deepEqual(await events()(old, "studiolink.v1" as Topic, [change(LINK, { operation: "CREATED" })]), []);
});

test("a link that becomes a designer link is reported as created, and as deleted when it ceases to be one", async (t) => {
  const operationOf = async (changed: Partial<Change>, more: object) => {
    const stored = { "link.v2": { [LINK]: { ...link, ...more } } };
    const told = await events(stored)("dtoflow-changes-designerlink.v1", "designerlink.v1", [change(LINK, changed)]);
    return (told[0]?.data as { operation: string } | undefined)?.operation;
  };
  const designer = { origin: "designer" };
  t.is(await operationOf({ operation: "CREATED" }, designer), "CREATED");
  t.is(await operationOf({ changed: ["isDesigners", "derivedFrom"] }, designer), "CREATED", "it was a studio link");
  t.is(await operationOf({ changed: ["design_id"] }, designer), "UPDATED");
  t.is(await operationOf({ changed: ["isDesigners"] }, { origin: "studio" }), "DELETED");
  t.is(await operationOf({ changed: ["isDesigners"] }, { ...designer, status: "DELETED" }), "DELETED");
  t.is(await operationOf({ changed: ["itemId"] }, { ...designer, status: "DELETED" }), undefined);
  t.is(await operationOf({ operation: "CREATED" }, { origin: "ecc" }), undefined);
});

test("store-level links that change together are one event per store, identical each time it is reported", async (t) => {
  const keys = ["milk", "bread"].map((itemId) => `${STORE}/storelinks/${itemId}`);
  const elsewhere = "t/demo/s/other/storelinks/milk";
  const stored = { "storelink.v1": Object.fromEntries([...keys, elsewhere].map((key) => [key, ofStore])) };
  const changes = [...keys, elsewhere].map((key) => change(key));
  const made = await events(stored)("link.v2", "storelink.v1", changes);
  t.deepEqual(
    made.map(({ subject }) => subject),
    [STORE, "t/demo/s/other"],
  );
  t.like(made[0]?.data, { items: { length: 2 } });
  t.true(
    made.every(({ id, subject }) => id.startsWith(`${subject}#`) && /^[\w-]{43}$/.test(id.slice(subject.length + 1))),
  );
  const others = await events(stored)(
    "link.v2",
    "storelink.v1",
    changes.map((one) => ({ ...one, rev: 8 })),
  );
  t.false(
    others.some(({ id }) => made.some((one) => one.id === id)),
    "different changes are different events",
  );
  const again = await events(stored)("link.v2", "storelink.v1", changes.toReversed());
  t.deepEqual(again.map(({ id }) => id).sort(), made.map(({ id }) => id).sort());
  const [former] = await events(stored)(old, "storelink.v1", changes);
  const milk = {
    ...{ id: "item:milk", operation: "UPDATED", itemId: "milk", designId: "of the store", eslId: null },
    ...{ tenantId: "demo", storeId: "main", status: "ACTIVE" },
  };
  t.like(former?.data, { items: { length: 2, 0: milk } });
  t.deepEqual(await events()(old, "storelink.v1", changes), []);
});
