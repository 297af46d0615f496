import type { Position, Walk } from "../../records/kinds/work.ts";

/**
 * Start position of a walk that replaces another one of its key: the position of the previous one, so that walks that
 * start more often than one lasts still reach every key. It ends where it began.
 */
export function positionToBegin(present: Walk | undefined, scope: string): Position & Pick<Walk, "began"> {
  const isUnderWay = present !== undefined && present.finishedAt === undefined && present.scope === scope;
  if (!isUnderWay || (present.stage === 0 && present.cursor === undefined)) return { stage: 0 };
  const position = { stage: present.stage, ...(present.cursor !== undefined && { cursor: present.cursor }) };
  return { ...position, began: position };
}

/** Returns where a walk continues after the last key of its stage; undefined if that is its end. */
export function positionAfterStage(walk: Walk, stages: number): Partial<Walk> | undefined {
  const { stage, began, wrapped = false } = walk;
  if (began === undefined) return stage + 1 < stages ? { stage: stage + 1, cursor: undefined } : undefined;
  if (wrapped && stage >= began.stage) return undefined;
  const next = stage + 1 < stages ? { stage: stage + 1, wrapped } : { stage: 0, wrapped: true };
  if (next.wrapped && next.stage === began.stage && began.cursor === undefined) return undefined;
  return { ...next, cursor: undefined };
}

/** The last key that a walk checks in its stage; undefined if that is the last one there is. */
export const lastKeyOf = ({ stage, began, wrapped }: Walk): string | undefined =>
  wrapped && began?.stage === stage ? began.cursor : undefined;

/** The keys up to `last`, in the order of the database: by their bytes. */
export function keysThrough(keys: readonly string[], last: string | undefined): readonly string[] {
  if (last === undefined) return keys;
  const end = Buffer.from(last);
  return keys.filter((key) => Buffer.compare(Buffer.from(key), end) <= 0);
}
