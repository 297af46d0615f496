import type { Trace } from "../../../domain/packs/explain.ts";
import { createPackAt, datedPack } from "../../../domain/packs/pack-at.ts";
import type { Expressions } from "../../../drawing/expressions/expressions.ts";
import { readZones } from "../../../queues/derivations/zones.ts";
import { designs } from "../../../records/kinds/designs.ts";
import type { Records } from "../../../records/records.ts";
import type { Scenario } from "../../../schemas/design.ts";
import { exists, type Item } from "../../../schemas/item.ts";
import { tenantOf } from "../../../schemas/keys.ts";
import type { Link } from "../../../schemas/link.ts";
import type { Stored } from "../../../schemas/record.ts";
import { readPackOfStore } from "../../management/packs/active-pack.ts";

interface TraceDependencies {
  records: Records;
  expressions: Pick<Expressions, "trace">;
  databaseNow(): Date;
}

const packAt = createPackAt();

/** Returns a function that traces how the store's pack chooses a link's design, if the pack is evaluated at all. */
export async function readTrace(
  { records, expressions, databaseNow }: TraceDependencies,
  store: string,
  among: readonly Stored<Link>[],
) {
  const isAsked = ({ origin, status, forced_design_id }: Link) =>
    origin === "studio" && status === "ACTIVE" && forced_design_id === undefined;
  const tenant = tenantOf(store);
  const active = among.some(isAsked) ? await readPackOfStore(records, store) : undefined;
  const zoneOf = await readZones(records, active?.periodEnds ? [store] : []);
  const pack = active && packAt(datedPack(active), zoneOf(store), databaseNow());
  const named = pack ? await records.read(designs, designsOf(pack.scenarios)) : new Map();
  return async (link: Link, item: Item, type: number): Promise<Trace | undefined> =>
    pack && isAsked(link) && exists(item) ? expressions.trace(tenant, pack, { item, link, type }, named) : undefined;
}

const designsOf = (scenarios: readonly Scenario[]): string[] =>
  scenarios.flatMap(({ design_ids, children }) => [...design_ids, ...designsOf(children)]);
