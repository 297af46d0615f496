import { LRUCache } from "lru-cache";
import type { Db } from "mongodb";
import { isReady, isSettled, type SwitchReadiness } from "../../../domain/labels/decide-switch.ts";
import { readinessOf } from "../../../domain/labels/keep-pictures.ts";
import type { Commit } from "../../../queues/changes/commit.ts";
import { switchStates } from "../../../records/kinds/switches.ts";
import { scanLabelsOfSwitch } from "../../../records/switches/read-switches.ts";
import { idOf, ownerOf } from "../../../schemas/keys.ts";
import type { Stored } from "../../../schemas/record.ts";
import type { Switch } from "../../../schemas/switch.ts";

interface Dependencies {
  db: Db;
  commit: Pick<Commit, "change">;
  now(): Date;
  /** Maximum number of switches that rest at the same time. */
  maxResting?: number;
}

/** After a count of its labels, a switch rests for this multiple of the time that the count took. */
const REST = 3;
const MAX_RESTING = 10_000;

/**
 * Returns a function that writes a switch's progress (its state, and whether enough labels are ready) if a caller is waiting
 * for it. An event is sent when the state or the readiness changes. A switch that is called off or finished keeps that state,
 * even if a process that read the switch earlier has not finished counting.
 */
export function createAnnounceSwitches({
  db,
  commit,
  now,
  maxResting = MAX_RESTING,
}: Dependencies): (one: Stored<Switch>) => Promise<void> {
  /** The time until which each switch's labels are not counted again. Entries of deleted switches are eventually evicted. */
  const rests = new LRUCache<string, number>({ max: maxResting });

  async function count({ _id }: Stored<Switch>): Promise<SwitchReadiness> {
    const counts = { prepared: 0, ready: 0 };
    for await (const batch of scanLabelsOfSwitch(db, ownerOf(_id), idOf(_id)))
      for (const label of batch) {
        const readiness = readinessOf(label);
        if (readiness !== undefined) counts.prepared += 1;
        if (readiness === "READY" || readiness === "SHOWN") counts.ready += 1;
      }
    return counts;
  }

  return async (one) => {
    const { _id, state, reason, readyPercent, commit: decision } = one;
    if (decision === undefined && readyPercent === undefined) return;
    const began = now().getTime();
    const isCounted = state === "PREPARING" && began >= (rests.get(_id) ?? 0);
    const enough = isCounted ? isReady(one, await count(one)) : undefined;
    if (state !== "PREPARING") rests.delete(_id);
    if (isCounted) rests.set(_id, now().getTime() + REST * (now().getTime() - began));
    await commit.change(
      switchStates,
      [_id],
      (_, current) => {
        if (current && isSettled(current) && !isSettled(one)) return undefined;
        const counted = enough ?? current?.isReady ?? false;
        return { state, isReady: counted, ...(reason && { reason }), ...(decision && { commit: decision }) };
      },
      "interactive",
    );
  };
}
