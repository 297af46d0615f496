import { LRUCache } from "lru-cache";
import type { Stored } from "../../../records/kind.ts";
import type { CommunicationPack } from "../../../schemas/design.ts";
import { type LoadedPack, packIdOf } from "./decide-studio-link.ts";
import { dormantAt, instantOfEnd } from "./validity.ts";

/** A pack as it stands at a time in a zone. */
export interface PackAt extends LoadedPack {
  /** Since when it stands so: the latest end of a period that has passed, or the epoch. Absent where it has no periods. */
  since?: Date;
}

/** A pack as it is stored, or as it is proposed under an id of its own. */
export type DatedPack = Pick<LoadedPack, "id" | "scenarios"> & Pick<CommunicationPack, "periodEnds">;

export const datedPack = ({ _id, rev, scenarios, periodEnds }: Stored<CommunicationPack>): DatedPack => ({
  id: packIdOf({ _id, rev }),
  scenarios,
  ...(periodEnds && { periodEnds }),
});

/** Packs and zones whose present state is kept. */
const MAX_KEPT = 200;

/** Gives packs as they stand at a time in a zone. From one end of a period to the next a pack keeps its id and its state. */
export function createPackAt(): (pack: DatedPack, timeZone: string, now: Date) => PackAt {
  const kept = new LRUCache<string, { ends: readonly number[]; present?: PackAt }>({ max: MAX_KEPT });
  return (pack, timeZone, now) => {
    const { id, scenarios, periodEnds = [] } = pack;
    if (periodEnds.length === 0) return { id, scenarios };
    const key = JSON.stringify([id, timeZone]);
    const known = kept.get(key) ?? { ends: instantsOfEnds(periodEnds, timeZone) };
    const since = latestPassed(known.ends, now.getTime());
    const present =
      known.present?.since?.getTime() === since
        ? known.present
        : {
            id: `${id} since ${new Date(since).toISOString()} in ${timeZone}`,
            scenarios,
            since: new Date(since),
            dormant: dormantAt(scenarios, timeZone, now.getTime()),
          };
    kept.set(key, { ...known, present });
    return present;
  };
}

/** The instants of ends in a zone, in milliseconds. */
export const instantsOfEnds = (periodEnds: readonly string[], timeZone: string): number[] =>
  periodEnds.flatMap((text) => instantOfEnd(text, timeZone) ?? []);

/** The latest instant that has passed at a time; 0 where none has. */
export const latestPassed = (ends: readonly number[], time: number): number =>
  ends.reduce((latest, end) => (end <= time && end > latest ? end : latest), 0);
