import { uniformInt } from "pure-rand/distribution/uniformInt";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";
import type { Variables } from "../../../domain/expression/expression.ts";

const full = (part: string): string => part.repeat(Math.floor(4096 / part.length));

/** Strings of the maximum size, by the key of their property. Each is the worst case for an operation. */
const texts: Readonly<Record<string, string>> = {
  a: full("a"),
  ab: full("ab"),
  half: "a".repeat(2048),
  middle: `${"a".repeat(1000)}b${"a".repeat(1000)}`,
  late: `b${"a".repeat(2047)}`,
  commas: full("a,"),
  wide: full("č"),
  mixed: full("Ač"),
  growing: full("ΐ"),
  digits: full("1"),
  price: "12.50",
  long: "1h".repeat(64),
  time: "2026-01-31T08:00:00.123456789+01:00",
  zone: "Pacific/Apia",
  pattern: "(?i)\\PL\\PN\\PL\\PN\\PL\\PN\\PL\\PN",
  broken: "(".repeat(60),
};

/** An item at its limits: 256 properties of 4,096 characters. */
export const costlyVariables: Variables = {
  item: new Map([
    ...Object.entries(texts),
    ...Array.from({ length: 256 - Object.keys(texts).length }, (_, index): [string, string] => [
      `key${index}`.padEnd(128, "k"),
      full(String.fromCharCode(97 + (index % 26))),
    ]),
  ]),
  link: { location: "a".repeat(128), facings: 3n },
  device: { type: 1328n },
};

/** One expression for each operation, on a one-character string `x`. The operation is repeated until all steps are used. */
const operations = [
  "true",
  'x == "b"',
  'x < "b"',
  'x + x == "aa"',
  "item[x] == item[x]",
  "has(item.ab) && x == x",
  'x in ["b", "c", "d"]',
  "[x, x, x].size() == 3",
  '{"k": x} == {"k": x}',
  "[[[[x]]]] == [[[[x]]]]",
  "dyn([[x]]) == dyn([[x]])",
  "[item, item] == [item, item]",
  "link.location.startsWith(x)",
  "dyn(x).contains(dyn(x))",
  "device.type in [1, 2, 3]",
  "device.type < 3.5",
  "double(item.price) > 1.0",
  "double(item.digits) > 1.0",
  "string(1.1234567) == x",
  "size(item.wide) == 3",
  "type(dyn(x)) == string",
  "bytes(item.wide) == bytes(item.wide)",
  "string(bytes(item.wide)) == x",
  "item.a.contains(item.middle)",
  "item.a.lastIndexOf(item.half) == 3",
  "item.ab.indexOf(item.middle) == 3",
  'item.a.split("").size() == 1',
  'item.a.split("a", 3).size() == 1',
  "item.price.split('').join(item.a) == x",
  "item.mixed.lowerAscii() == x",
  "item.growing.upperAscii() == x",
  "item.a.trim() == x",
  "(item.a + item.wide) == (item.wide + item.a)",
  "duration(item.long) > duration(item.long)",
  "timestamp(item.time) > timestamp(item.time)",
  "timestamp(item.time).getDayOfYear() == 1",
  "timestamp(item.time).getHours(item.zone) == 1",
  'string(duration("1.5s")) == x',
  'x.matches("^(a+)+$")',
  'item.ab.matches("(a|b)*a(a|b){10}c|[ab]$x")',
  'item.wide.matches("(?i)[\\\\pL\\\\pN]*x")',
  "item.price.matches(item.pattern)",
  "item.price.matches(item.broken)",
  "1 / 0 == 1",
  'x.split("")[5] == x',
  "double(x) > 1.0",
  "bool(x)",
  "link.nothing == x",
  "item.all(k, true)",
  "item.map(k, k) == item.map(k, k)",
  "cel.bind(y, x + x, y + y == x)",
  "-(-(-(device.type))) == 1",
];

/** Every operation by itself, in a macro that never ends early and in a macro that absorbs errors. */
export const operationExpressions: readonly string[] = operations.flatMap((operation) => [
  `item.a.split("").exists(x, (${operation}) && false)`,
  `item.a.split("").all(x, (${operation}) || true)`,
]);

/**
 * Generates expressions that combine the functions at random, and then combine one another. A seed always produces the same
 * expressions.
 */
export function* randomExpressions(seed: number): Generator<string, never> {
  const generator = xoroshiro128plus(seed);
  const below = (count: number): number => uniformInt(generator, 0, count - 1);
  const pick = <T>(choices: readonly T[]): T => choices[below(choices.length)] as T;
  const either = (...makers: (() => string)[]): string => pick(makers)();
  const keys = Object.keys(texts);

  function text(depth: number, names: readonly string[]): string {
    if (depth <= 0 || below(3) === 0) {
      if (names.length > 0 && below(2) === 0) return pick(names);
      return below(4) > 0 ? `item.${pick(keys)}` : pick(['""', '","', '"a"', "link.location"]);
    }
    const anyText = () => text(depth - 1, names);
    return either(
      () => `(${anyText()} + ${anyText()})`,
      () => `${list(depth - 1, names)}.join(${anyText()})`,
      () => `${anyText()}.${pick(["lowerAscii", "upperAscii", "trim"])}()`,
      () => `string(bytes(${anyText()}))`,
      () => `(${truth(depth - 1, names)} ? ${anyText()} : ${anyText()})`,
      () => `cel.bind(b${depth}, ${anyText()}, ${text(depth - 1, [...names, `b${depth}`])})`,
      () => `${list(depth - 1, names)}[${below(3)}]`,
    );
  }

  function list(depth: number, names: readonly string[]): string {
    if (depth <= 0 || below(2) === 0) return `${text(depth - 1, names)}.split(${pick(['""', '","', "item.half"])})`;
    const name = `x${depth}`;
    const inner = [...names, name];
    return either(
      () => `(${list(depth - 1, names)} + ${list(depth - 1, names)})`,
      () => `${range(depth - 1, names)}.map(${name}, ${text(depth - 1, inner)})`,
      () => `${range(depth - 1, names)}.filter(${name}, ${truth(depth - 1, inner)})`,
      () => `[${Array.from({ length: 1 + below(60) }, () => text(0, names)).join(", ")}]`,
    );
  }

  const range = (depth: number, names: readonly string[]): string => (below(3) === 0 ? "item" : list(depth, names));

  function truth(depth: number, names: readonly string[]): string {
    if (depth <= 0) return pick(["true", "false", "1 / 0 == 1", "double(item.a) > 1.0"]);
    const name = `y${depth}`;
    const anyText = () => text(depth - 1, names);
    const inner = () => truth(depth - 1, [...names, name]);
    return either(
      () => `${anyText()} ${pick(["==", "<"])} ${anyText()}`,
      () => `${list(depth - 1, names)} == ${list(depth - 1, names)}`,
      () => `(${truth(depth - 1, names)} ${pick(["&&", "||"])} ${truth(depth - 1, names)})`,
      () => `!(${truth(depth - 1, names)})`,
      () => `${range(depth - 1, names)}.${pick(["all", "exists", "exists_one"])}(${name}, ${inner()})`,
      () => `${range(depth - 1, names)}.${pick(["all", "exists", "exists_one"])}(${name}, ${inner()})`,
      () => `${anyText()}.${pick(["contains", "startsWith", "endsWith"])}(${anyText()})`,
      () => `${anyText()} in ${list(depth - 1, names)}`,
      () => `${anyText()}.${pick(["indexOf", "lastIndexOf"])}(${anyText()}) > 3`,
      () => `size(${anyText()}) < ${list(depth - 1, names)}.size()`,
      () => `${anyText()}.matches(${pick(["item.pattern", '"^(a+)+$"', '"(a|b)*a(a|b){10}$"', '"[ab]*č"'])})`,
      () => `timestamp(item.time).getHours(${pick(["", "item.zone"])}) == 1`,
      () => `duration(${anyText()}) > duration("1s")`,
    );
  }

  const made: string[] = [];
  for (;;) {
    const next = made.length > 20 && below(2) === 0 ? combined(pick(made), pick(made)) : truth(2 + below(4), []);
    if (next.length > 4096) continue;
    made.push(next);
    yield next;
  }

  function combined(one: string, other: string): string {
    return either(
      () => `(${one}) || (${other})`,
      () => `(${one}) && (${one})`,
      () => `item.exists(k, ${one})`,
      () => `item.ab.split("").all(k, ${one})`,
      () => `${one.padEnd(3000)} || ${other}`,
    );
  }
}
