import { randomUUID } from "node:crypto";
import test, { type ExecutionContext } from "ava";
import { publishing } from "../../../queues/system.ts";
import { publishedBy } from "../../../queues/topology.ts";
import { createWalker } from "../../../queues/walks/walk.ts";
import type { RecordKind } from "../../../records/kind.ts";
import { communicationPacks, designs } from "../../../records/kinds/designs.ts";
import { itemLinks, items } from "../../../records/kinds/items.ts";
import { links, studioLinks } from "../../../records/kinds/links.ts";
import { tenants } from "../../../records/kinds/tenants.ts";
import { walks } from "../../../records/kinds/work.ts";
import { communicationPackKey, designKey, itemKey, linkIdOf, linkKey, walkKey } from "../../../schemas/keys.ts";
import { buildEvaluator } from "../../../workers/evaluator/process.ts";
import { labelFor } from "../../harness/glass.ts";
import { ownSystem } from "../../harness/own.ts";
import { change } from "../../harness/worker.ts";

const LABEL = labelFor("evaluated");
const own = ownSystem();

/** An evaluator's parts on the real system; records what it logs and counts. */
function anEvaluator() {
  const system = publishing(own.system, publishedBy("evaluator"));
  const tracked = new Map<string, () => number>();
  const warned: object[] = [];
  const log = Object.assign(Object.create(system.log), { warn: (fields: object) => warned.push(fields) });
  const parts = buildEvaluator(
    {
      ...system,
      ...{ walker: createWalker({ ...system, queue: "evaluator", stages: [] }), log },
      metrics: {
        ...system.metrics,
        track: (name, labels, read) => void tracked.set([name, ...Object.values(labels)].join(" "), read),
      },
    },
    { BARCODE_PATTERN: "^.{12}(?<type>[0-9]{4})[0-9]$" },
  );
  return { ...parts, handlers: parts.handlers.evaluator, tracked, warned };
}

/** A tenant with an item on a label, and a pack that chooses a design for the item while its price is below 2. */
async function aShop() {
  const tenant = `t/${randomUUID()}`;
  const store = `${tenant}/s/main`;
  const [item, link] = [itemKey(store, "milk"), linkKey(store, linkIdOf(LABEL, 0))];
  const [pack, inactive] = [communicationPackKey(tenant, "active"), communicationPackKey(tenant, "inactive")];
  const set = async <Body>(kind: RecordKind<Body>, key: string, body: Body) =>
    void (await own.system.commit.change(kind, [key], () => body, "bulk"));
  const scenario = { id: "cheap", name: "Cheap", cel_expression: "double(item.price) < 2.0" };
  await set(designs, designKey(tenant, "d"), { name: "d", canvasId: "none", compatible_esltype_ids: [1328] });
  await set(tenants, tenant, { name: "A tenant", communicationPack: pack });
  for (const key of [pack, inactive])
    await set(communicationPacks, key, {
      name: "A pack",
      scenarios: [{ ...scenario, design_ids: [designKey(tenant, "d")], children: [] }],
    });
  await set(links, link, {
    ...{ eslId: LABEL, displayPosition: 0, itemId: "milk", linkedItemId: "milk" },
    ...{ status: "ACTIVE", origin: "studio", linkedAt: new Date(0), stamp: 1 },
  });
  await set(itemLinks, item, { links: [{ id: linkIdOf(LABEL, 0), stamp: 1 }] });
  return {
    ...{ tenant, item, link, pack, inactive },
    setPrice: (price: string) =>
      set(items, item, { itemId: "milk", price, sics: [], properties: [], stamps: {}, created: 1 }),
    scenarioId: async () => (await own.system.records.read(studioLinks, [link])).get(link)?.scenarioId,
  };
}

const reads = (t: ExecutionContext, tracked: ReadonlyMap<string, () => number>, name: string): number =>
  tracked.get(name)?.() ?? t.fail(`${name} is not counted: ${[...tracked.keys()]}`) ?? 0;

test("a change to an item causes its links to be evaluated; cache lookups and faults are counted", async (t) => {
  const { handlers, tracked, warned, timers } = anEvaluator();
  const { item, link, pack, setPrice, scenarioId } = await aShop();
  const count = (name: string) => reads(t, tracked, name);

  await setPrice("1.99");
  await handlers["storeitemvalues.v1"]([change(item)]);
  t.is(await scenarioId(), "cheap");
  t.is(count("shelfwire_cache_lookups_total choices hit"), 0);
  t.is(count("shelfwire_cache_lookups_total choices miss"), 1);
  t.is(count("shelfwire_expression_faults_total"), 0);

  await handlers["link.v2"]([change(link)]);
  await setPrice("unknown");
  await handlers["storeitemvalues.v1"]([change(item)]);
  t.is(await scenarioId(), undefined);
  t.is(count("shelfwire_cache_lookups_total choices miss"), 2);
  t.is(count("shelfwire_expression_faults_total"), 1);

  t.deepEqual(warned, []);
  t.is(timers?.length, 3);
  for (const { run } of timers ?? []) await run();
  t.deepEqual(warned, [{ pack, evaluations: 1, scenarios: [{ id: "cheap", name: "Cheap", evaluations: 1 }] }]);
  for (const { run } of timers ?? []) await run();
  t.is(warned.length, 1);
});

test("a change to the active pack begins a walk over its tenant's links, and a change to an inactive pack does not", async (t) => {
  const { handlers } = anEvaluator();
  const { tenant, pack, inactive } = await aShop();
  const key = walkKey(tenant, "evaluator");
  const begun = async () => (await own.system.records.read(walks, [key])).get(key);

  await handlers["communicationpack.v1"]([change(inactive)]);
  t.is(await begun(), undefined);
  await handlers["communicationpack.v1"]([change(`t/${randomUUID()}/communicationpacks/of-no-tenant`)]);
  t.is(await begun(), undefined);
  await handlers["communicationpack.v1"]([change(pack)]);
  t.like(await begun(), { scope: `${tenant}/`, reason: `${pack} is at rev 1` });
});

test("the evaluator's audit finds a studio link that was not derived", async (t) => {
  const { handlers, stages } = anEvaluator();
  const { link, setPrice } = await aShop();
  await setPrice("1.99");
  t.is(stages.length, 1);
  for (const { name, topic, findStale } of stages) {
    t.deepEqual([name, topic], [studioLinks.name, "link.v2"]);
    t.deepEqual(await findStale([link]), [link]);
    await handlers["link.v2"]([change(link)]);
    t.deepEqual(await findStale([link]), []);
  }
});
