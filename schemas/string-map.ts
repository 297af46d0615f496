import { Type } from "typebox";
import { wellFormed } from "./text.ts";

/** A map of strings in a body or a response. */
export const StringMap = Type.Unsafe<Record<string, string>>({
  type: "object",
  additionalProperties: Type.String({ maxLength: 4096, ...wellFormed }),
  propertyNames: Type.String({ minLength: 1, maxLength: 128, ...wellFormed }),
  maxProperties: 256,
});

/** A map in a record: pairs, because a key may be `unit.price`, `$set` or `__proto__`. */
export const Pairs = Type.Array(Type.Object({ key: Type.String(), value: Type.String() }));

interface Pair {
  key: string;
  value: string;
}

export const pairsOf = (map: Readonly<Record<string, string>>): Pair[] =>
  Object.entries(map).map(([key, value]) => ({ key, value }));

/** Pairs as a plain object. `defineProperty` makes an own property of any name, `__proto__` included. */
export function mapOf(pairs: readonly Pair[]): Record<string, string> {
  const map = {};
  for (const { key, value } of pairs) Object.defineProperty(map, key, { value, enumerable: true });
  return map;
}
