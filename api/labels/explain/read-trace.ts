import type { Stored } from "../../../records/kind.ts";
import { designs } from "../../../records/kinds/design.ts";
import type { Records } from "../../../records/records.ts";
import type { Scenario } from "../../../schemas/design.ts";
import { exists, type Item } from "../../../schemas/item.ts";
import type { Link } from "../../../schemas/link.ts";
import { explain, type Trace } from "../../../workers/evaluator/packs/explain.ts";
import { readActivePack } from "../../management/packs/active-pack.ts";

/** A function that traces how the tenant's active pack chooses the design of a link, where the pack is asked at all. */
export async function readTrace(records: Records, tenant: string, among: readonly Stored<Link>[]) {
  const isAsked = ({ origin, status, forced_design_id }: Link) =>
    origin === "studio" && status === "ACTIVE" && forced_design_id === undefined;
  const pack = among.some(isAsked) ? await readActivePack(records, tenant) : undefined;
  const named = pack ? await records.read(designs, designsOf(pack.scenarios)) : new Map();
  return (link: Link, item: Item, type: number): Trace | undefined =>
    pack && isAsked(link) && exists(item) ? explain({ pack, item, link, type, designs: named }) : undefined;
}

const designsOf = (scenarios: readonly Scenario[]): string[] =>
  scenarios.flatMap(({ design_ids, children }) => [...design_ids, ...designsOf(children)]);
