import { celEnv, isCelError, parse, plan } from "@bufbuild/cel";
import { strings } from "@bufbuild/cel/ext";
import test from "ava";
import fc from "fast-check";
import { compile, type Variables } from "../../../../domain/expression/expression.ts";

/** Another implementation of CEL, for comparison. */
const environment = celEnv({ funcs: strings });

/** The result of an expression: its value, or an error. */
type Result = { value: unknown } | "error";

function byReference(source: string, variables: Variables): Result {
  const result = plan(
    environment,
    parse(source),
  )(Object.fromEntries(Object.entries(variables).map(([name, map]) => [name, map as Map<string, string>])));
  return isCelError(result) ? "error" : { value: result };
}

function byUs(source: string, variables: Variables): Result {
  try {
    return { value: compile(source).value(variables) };
  } catch {
    return "error";
  }
}

const texts = fc.constantFrom(
  "",
  "a",
  "Dukat",
  "dukat",
  "special",
  "12.50",
  "9.75",
  "-3",
  "7",
  "1e3",
  "12,50",
  "č",
  "Bio č",
  " x ",
);
/**
 * Neither `""` nor strings with letters, because the reference converts them to 0 and NaN, whereas CEL reports an error. Binary
 * fractions are exact in both, but other decimals are exact only here (docs/rules.md#prices-and-other-numbers).
 */
const prices = fc.constantFrom("12.50", "9.75", "-3", "7", "1e3");
const variables: fc.Arbitrary<Variables> = fc.record({
  item: fc
    .record({ brand: texts, price: prices, kind: texts, "unit price": texts }, { requiredKeys: [] })
    .map((one) => new Map(Object.entries(one))),
  link: fc
    .record({ location: texts, facings: fc.bigInt({ min: 0n, max: 12n }) }, { requiredKeys: [] })
    .map((one) => new Map<string, unknown>(Object.entries(one))),
  device: fc.constantFrom(1317n, 1328n).map((type) => new Map([["type", type]])),
});

/** Expressions of the kinds that authors write: typed, over the product's maps. */
const { truth } = fc.letrec<{ truth: string; text: string; number: string; fraction: string; list: string }>((tie) => {
  const literal = texts.map((text) => JSON.stringify(text));
  const path = fc.constantFrom("item.brand", "item.price", "item.kind", 'item["unit price"]', "item['brand']");
  const price = fc.oneof(
    fc.constant("item.price"),
    prices.map((one) => JSON.stringify(one)),
  );
  const limited = { depthSize: "small", withCrossShrink: true } as const;
  return {
    text: fc.oneof(
      limited,
      literal,
      path,
      path,
      fc.tuple(tie("text"), tie("text")).map(([one, other]) => `(${one} + ${other})`),
      fc.tuple(tie("truth"), tie("text"), tie("text")).map(([one, yes, no]) => `(${one} ? ${yes} : ${no})`),
      fc
        .tuple(tie("text"), fc.constantFrom("lowerAscii", "upperAscii", "trim"))
        .map(([one, name]) => `${one}.${name}()`),
      tie("number").map((one) => `string(${one})`),
      tie("list").map((one) => `${one}.join("-")`),
      fc.tuple(tie("list"), fc.nat({ max: 3 })).map(([one, at]) => `${one}[${at}]`),
    ),
    number: fc.oneof(
      limited,
      fc.constantFrom("0", "1", "3", "7", "-2", "device.type", "link.facings"),
      fc
        .tuple(tie("number"), fc.constantFrom("+", "-", "*", "/", "%"), tie("number"))
        .map((parts) => `(${parts.join(" ")})`),
      tie("text").map((one) => `size(${one})`),
      price.map((one) => `int(${one})`),
      tie("list").map((one) => `${one}.size()`),
    ),
    fraction: fc.oneof(
      limited,
      fc.constantFrom("0.5", "9.75", "-1.25", "1e2"),
      price.map((one) => `double(${one})`),
      tie("number").map((one) => `double(${one})`),
      fc.tuple(tie("fraction"), fc.constantFrom("+", "-", "*"), tie("fraction")).map((parts) => `(${parts.join(" ")})`),
      fc.tuple(tie("fraction"), fc.constantFrom("0.0", "0.5", "-4.0")).map((parts) => `(${parts.join(" / ")})`),
    ),
    list: fc.oneof(
      limited,
      fc.array(tie("text"), { minLength: 1, maxLength: 3 }).map((parts) => `[${parts.join(", ")}]`),
      tie("text").map((one) => `${one}.split(" ")`),
      fc.tuple(tie("list"), tie("truth")).map(([one, inner]) => `${one}.filter(x, x != "a" || ${inner})`),
      tie("list").map((one) => `${one}.map(y, y + "!")`),
      fc.tuple(tie("list"), tie("list")).map(([one, other]) => `(${one} + ${other})`),
    ),
    truth: fc.oneof(
      limited,
      fc.constantFrom("true", "false", "has(item.brand)", "has(item.kind)", '"price" in item', "has(link.location)"),
      fc.tuple(tie("text"), fc.constantFrom("==", "!=", "<", ">="), tie("text")).map((parts) => parts.join(" ")),
      fc
        .tuple(tie("number"), fc.constantFrom("==", "!=", "<", "<=", ">", ">="), tie("number"))
        .map((parts) => parts.join(" ")),
      fc.tuple(tie("fraction"), fc.constantFrom("<", "<=", ">", ">="), tie("fraction")).map((parts) => parts.join(" ")),
      fc.tuple(tie("text"), tie("list")).map(([one, list]) => `${one} in ${list}`),
      fc
        .tuple(tie("text"), fc.constantFrom("contains", "startsWith", "endsWith"), tie("text"))
        .map(([one, name, other]) => `${one}.${name}(${other})`),
      fc
        .tuple(tie("text"), fc.constantFrom("^[A-Z]", "\\\\d+", "a|č$", "(?i)dukat"))
        .map(([one, p]) => `${one}.matches("${p}")`),
      tie("truth").map((one) => `!(${one})`),
      fc
        .tuple(tie("truth"), fc.constantFrom("&&", "||"), tie("truth"))
        .map(([one, op, other]) => `(${one} ${op} ${other})`),
      fc.tuple(tie("truth"), tie("truth"), tie("truth")).map(([one, yes, no]) => `(${one} ? ${yes} : ${no})`),
      fc
        .tuple(tie("list"), fc.constantFrom("all", "exists", "exists_one"), tie("text"))
        .map(([list, name, other]) => `${list}.${name}(z, z == ${other} || z.contains("a"))`),
    ),
  };
});

/** Shelfwire refuses deeply nested macros by design; the reference has no such limit. */
const isWithinLimits = (source: string): boolean => source.length < 4000 && byUsCompiles(source);
function byUsCompiles(source: string): boolean {
  try {
    compile(source);
    return true;
  } catch {
    return false;
  }
}

test("typical expressions return the same results as another CEL implementation", (t) => {
  let compared = 0;
  fc.assert(
    fc.property(truth, variables, (source, given) => {
      if (!isWithinLimits(source)) return;
      compared += 1;
      t.deepEqual(byUs(source, given), byReference(source, given), source);
    }),
    { numRuns: 400 },
  );
  t.true(compared > 250, `${compared} were compared`);
});
