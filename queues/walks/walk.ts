import type { Collection, Db, Filter } from "mongodb";
import { type Walk, walks } from "../../records/kinds/work.ts";
import { createLeaseWatch } from "../../records/leases/lease-watch.ts";
import type { FirstTogether } from "../../records/mongodb/find-first-together.ts";
import type { Stored } from "../../schemas/record.ts";
import type { Commit } from "../changes/commit.ts";
import type { Stage } from "../changes/stage.ts";
import { holdWalk, released, WALK_LEASE_MS } from "./walk-hold.ts";
import { positionToBegin } from "./walk-position.ts";
import { endWalk, type StageWalkWorld, walkStage } from "./walk-stage.ts";

export interface Walker {
  /**
   * Begins a walk over all keys of a scope. If a walk with this key is under way, the new walk replaces it. Returns undefined
   * if `isBegun` finds that another process has begun the same walk.
   */
  begin(
    key: string,
    scope: string,
    start: Pick<Walk, "reason" | "runId" | "background" | "audit">,
    isBegun?: (walk: Walk) => boolean,
  ): Promise<Stored<Walk> | undefined>;
  /**
   * Reads all unfinished walks of this queue, and the walk with this key, finished or not. Takes one read, or two if there are
   * unfinished walks.
   */
  look(key: string): Promise<{ walk: Stored<Walk> | undefined; unfinished: Stored<Walk>[] }>;
  /** Whether no other process holds the lease of a walk. */
  isFree(walk: Walk): boolean;
  /**
   * Continues a walk to its end, or until `shouldStop` returns true; any process may then continue the walk. `shouldStop` is
   * called after each batch. Returns the number of records checked.
   */
  walk(walk: Stored<Walk>, shouldStop: () => boolean | Promise<boolean>): Promise<number>;
  /**
   * Stores a step of a walk and takes its lease. Returns undefined if the walk was written since it was read, or if another
   * process holds it.
   */
  advance(walk: Stored<Walk>, step: Partial<Walk>): Promise<Stored<Walk> | undefined>;
}

interface Dependencies extends StageWalkWorld {
  firstTogether: FirstTogether;
  commit: Commit;
  /** Unique to this process. */
  holder: string;
  /** A monotonic clock, in milliseconds. */
  clock(): number;
}

export const walkCollection = (db: Db): Collection<Stored<Walk>> => db.collection<Stored<Walk>>(walks.name);

/**
 * Checks every record of a queue's stages in batches and enqueues the stale keys. Its cursor is stored in MongoDB, so
 * another process continues a walk whose process was killed.
 */
export function createWalker(dependencies: Dependencies): Walker {
  const { queue, stages, db, firstTogether, log } = dependencies;
  const lease = createWalkLease(dependencies);
  const onError = (error: Error) => log.debug({ queue, error: error.message }, "a lease was not renewed");
  return {
    ...lease,
    begin: createBegin(dependencies),

    async look(key) {
      // Null matches an absent field and, unlike `$exists`, is served by the index.
      const isUnfinished = { queue, finishedAt: null };
      const [walk, first] = await Promise.all([
        firstTogether<Stored<Walk>>({ collection: walks.name, filter: { _id: key } }),
        firstTogether({ collection: walks.name, filter: isUnfinished, projection: { _id: 1 } }),
      ]);
      if (first === undefined) return { walk, unfinished: [] };
      const filter = { $or: [{ _id: key }, isUnfinished] } as unknown as Filter<Stored<Walk>>;
      const found = await walkCollection(db).find(filter).toArray();
      return {
        walk: found.find(({ _id }) => _id === key),
        unfinished: found.filter(({ finishedAt }) => finishedAt === undefined),
      };
    },

    async walk(unfinished, shouldStop) {
      let checked = 0;
      const stopAfter = async (records: number) => {
        checked += records;
        return shouldStop();
      };
      let walk = await lease.advance(unfinished, {});
      if (walk === undefined) return 0;
      const hold = holdWalk(walk, { advance: lease.advance, onError });
      try {
        while (walk !== undefined) {
          const stage: Stage | undefined = stages[walk.stage];
          walk = await (stage
            ? walkStage(dependencies, hold, walk, stage, stopAfter)
            : endWalk(dependencies, hold, walk));
        }
      } finally {
        hold.end();
      }
      return checked;
    },
  };
}

/** Manages the lease of a walk: one process walks it, and another takes over once the lease has ended. */
function createWalkLease({ commit, holder, now, clock }: Dependencies): Pick<Walker, "isFree" | "advance"> {
  const hasEnded = createLeaseWatch(clock);
  const isAbandoned = ({ _id, rev }: Partial<Stored<Walk>>) =>
    _id !== undefined && rev !== undefined && hasEnded(_id, rev, WALK_LEASE_MS);
  const isFree: Walker["isFree"] = (walk) => walk.holder === holder || walk.heldUntil < now() || isAbandoned(walk);
  return {
    isFree,
    async advance(walk, step) {
      const lease = { holder, heldUntil: new Date(now().getTime() + WALK_LEASE_MS) };
      const stepped = await commit.change(
        walks,
        [walk._id],
        (_, current) =>
          current?.rev === walk.rev && current.finishedAt === undefined && isFree(current)
            ? { ...current, ...lease, ...step }
            : undefined,
        "bulk",
      );
      return stepped.get(walk._id);
    },
  };
}

function createBegin({ queue, commit, now, log }: Dependencies): Walker["begin"] {
  return async (key, scope, start, isBegun = () => false) => {
    const startedAt = now();
    const begun = await commit.change(
      walks,
      [key],
      (_, current): Walk | undefined => {
        if (current && isBegun(current)) return undefined;
        const generation = (current?.epoch ?? 0) + 1;
        const { total, provenAt } = current ?? {};
        const counts = { checked: 0, stale: 0, ...(total !== undefined && { total }) };
        const kept = { ...counts, ...(provenAt && { provenAt }) };
        return {
          ...start,
          queue,
          scope,
          startedAt,
          epoch: generation,
          ...positionToBegin(current, scope),
          ...kept,
          ...released,
        };
      },
      "bulk",
    );
    const walk = begun.get(key);
    if (walk) log.debug({ queue, scope, reason: walk.reason, generation: walk.epoch }, "a walk begins");
    return walk;
  };
}
