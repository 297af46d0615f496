import test from "ava";
import fc from "fast-check";
import { mapOf, pairsOf } from "../../schemas/string-map.ts";

test("a map is restored unchanged, whatever its keys", (t) => {
  const key = fc.oneof(fc.string(), fc.constantFrom("__proto__", "constructor", "$set", "unit.price", ""));
  fc.assert(
    fc.property(fc.array(fc.tuple(key, fc.string())), (entries) => {
      const text = `{${entries.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join(",")}}`;
      const map = JSON.parse(text);
      t.is(JSON.stringify(mapOf(pairsOf(map))), JSON.stringify(map));
    }),
  );
});
