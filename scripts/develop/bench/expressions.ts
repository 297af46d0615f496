import { Environment } from "@marcbachmann/cel-js";
import { uniformInt } from "pure-rand/distribution/uniformInt";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";
import { compile, ExpressionError, type Variables } from "../../../domain/expression/expression.ts";
import { type Case, scenarioVariables } from "../../../domain/expression/variables.ts";
import { compilePack } from "../../../domain/packs/compile-pack.ts";
import { createPackEvaluator } from "../../../domain/packs/pack-evaluator.ts";
import type { Scenario } from "../../../schemas/design.ts";
import type { Item } from "../../../schemas/item.ts";
import { costlyVariables, operationExpressions, randomExpressions } from "./costly-expressions.ts";
import { printRow } from "./report.ts";

/** Measures expressions: the cost of the guards, the costliest evaluation, and a pack change for 100,000 links. */
export async function benchExpressions(): Promise<void> {
  benchGuards();
  benchWorst();
  for (const items of [10_950, 1000]) for (const scenarios of [10, 100, 1000]) benchPackChange(scenarios, items);
}

/** Returns the CPU seconds of this process, which do not depend on other processes. */
function cpu(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

/** Returns the minimum of several measurements, because all other work of the process only adds to them. */
function minCpu(times: number, work: () => void): number {
  return Math.min(
    ...Array.from({ length: times }, () => {
      const began = cpu();
      work();
      return cpu() - began;
    }),
  );
}

const typical = [
  'item.brand == "brand7"',
  'has(item.priceKind) && item.priceKind == "special"',
  'double(item.price) > 9.99 && item.category == "c7"',
  'device.type in [1317, 1328] && item.department == "d3"',
  'item.brand in ["brand1", "brand2", "brand3"] || item.itemName.contains("Bio")',
];

/** Returns the library's own program of an expression, without guards. */
function bare(source: string): (variables: Variables) => unknown {
  const roots = { item: "map<string, string>", link: "map", device: "map" };
  const environment = new Environment({ homogeneousAggregateLiterals: false });
  for (const [root, type] of Object.entries(roots)) environment.registerVariable(root, type);
  const program = environment.parse(source);
  program.check();
  return program;
}

function benchGuards(): void {
  const times = 100_000;
  const [given] = casesOf(1, 1);
  const variables = scenarioVariables((given as Case).item, {}, 1328);
  const guarded = typical.map((source) => compile(source));
  const programs = typical.map(bare);
  const seconds = minCpu(5, () => {
    for (let time = 0; time < times; time += 1) for (const expression of guarded) expression.evaluate(variables);
  });
  const baseline = minCpu(5, () => {
    for (let time = 0; time < times; time += 1) for (const program of programs) program(variables);
  });
  printRow({
    what: "evaluation with its guards",
    against: "a bare precompiled evaluate of the library",
    rate: (times * typical.length) / seconds,
    baseline: (times * typical.length) / baseline,
    unit: "evaluations",
    minRatio: 0.25,
  });
}

const RANDOM_EXPRESSIONS = 1500;
const LIMIT_SECONDS = 0.01;

/** Measures the costliest evaluation among all operations and random combinations, on an item at its limits. */
function benchWorst(): void {
  const random = randomExpressions(7);
  const sources = [...operationExpressions, ...Array.from({ length: RANDOM_EXPRESSIONS }, () => random.next().value)];
  const measured = sources.flatMap((source) => {
    const seconds = secondsOf(source);
    return seconds === undefined ? [] : [{ source, seconds }];
  });
  // The costliest evaluations are measured again, because another process or a garbage collection may have disturbed the first
  // measurement.
  const worst = measured
    .toSorted((a, b) => b.seconds - a.seconds)
    .slice(0, 20)
    .map(({ source }) => ({ source, seconds: secondsOf(source, 10) ?? 0 }))
    .toSorted((a, b) => b.seconds - a.seconds);
  for (const { source, seconds } of worst.slice(0, 5))
    process.stdout.write(`     ${(1000 * seconds).toFixed(2)} ms of CPU  ${source.replace(/ +/g, " ").slice(0, 90)}\n`);
  printRow({
    what: `the costliest evaluation of ${measured.length} (${RANDOM_EXPRESSIONS} random ones) on 256 properties of 4,096 characters`,
    against: "one of 10 ms of CPU",
    rate: 1 / (worst[0]?.seconds ?? LIMIT_SECONDS),
    baseline: 1 / LIMIT_SECONDS,
    unit: "evaluations",
    minRatio: 1,
  });
}

/** Returns the CPU seconds of one evaluation. Undefined if the expression is rejected. */
function secondsOf(source: string, times = 3): number | undefined {
  try {
    const { evaluate } = compile(source);
    evaluate(costlyVariables);
    return minCpu(times, () => {
      evaluate(costlyVariables);
    });
  } catch (error) {
    if (error instanceof ExpressionError) return undefined;
    throw error;
  }
}

const LINKS = 100_000;

/** Creates links for a pack change: stores with the same list, each with its own records, and one label for each item. */
function casesOf(count: number, itemCount: number): Case[] {
  const generator = xoroshiro128plus(1);
  const below = (limit: number): number => uniformInt(generator, 0, limit - 1);
  const items = Array.from({ length: itemCount }, (_, index): Item => {
    const properties = {
      brand: `brand${below(400)}`,
      category: `c${below(60)}`,
      priceKind: below(5) === 0 ? "special" : "regular",
      quantity: `${1 + below(5)}`,
      unit: "kg",
      unitPrice: (below(9000) / 100).toFixed(2),
      ean: `${3_850_000_000_000 + index}`,
      ...(below(5) === 0 && { lowestPrice30: "1.99" }),
    };
    return {
      itemId: `${90_000_000 + index}`,
      itemName: `${["Bio ", ""][below(2)]}Product ${index}`,
      price: (below(4000) / 100).toFixed(2),
      itemGroup: `g${below(40)}`,
      department: `d${below(8)}`,
      sics: [],
      properties: Object.entries(properties).map(([key, value]) => ({ key, value, stamp: 1 })),
      stamps: {},
      created: 1,
    };
  });
  const types = items.map(() => [1317, 1328, 1340][below(3)] as number);
  return Array.from({ length: count }, (_, index) => ({
    item: structuredClone(items[index % items.length] as Item),
    link: { location: `aisle ${below(40)}` },
    type: types[index % items.length] as number,
  }));
}

/** Creates a tree of scenarios, with the kinds of expressions that authors write. */
function packOf(count: number): { scenarios: Scenario[] } {
  const generator = xoroshiro128plus(2);
  const below = (limit: number): number => uniformInt(generator, 0, limit - 1);
  const kinds: (() => string)[] = [
    () => `item.category == "c${below(60)}"`,
    () => `has(item.priceKind) && item.priceKind == "special" && item.department == "d${below(8)}"`,
    () => `double(item.price) > ${below(40)}.99 && item.category.startsWith("c${below(6)}")`,
    () => `item.brand in ["brand${below(400)}", "brand${below(400)}", "brand${below(400)}"]`,
    () => `has(item.lowestPrice30) && double(item.price) <= double(item.lowestPrice30) * 0.${1 + below(9)}`,
    () => `item.department == "d${below(8)}" && item.itemGroup == "g${below(40)}"`,
    () => `device.type in [1317, 1340] && item.brand.endsWith("${below(10)}")`,
  ];
  const all: Scenario[] = [];
  const roots: Scenario[] = [];
  for (let index = 0; index < count; index += 1) {
    const own: Scenario = {
      id: `s${index}`,
      name: `Scenario ${index}`,
      cel_expression: kinds[index % kinds.length]?.() ?? "true",
      design_ids: [`t/demo/designs/d${index}`],
      children: [],
    };
    // Half of the scenarios are roots, like a store's categories, with special cases below them.
    const parent = index % 2 === 1 ? all[below(all.length)] : undefined;
    (parent?.children ?? roots).push(own);
    all.push(own);
  }
  return { scenarios: roots };
}

interface BareScenario {
  program(variables: Variables): unknown;
  children: BareScenario[];
}

/** Applies rule 3 with the library's own programs: one precompiled evaluation for each scenario that the search visits. */
function holdsAny(scenarios: readonly BareScenario[], variables: Variables): boolean {
  for (const { program, children } of scenarios) {
    if (!isTrue(program, variables)) continue;
    holdsAny(children, variables);
    return true;
  }
  return false;
}

function isTrue(program: (variables: Variables) => unknown, variables: Variables): boolean {
  try {
    return program(variables) === true;
  } catch {
    // The library's own program throws if a property is missing.
    return false;
  }
}

function benchPackChange(scenarios: number, items: number): void {
  const cases = casesOf(LINKS, items);
  const pack = packOf(scenarios);
  const compiled = compilePack(pack, (_, error) => {
    throw error;
  });
  const bareOf = (trees: readonly Scenario[]): BareScenario[] =>
    trees.map(({ cel_expression = "", children }) => ({ program: bare(cel_expression), children: bareOf(children) }));
  const programs = bareOf(pack.scenarios);
  const seconds = minCpu(5, () => {
    const choose = createPackEvaluator(compiled, () => undefined);
    for (const given of cases) choose(given);
  });
  const sample = cases.filter((_, index) => index % 5 === 0);
  const baseline = minCpu(3, () => {
    for (const { item, link, type } of sample) holdsAny(programs, scenarioVariables(item, link, type));
  });
  printRow({
    what: `evaluation of ${LINKS} links of ${items} items in ${Math.ceil(LINKS / items)} stores, pack change, ${scenarios} scenarios`,
    against: "one precompiled evaluate of the tree per link",
    rate: LINKS / seconds,
    baseline: sample.length / baseline,
    unit: "links",
    minRatio: 5,
  });
}
