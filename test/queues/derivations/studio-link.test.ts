import test from "ava";
import { studioLinkDerivation } from "../../../queues/derivations/studio-link.ts";
import type { RecordKind } from "../../../records/kind.ts";
import { communicationPacks, designs } from "../../../records/kinds/designs.ts";
import { items } from "../../../records/kinds/items.ts";
import { links, studioLinks } from "../../../records/kinds/links.ts";
import { tenants } from "../../../records/kinds/tenants.ts";
import type { Scenario } from "../../../schemas/design.ts";
import { communicationPackKey, designKey, itemKey, linkIdOf, linkKey, tenantOf } from "../../../schemas/keys.ts";
import { DEMO_STORE, labelFor } from "../../harness/glass.ts";
import { ownStack } from "../../harness/own.ts";

const shelfwire = ownStack({ workers: [] });

const tenant = tenantOf(DEMO_STORE);
const pack = communicationPackKey(tenant, "tried");
const link = linkKey(DEMO_STORE, linkIdOf(labelFor("evaluated"), 0));
const item = { itemId: "evaluated", sics: [], properties: [], stamps: {}, created: 1 };

async function set<Body>(kind: RecordKind<Body>, key: string, change: (current: Body | undefined) => Body) {
  await shelfwire.system.commit.change(kind, [key], (_, current) => change(current), "bulk");
}
const setPrice = (price: string) => set(items, itemKey(DEMO_STORE, "evaluated"), () => ({ ...item, price }));
const scenario = (id: string, cel_expression: string): Scenario => ({
  id,
  name: `Scenario ${id}`,
  cel_expression,
  design_ids: [designKey(tenant, id)],
  children: [],
});
const setPack = (...scenarios: Scenario[]) => set(communicationPacks, pack, () => ({ name: "Tried", scenarios }));

test("a pack's choices are cached for one rev and one period, and evaluation faults are reported", async (t) => {
  const { records, derive, findStale } = shelfwire.system;
  const faults: unknown[] = [];
  let now = new Date("2026-12-23T22:59:59.999Z");
  const derivation = studioLinkDerivation({
    records,
    schemeOf: async () => () => 1328,
    now: () => now,
    log: { error: (fields) => t.fail(JSON.stringify(fields)) },
    onEvaluationFault: (...fault) => faults.push(fault),
  });
  const chosen = async () => {
    await derive(derivation, [link], "bulk");
    return (await records.read(studioLinks, [link])).get(link)?.scenarioId;
  };
  for (const id of ["a", "b"])
    await set(designs, designKey(tenant, id), () => ({ name: id, canvasId: "none", compatible_esltype_ids: [1328] }));
  await set(tenants, tenant, (current) => ({ ...current, name: "Demo", communicationPack: pack }));
  await set(links, link, () => ({
    eslId: labelFor("evaluated"),
    displayPosition: 0,
    itemId: "evaluated",
    linkedItemId: "evaluated",
    status: "ACTIVE",
    origin: "studio",
    linkedAt: new Date(0),
    stamp: 1,
  }));

  await setPack(scenario("a", "double(item.price) < 2.0"), scenario("b", "true"));
  await setPrice("1.99");
  t.is(await chosen(), "a");
  t.deepEqual(faults, []);

  await setPrice("1,99");
  t.is(await chosen(), "b");
  const cheap = { id: "a", name: "Scenario a" };
  t.deepEqual(faults, [[pack, cheap, 'double(item.price): "1,99" is not a number']]);

  await setPack(scenario("a", "true"), scenario("b", "true"));
  t.is(await chosen(), "a");

  // The store's clocks are one hour ahead of UTC.
  const eve = {
    ...scenario("eve", "true"),
    design_ids: [designKey(tenant, "a")],
    validityPeriod: { from: "2026-12-24", to: "2026-12-25T06:30" },
  };
  await set(communicationPacks, pack, () => ({
    name: "Tried",
    scenarios: [eve, scenario("b", "true")],
    periodEnds: ["2026-12-24", "2026-12-25T06:30"],
  }));
  t.is(await chosen(), "b");
  now = new Date("2026-12-23T23:00:00Z");
  t.deepEqual(await findStale(derivation, [link]), [link], "the audit finds the change too");
  t.is(await chosen(), "eve");
  t.is((await records.read(studioLinks, [link])).get(link)?.validityPeriod?.to, "2026-12-25T06:30");
  now = new Date("2026-12-23T22:59:59Z");
  t.is(await chosen(), "eve", "a clock that is behind undoes nothing");
  now = new Date("2026-12-25T05:30:00Z");
  t.is(await chosen(), "b");
  t.deepEqual(await findStale(derivation, [link]), []);
});
