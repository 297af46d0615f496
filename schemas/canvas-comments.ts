/** Names from JSON Schema that a design may contain for its author and for editors. They are never stored. */
const isComment = (name: string): boolean => name === "$comment" || name === "$schema";

/**
 * Returns a design without `$schema`, and without `$comment` in any object. A stored design contains only what is drawn:
 * otherwise, a changed comment would redraw every label that shows the design.
 */
export function withoutComments<Value>(value: Value): Value {
  if (Array.isArray(value)) return value.map(withoutComments) as Value;
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value).filter(([name]) => !isComment(name));
  return Object.fromEntries(kept.map(([name, field]) => [name, withoutComments(field)])) as Value;
}
