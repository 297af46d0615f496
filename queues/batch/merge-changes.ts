import type { Change } from "../../schemas/topics.ts";

/** One change a key: the latest rev and operation, everything that changed, the more urgent class. */
export function mergeChanges(changes: readonly Change[]): Change[] {
  const merged = new Map<string, Change>();
  for (const change of changes) {
    const other = merged.get(change.key);
    merged.set(change.key, other === undefined ? change : mergeTwo(other, change));
  }
  return [...merged.values()];
}

function mergeTwo(one: Change, other: Change): Change {
  const [older, newer] = one.rev <= other.rev ? [one, other] : [other, one];
  return {
    ...newer,
    changed: [...new Set([...older.changed, ...newer.changed])],
    urgency: older.urgency === "interactive" ? "interactive" : newer.urgency,
  };
}
