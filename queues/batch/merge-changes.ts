import type { Change } from "../../schemas/topics.ts";

/**
 * Merges the changes of each key into one: the newest rev and operation, all changed fields, and the higher urgency. Merged
 * changes have no `itemKeys`.
 */
export function mergeChanges(changes: readonly Change[]): Change[] {
  const merged = new Map<string, Change>();
  for (const change of changes) {
    const earlier = merged.get(change.key);
    merged.set(change.key, earlier === undefined ? change : mergeTwo(earlier, change));
  }
  return [...merged.values()];
}

function mergeTwo(first: Change, second: Change): Change {
  const [older, { itemKeys: _, formerRev: __, ...newer }] = first.rev <= second.rev ? [first, second] : [second, first];
  return {
    ...newer,
    changed: [...new Set([...older.changed, ...newer.changed])],
    urgency: older.urgency === "interactive" ? "interactive" : newer.urgency,
  };
}
