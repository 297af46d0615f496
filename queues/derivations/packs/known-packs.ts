import { LRUCache } from "lru-cache";
import { communicationPacks } from "../../../records/kinds/designs.ts";
import type { Records } from "../../../records/records.ts";
import type { CommunicationPack, Scenario } from "../../../schemas/design.ts";
import type { Envelope, Stored } from "../../../schemas/record.ts";

type Pack = Stored<CommunicationPack>;

/** Packs that this process has read: they are large, and each rev of a key has only one content. */
const MAX_PACKS = 50;

export interface KnownPacks {
  /** The designs that packs named when they were read last. */
  designsOf(packKeys: readonly string[]): string[];
  /** Packs at these revs; a key without a rev has no pack. Reads only those that are not known at theirs. */
  read(revs: ReadonlyMap<string, Pick<Envelope, "rev">>): Promise<Map<string, Pack>>;
}

export function createKnownPacks(records: Pick<Records, "read">): KnownPacks {
  const known = new LRUCache<string, Pack>({ max: MAX_PACKS });
  return {
    designsOf: (packKeys) => packKeys.flatMap((key) => namedDesigns(known.get(key)?.scenarios ?? [])),

    async read(revs) {
      const present = new Map([...revs].flatMap(([key, { rev }]) => [...ofRev(known.get(key), rev)]));
      const others = [...revs.keys()].filter((key) => !present.has(key));
      const read = await records.read(communicationPacks, others);
      for (const [key, pack] of read) known.set(key, pack);
      return new Map([...present, ...read]);
    },
  };
}

function* ofRev(pack: Pack | undefined, rev: number): Iterable<[string, Pack]> {
  if (pack?.rev === rev) yield [pack._id, pack];
}

/** Every design that a tree of scenarios names. */
export const namedDesigns = (scenarios: readonly Scenario[]): string[] =>
  scenarios.flatMap(({ design_ids, children }) => [...design_ids, ...namedDesigns(children)]);
