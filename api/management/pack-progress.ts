import { type Static, Type } from "typebox";
import type { Stored } from "../../records/kind.ts";
import { type Walk, walks } from "../../records/kinds/walk.ts";
import type { Records } from "../../records/records.ts";
import { known } from "../../schemas/text.ts";

/** How far the tenant's links are evaluated anew. */
export const PackProgress = Type.Object(
  {
    state: Type.Enum(["none", "running", "done", "superseded"], {
      description:
        "none: no change of the pack has begun an evaluation yet; superseded: a later change of something else " +
        "began another one, which looks at every link as well",
    }),
    reason: known(Type.String({ description: "What began the evaluation" })),
    startedAt: known(Type.String({ description: "ISO 8601, UTC" })),
    finishedAt: known(Type.String({ description: "ISO 8601, UTC; null while it runs" })),
    checked: Type.Integer({ description: "Links that were looked at" }),
    changing: Type.Integer({ description: "Of these, those that another design is chosen for; they are under way" }),
    total: Type.Integer({ description: "Links that there are" }),
  },
  { title: "PackProgress" },
);
type PackProgress = Static<typeof PackProgress>;

/** The walk of the evaluator over a tenant's links. There is one a tenant: a later change begins it anew. */
export async function readWalk(records: Records, tenant: string): Promise<Stored<Walk> | undefined> {
  const key = `${tenant}/walks/evaluator`;
  return (await records.read(walks, [key])).get(key);
}

export function progressOf(pack: string, walk: Walk | undefined, total: number): PackProgress {
  if (walk === undefined)
    return { state: "none", reason: null, startedAt: null, finishedAt: null, checked: 0, changing: 0, total };
  const { reason, startedAt, finishedAt, checked, behind } = walk;
  const isOwn = reason.startsWith(`${pack} `);
  const state = isOwn ? (finishedAt ? "done" : "running") : "superseded";
  return {
    state,
    reason,
    startedAt: startedAt.toISOString(),
    finishedAt: finishedAt?.toISOString() ?? null,
    checked,
    changing: behind,
    total: Math.max(total, checked),
  };
}
