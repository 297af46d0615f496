import { LRUCache } from "lru-cache";
import { communicationPacks } from "../../../records/kinds/designs.ts";
import type { Records } from "../../../records/records.ts";
import type { CommunicationPack, Scenario } from "../../../schemas/design.ts";
import type { Envelope, Stored } from "../../../schemas/record.ts";

type Pack = Stored<CommunicationPack>;

/** Maximum number of packs that this process caches: packs are large, and the content of a rev never changes. */
const MAX_PACKS = 50;

export interface KnownPacks {
  /** The designs that packs named when they were last read. */
  designsOf(packKeys: readonly string[]): string[];
  /** Returns the packs at these revs; a key without a rev has no pack. Reads only packs that are not yet known at their rev. */
  read(revs: ReadonlyMap<string, Pick<Envelope, "rev">>): Promise<Map<string, Pack>>;
}

export function createKnownPacks(records: Pick<Records, "read">): KnownPacks {
  const known = new LRUCache<string, Pack>({ max: MAX_PACKS });
  return {
    designsOf: (packKeys) => packKeys.flatMap((key) => namedDesigns(known.get(key)?.scenarios ?? [])),

    async read(revs) {
      const present = [...revs.keys()].flatMap((key) => known.get(key) ?? []);
      const packs = new Map(
        present.filter(({ _id, rev }) => revs.get(_id)?.rev === rev).map((pack) => [pack._id, pack]),
      );
      const others = [...revs.keys()].filter((key) => !packs.has(key));
      for (const [key, pack] of await records.read(communicationPacks, others)) {
        known.set(key, pack);
        packs.set(key, pack);
      }
      return packs;
    },
  };
}

/** Returns every design that a tree of scenarios names. */
export const namedDesigns = (scenarios: readonly Scenario[]): string[] =>
  scenarios.flatMap(({ design_ids, children }) => [...design_ids, ...namedDesigns(children)]);
