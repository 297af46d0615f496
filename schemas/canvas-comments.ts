/** Names of JSON Schema that a design may have for its author and for editors. They are never stored. */
const isComment = (name: string): boolean => name === "$comment" || name === "$schema";

/**
 * A design without `$schema`, and without `$comment` in any of its objects. A stored design has what is drawn: if a
 * comment changed it, every label that shows it would be drawn again.
 */
export function withoutComments<Value>(value: Value): Value {
  if (Array.isArray(value)) return value.map(withoutComments) as Value;
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value).filter(([name]) => !isComment(name));
  return Object.fromEntries(kept.map(([name, field]) => [name, withoutComments(field)])) as Value;
}
