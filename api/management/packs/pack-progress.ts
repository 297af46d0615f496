import { type Static, Type } from "typebox";
import { progressOf } from "../../../queues/walks/walk-progress.ts";
import { walks } from "../../../records/kinds/work.ts";
import type { Records } from "../../../records/records.ts";
import { walkKey } from "../../../schemas/keys.ts";
import { known } from "../../../schemas/text.ts";

/** Progress of the walk that evaluates the tenant's links again. */
export const PackProgress = Type.Object(
  {
    state: Type.Enum(["none", "running", "done", "superseded"], {
      description:
        "none: no change to the pack has started an evaluation yet; superseded: a later change to something else " +
        "started another evaluation, which also covers every link",
    }),
    reason: known(Type.String({ description: "What started the evaluation" })),
    startedAt: known(Type.String({ description: "ISO 8601, UTC" })),
    finishedAt: known(Type.String({ description: "ISO 8601, UTC; null while it is running" })),
    checked: Type.Integer({ description: "Number of links evaluated so far" }),
    changing: Type.Integer({ description: "Number of these links that get a different design" }),
    total: Type.Integer({
      description: "Number of links to evaluate; while the evaluation is running, the number at the last evaluation",
    }),
  },
  { title: "PackProgress" },
);
type PackProgress = Static<typeof PackProgress>;

/**
 * Returns the progress of the walk that follows a pack change. A tenant has one walk; a later change restarts it from its
 * current position. `countLinks` is called only if no walk of the tenant has ended yet.
 */
export async function readPackProgress(
  records: Records,
  tenant: string,
  pack: string,
  countLinks: () => Promise<number>,
): Promise<PackProgress> {
  const key = walkKey(tenant, "evaluator");
  const walk = (await records.read(walks, [key])).get(key);
  if (walk === undefined) {
    const never = { reason: null, startedAt: null, finishedAt: null, checked: 0, changing: 0 };
    return { state: "none", ...never, total: await countLinks() };
  }
  const { reason, startedAt, finishedAt, checked, stale, total } = progressOf(walk);
  const isOwn = reason.startsWith(`${pack} `);
  return {
    state: isOwn ? (finishedAt ? "done" : "running") : "superseded",
    reason,
    startedAt: startedAt.toISOString(),
    finishedAt: finishedAt?.toISOString() ?? null,
    checked,
    changing: stale,
    total: total ?? (await countLinks()),
  };
}
