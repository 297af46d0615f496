import type { Stored } from "../../../records/kind.ts";
import { designs } from "../../../records/kinds/design.ts";
import type { Records } from "../../../records/records.ts";
import type { Scenario } from "../../../schemas/design.ts";
import { exists, type Item } from "../../../schemas/item.ts";
import type { Link } from "../../../schemas/link.ts";
import type { Trace } from "../../../workers/evaluator/packs/explain.ts";
import type { Expressions } from "../../../workers/evaluator/thread/expressions.ts";
import { loadedPack, readActivePack } from "../../management/packs/active-pack.ts";

/** A function that traces how the tenant's active pack chooses the design of a link, where the pack is asked at all. */
export async function readTrace(
  { records, expressions }: { records: Records; expressions: Pick<Expressions, "trace"> },
  tenant: string,
  among: readonly Stored<Link>[],
) {
  const isAsked = ({ origin, status, forced_design_id }: Link) =>
    origin === "studio" && status === "ACTIVE" && forced_design_id === undefined;
  const pack = among.some(isAsked) ? await readActivePack(records, tenant) : undefined;
  const named = pack ? await records.read(designs, designsOf(pack.scenarios)) : new Map();
  return async (link: Link, item: Item, type: number): Promise<Trace | undefined> =>
    pack && isAsked(link) && exists(item)
      ? expressions.trace(tenant, loadedPack(pack), { item, link, type }, named)
      : undefined;
}

const designsOf = (scenarios: readonly Scenario[]): string[] =>
  scenarios.flatMap(({ design_ids, children }) => [...design_ids, ...designsOf(children)]);
