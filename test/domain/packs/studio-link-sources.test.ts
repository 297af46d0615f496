import { randomUUID } from "node:crypto";
import test from "ava";
import type { LinkFacts } from "../../../domain/packs/decide-design.ts";
import { studioLinkDerivation } from "../../../queues/derivations/studio-link.ts";
import type { RecordKind } from "../../../records/kind.ts";
import { communicationPacks, designs } from "../../../records/kinds/designs.ts";
import { items } from "../../../records/kinds/items.ts";
import { links, storeLinks } from "../../../records/kinds/links.ts";
import { tenants } from "../../../records/kinds/tenants.ts";
import type { Scenario } from "../../../schemas/design.ts";
import type { Item } from "../../../schemas/item.ts";
import { communicationPackKey, designKey, itemKey, linkIdOf, linkKey } from "../../../schemas/keys.ts";
import type { Link } from "../../../schemas/link.ts";
import { ownSystem } from "../../harness/own.ts";

const TYPE = 1328;
const ITEM: Item = { itemId: "milk", sics: [], properties: [], stamps: {}, created: 1 };
const own = ownSystem();

/** A tenant with a store that is empty at first, and a derivation that reads it. */
function aTenant() {
  const tenant = `t/${randomUUID()}`;
  const store = `${tenant}/s/main`;
  const pack = communicationPackKey(tenant, "pack");
  const uncompilable: object[] = [];
  const derivation = studioLinkDerivation({
    records: own.system.records,
    schemeOf: async (of) => (label) => (of === tenant && label !== "no barcode" ? TYPE : undefined),
    now: () => new Date(0),
    log: { error: (fields) => uncompilable.push(fields) },
  });
  const set = async <Body>(kind: RecordKind<Body>, key: string, body: Body): Promise<number> => {
    await own.system.commit.change(kind, [key], () => body, "bulk");
    return (await own.system.records.read(kind, [key])).get(key)?.rev ?? 0;
  };
  const keyOf = (label: string) => linkKey(store, linkIdOf(label, 0));
  return {
    ...{ tenant, store, pack, uncompilable, set, keyOf },
    load: async (...labels: string[]) => {
      const loaded = await derivation.load(labels.map(keyOf), own.system.records.readTogether);
      return labels.map((label) => loaded.get(keyOf(label)));
    },
    setLink: (label: string, more: Partial<Link> = {}) =>
      set(links, keyOf(label), {
        ...{ eslId: label, displayPosition: 0, itemId: "milk", linkedItemId: "milk" },
        ...{ status: "ACTIVE", origin: "studio", linkedAt: new Date(0), stamp: 1 },
        ...more,
      }),
    setItem: (itemId: string, deleted = false) =>
      set(items, itemKey(store, itemId), {
        ...{ itemId, sics: [], properties: [], stamps: {}, created: 1 },
        ...(deleted && { deleted }),
      }),
    setDesign: (id: string, types = [TYPE]) =>
      set(designs, designKey(tenant, id), { name: id, canvasId: "none", compatible_esltype_ids: types }),
    setStoreLink: (designId: string, status: "ACTIVE" | "DELETED" = "ACTIVE") =>
      set(storeLinks, itemKey(store, "milk"), {
        ...{ itemId: "milk", designId: designKey(tenant, designId), status, stamp: 1 },
      }),
    setPack: async (scenarios: Scenario[]) => {
      await set(tenants, tenant, { name: "A tenant", communicationPack: pack });
      return await set(communicationPacks, pack, { name: "A pack", scenarios });
    },
    scenario: (id: string, cel_expression: string, children: Scenario[] = []): Scenario => ({
      ...{ id, name: `Scenario ${id}`, cel_expression, design_ids: [designKey(tenant, id)], children },
    }),
  };
}

test("only links whose design the rules choose are loaded", async (t) => {
  const { setLink, load } = aTenant();
  await setLink("A1");
  await setLink("A2", { origin: "designer" });
  t.deepEqual(
    (await load("A1", "A2", "A3")).map((loaded) => loaded !== undefined),
    [true, false, false],
  );
});

test("a link is decided from its undeleted item and its barcode's label type", async (t) => {
  const { setLink, setItem, load } = aTenant();
  await setLink("A1");
  await setLink("A2", { itemId: "bread" });
  await setLink("A3", { itemId: "butter" });
  await setLink("no barcode");
  await setItem("milk");
  await setItem("bread", true);
  const loaded = await load("A1", "A2", "A3", "no barcode");
  t.deepEqual(
    loaded.map((one) => [one?.facts.item?.itemId, one?.facts.type]),
    [
      ["milk", TYPE],
      [undefined, TYPE],
      [undefined, TYPE],
      ["milk", 0],
    ],
  );
});

test("an active store-level link decides the design", async (t) => {
  const { tenant, setLink, setStoreLink, load } = aTenant();
  const storeDesign = async () => (await load("A1"))[0]?.facts.storeDesign;
  await setLink("A1");
  t.is(await storeDesign(), undefined);
  await setStoreLink("of-the-store");
  t.is(await storeDesign(), designKey(tenant, "of-the-store"));
  await setStoreLink("of-the-store", "DELETED");
  t.is(await storeDesign(), undefined);
});

test("the designs of all scenarios, of a forced design and of the store-level link are read", async (t) => {
  const { tenant, setLink, setStoreLink, setDesign, setPack, scenario, load } = aTenant();
  for (const id of ["parent", "child", "forced", "stored", "unnamed"]) await setDesign(id);
  await setPack([scenario("parent", "true", [scenario("child", "true")]), scenario("missing", "true")]);
  await setLink("A1", { forced_design_id: designKey(tenant, "forced") });
  await setStoreLink("stored");
  const [loaded] = await load("A1");
  t.deepEqual([...(loaded?.facts.designs.keys() ?? [])].toSorted(), [
    ...["child", "forced", "parent", "stored"].map((id) => designKey(tenant, id)),
  ]);
});

test("a design that now fits changes the link's mark, wherever it is named", async (t) => {
  const { tenant, setLink, setStoreLink, setDesign, setPack, scenario, load } = aTenant();
  await setPack([scenario("parent", "true", [scenario("child", "true")])]);
  await setLink("A1", { forced_design_id: designKey(tenant, "forced") });
  await setStoreLink("stored");
  const mark = async () => (await load("A1"))[0]?.mark;
  const marks = [await mark()];
  for (const id of ["parent", "child", "forced", "stored"]) {
    await setDesign(id);
    marks.push(await mark());
  }
  t.is(new Set(marks).size, marks.length);
  await setDesign("unnamed");
  t.is(await mark(), marks.at(-1));
});

test("a link is stale if its own record, its item, the store-level link, the tenant, the store or the active pack has changed", async (t) => {
  const { tenant, store, pack, keyOf, set, setLink, setItem, setStoreLink, setPack, load } = aTenant();
  const itself = await setLink("A1");
  const sources = async () =>
    (await load("A1"))[0]?.sources.map(({ kind, key, rev }) => [kind.name, key, rev] as const);
  t.deepEqual(await sources(), [
    ["link.v2", keyOf("A1"), itself],
    ["storeitemvalues.v1", itemKey(store, "milk"), 0],
    ["storelink.v1", itemKey(store, "milk"), 0],
    ["tenant", tenant, 0],
    ["store", store, 0],
  ]);

  const item = await setItem("milk");
  const storeLink = await setStoreLink("stored");
  const ofPack = await setPack([]);
  const ofTenant = await set(tenants, tenant, { name: "Renamed", communicationPack: pack });
  t.deepEqual(await sources(), [
    ["link.v2", keyOf("A1"), itself],
    ["storeitemvalues.v1", itemKey(store, "milk"), item],
    ["storelink.v1", itemKey(store, "milk"), storeLink],
    ["tenant", tenant, ofTenant],
    ["store", store, 0],
    ["communicationpack.v1", pack, ofPack],
  ]);
});

test("without an active pack, a tenant's links use store-level and forced designs", async (t) => {
  const { tenant, set, setLink, setStoreLink, setDesign, load } = aTenant();
  await set(tenants, tenant, { name: "A tenant" });
  await setLink("A1");
  await setStoreLink("stored");
  await setDesign("stored");
  const [loaded] = await load("A1");
  t.is(loaded?.facts.chooseScenario, undefined);
  t.is(loaded?.facts.storeDesign, designKey(tenant, "stored"));
  t.deepEqual([...(loaded?.facts.designs.keys() ?? [])], [designKey(tenant, "stored")]);
});

test("the scenarios of each rev of a pack are compiled once", async (t) => {
  const { pack, uncompilable, setLink, setPack, scenario, load } = aTenant();
  await setLink("A1");
  t.is((await load("A1"))[0]?.facts.chooseScenario, undefined);

  await setPack([scenario("faulty", "item.")]);
  const [first] = await load("A1");
  const [again] = await load("A1");
  t.is(typeof first?.facts.chooseScenario, "function");
  t.is(again?.facts.chooseScenario, first?.facts.chooseScenario);
  t.is(first?.facts.pack?.id, again?.facts.pack?.id);
  t.is(uncompilable.length, 0, "the pack is compiled for its first choice");
  for (const { facts } of [first, again] as { facts: LinkFacts }[])
    facts.chooseScenario?.({ item: ITEM, link: {}, type: TYPE });
  t.is(uncompilable.length, 1);
  t.like(uncompilable[0], { pack, scenario: "faulty", name: "Scenario faulty" });
  t.regex(String((uncompilable[0] as { error: unknown }).error), /\S/);

  await setPack([scenario("faulty", "item.price")]);
  const [next] = await load("A1");
  t.not(next?.facts.chooseScenario, first?.facts.chooseScenario);
  t.not(next?.facts.pack?.id, first?.facts.pack?.id);
});

test("links of several tenants are each decided by their own tenant's records", async (t) => {
  const [one, other] = [aTenant(), aTenant()];
  for (const { setLink, setPack, scenario } of [one, other]) {
    await setLink("A1");
    await setPack([scenario("mine", "true")]);
  }
  const derivation = studioLinkDerivation({
    records: own.system.records,
    schemeOf: async (tenant) => () => (tenant === one.tenant ? 1 : 2),
    now: () => new Date(0),
    log: { error: (fields) => t.fail(JSON.stringify(fields)) },
  });
  const loaded = await derivation.load([one.keyOf("A1"), other.keyOf("A1")], own.system.records.readTogether);
  t.deepEqual(
    [one, other].map(({ keyOf }) => loaded.get(keyOf("A1"))?.facts.type),
    [1, 2],
  );
  t.deepEqual(
    [one, other].map(({ keyOf, pack }) => loaded.get(keyOf("A1"))?.sources.some(({ key }) => key === pack)),
    [true, true],
  );
});
