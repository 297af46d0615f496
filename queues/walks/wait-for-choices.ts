import type { Db } from "mongodb";
import { communicationPacks } from "../../records/kinds/designs.ts";
import { publications } from "../../records/kinds/publishing.ts";
import { tenants } from "../../records/kinds/tenants.ts";
import { type Walk, walks } from "../../records/kinds/work.ts";
import type { Records } from "../../records/records.ts";
import { designKey, keysUnder, publicationKey, tenantOf, walkKey } from "../../schemas/keys.ts";
import type { Publication } from "../../schemas/publication.ts";
import type { Stored } from "../../schemas/record.ts";
import { isAudit } from "../changes/audit-key.ts";
import { hasPassed } from "../changes/second-look.ts";
import type { Publisher } from "../publish/publisher.ts";

interface Dependencies {
  db: Db;
  records: Pick<Records, "readFields">;
  publisher: Pick<Publisher, "partitions">;
  /** By the database's clock. */
  now(): Date;
}

/** The queues through which the rules' choice reaches the renderer. */
const QUEUES_OF_CHOICES = ["evaluator", "link"] as const;
/** If the evaluator shows no activity for this long, a walk stops waiting: labels may then be drawn twice, but not too late. */
export const SILENCE_MS = 30_000;
/** A walk waits at most this long, no matter for how many links the rules must choose. */
const MAX_HELD_MS = 600_000;

/**
 * Returns a function that decides whether a renderer's walk must wait until the rules have chosen. If a canvas and rules go
 * live together, each starts a walk. A label whose design changes is drawn when its link changes. If the renderer walks later,
 * it finds such labels drawn; if it walked earlier, it would draw them with the design that they are about to lose.
 */
export function createWaitForChoices({ db, records, publisher, now }: Dependencies) {
  /** Whether a publication of the tenant is under way; its rules come last. */
  async function isPublishing(tenant: string): Promise<boolean> {
    const found = await db
      .collection<Stored<Publication>>(publications.name)
      .findOne({ _id: keysUnder(publicationKey(tenant, "")), state: "PUBLISHING" }, { projection: { _id: 1 } });
    return found !== null;
  }

  const readUnfinished = async (tenant: string): Promise<Stored<Walk>[]> => {
    const unfinished = { queue: "evaluator", finishedAt: null as unknown as Date, _id: keysUnder(`${tenant}/`) };
    const found = await db.collection<Stored<Walk>>(walks.name).find(unfinished).toArray();
    return found.filter((walk) => !isAudit(walk, "evaluator"));
  };

  /** Reads when the tenant's active pack was written, in milliseconds. */
  async function readPackTime(tenant: string): Promise<number> {
    const active = (await records.readFields(tenants, [tenant], ["communicationPack"])).get(tenant)?.communicationPack;
    const pack =
      active === undefined ? undefined : (await records.readFields(communicationPacks, [active], [])).get(active);
    return pack?.rev ?? 0;
  }

  async function areQueued(since: Date): Promise<boolean> {
    const passed = QUEUES_OF_CHOICES.map((queue) => hasPassed(publisher.partitions(queue), db, since, now()));
    return (await Promise.all(passed)).some((one) => !one);
  }

  return async (walk: Pick<Walk, "scope" | "startedAt" | "reason">): Promise<boolean> => {
    const at = now().getTime();
    if (at - walk.startedAt.getTime() > MAX_HELD_MS) return false;
    const tenant = tenantOf(walk.scope);
    const [isUnderWay, unfinished, last, packTime] = await Promise.all([
      isPublishing(tenant),
      readUnfinished(tenant),
      records.readFields(walks, [walkKey(tenant, "evaluator")], ["startedAt", "finishedAt", "stale"]),
      readPackTime(tenant),
    ]);
    const chosen = last.get(walkKey(tenant, "evaluator"));
    const changed = Math.max(packTime, timeOfDesign(walk.reason));
    const isRecent = (time: number) => at - time < SILENCE_MS;
    const isToBegin = changed > (chosen?.startedAt.getTime() ?? 0) && isRecent(changed);
    if (isUnderWay || isToBegin || unfinished.some(({ changedAt }) => isRecent(changedAt.getTime()))) return true;
    return chosen?.finishedAt !== undefined && chosen.stale > 0 && areQueued(chosen.finishedAt);
  };
}

/**
 * Returns the time of the design change that a walk follows, since such a change also causes rules to be evaluated; 0 for any
 * other walk.
 */
function timeOfDesign(reason: string): number {
  const [key = "", rev] = reason.split(" is at rev ");
  return key.startsWith(designKey(tenantOf(key), "")) ? Number(rev) : 0;
}
