import type { Position, Walk } from "../../records/kinds/work.ts";

/**
 * Returns the start position of a walk that replaces another walk with the same key: the position of the previous walk. So walks
 * reach every key even if they start more often than they can finish. A walk ends where it began.
 */
export function positionToBegin(present: Walk | undefined, scope: string): Position & Pick<Walk, "began"> {
  const isUnderWay = present !== undefined && present.finishedAt === undefined && present.scope === scope;
  if (!isUnderWay || (present.stage === 0 && present.cursor === undefined)) return { stage: 0 };
  const position = { stage: present.stage, ...(present.cursor !== undefined && { cursor: present.cursor }) };
  return { ...position, began: position };
}

/** Returns where a walk continues after the last key of its stage; undefined if the walk ends there. */
export function positionAfterStage(walk: Walk, stages: number): Partial<Walk> | undefined {
  const { stage, began, wrapped = false } = walk;
  if (began === undefined) return stage + 1 < stages ? { stage: stage + 1, cursor: undefined } : undefined;
  if (wrapped && stage >= began.stage) return undefined;
  const next = stage + 1 < stages ? { stage: stage + 1, wrapped } : { stage: 0, wrapped: true };
  if (next.wrapped && next.stage === began.stage && began.cursor === undefined) return undefined;
  return { ...next, cursor: undefined };
}

/** Returns the last key that a walk checks in its stage; undefined if it checks to the end. */
export const lastKeyOf = ({ stage, began, wrapped }: Walk): string | undefined =>
  wrapped && began?.stage === stage ? began.cursor : undefined;

/** Returns the keys up to `last`, in the database's order, which is by bytes. */
export function keysThrough(keys: readonly string[], last: string | undefined): readonly string[] {
  if (last === undefined) return keys;
  const end = Buffer.from(last);
  return keys.filter((key) => Buffer.compare(Buffer.from(key), end) <= 0);
}
