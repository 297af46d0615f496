import { LRUCache } from "lru-cache";
import type { CommunicationPack } from "../../schemas/design.ts";
import type { Stored } from "../../schemas/record.ts";
import type { LoadedPack } from "./compile-pack.ts";
import { packIdOf } from "./decide-design.ts";
import { dormantAt, instantOfEnd } from "./validity.ts";

/** A pack in its state at a given time in a time zone. */
export interface PackAt extends LoadedPack {
  /**
   * The time since which the pack has been in this state: the latest start or end of a period so far, or the epoch. Absent if
   * it has no periods.
   */
  since?: Date;
}

/** A pack as it is stored, or as it is proposed under its own id. */
export type DatedPack = Pick<LoadedPack, "id" | "scenarios"> & Pick<CommunicationPack, "periodEnds">;

export const datedPack = ({ _id, rev, scenarios, periodEnds }: Stored<CommunicationPack>): DatedPack => ({
  id: packIdOf({ _id, rev }),
  scenarios,
  ...(periodEnds && { periodEnds }),
});

/** Maximum number of entries in each cache, one for each pack and time zone: computing instants in a calendar is slow. */
const MAX_KEPT = 200;

/**
 * Creates a function that returns a pack as it is at a given time in a time zone. The pack keeps its id and its state until a
 * validity period starts or ends.
 */
export function createPackAt(): (pack: DatedPack, timeZone: string, now: Date) => PackAt {
  const latestEnd = createLatestEnd();
  const kept = new LRUCache<string, PackAt>({ max: MAX_KEPT });
  return (pack, timeZone, now) => {
    const { id, scenarios, periodEnds = [] } = pack;
    if (periodEnds.length === 0) return { id, scenarios };
    const since = new Date(latestEnd({ id, periodEnds }, timeZone, now.getTime()));
    const idAt = `${id} since ${since.toISOString()} in ${timeZone}`;
    const known = kept.get(idAt);
    if (known) return known;
    const present = { id: idAt, scenarios, since, dormant: dormantAt(scenarios, timeZone, now.getTime()) };
    kept.set(idAt, present);
    return present;
  };
}

/** Finds the latest start or end of a pack's periods up to a time in a zone, in milliseconds; 0 if there is none. */
export function createLatestEnd() {
  const kept = new LRUCache<string, readonly number[]>({ max: MAX_KEPT });
  return (
    { id, periodEnds }: Pick<Required<DatedPack>, "id" | "periodEnds">,
    timeZone: string,
    time: number,
  ): number => {
    const key = JSON.stringify([id, timeZone]);
    const ends = kept.get(key) ?? periodEnds.flatMap((text) => instantOfEnd(text, timeZone) ?? []);
    kept.set(key, ends);
    return ends.reduce((latest, end) => (end <= time && end > latest ? end : latest), 0);
  };
}
