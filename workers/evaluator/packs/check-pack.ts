import type { CommunicationPack, Scenario } from "../../../schemas/design.ts";
import { fullDesignKey } from "../../../schemas/keys.ts";
import type { PackFinding, PackOrder, ScenarioOrder } from "../../../schemas/pack.ts";
import { compile, ExpressionError } from "../expression/expression.ts";

/** A pack as it would be stored, and what was found in it. With an error it must not be saved. */
export interface CheckedPack {
  pack: CommunicationPack;
  errors: PackFinding[];
  warnings: PackFinding[];
}

const DEPTH = 50;
const SCENARIOS = 10_000;

/**
 * Checks a pack before it is saved: every expression compiles, every id is unique, every design is known and the
 * tenant's own. Each finding names the scenario and the place (decisions, Pipeline).
 */
export function checkPack(order: PackOrder, tenant: string, isKnownDesign: (key: string) => boolean): CheckedPack {
  const errors: PackFinding[] = [];
  const warnings: PackFinding[] = [];
  const given = new Set(order.scenarios.flatMap(idsOf));
  const ids = new Set<string>();
  let count = 0;

  function checkScenario(scenario: ScenarioOrder, pointer: string, depth: number): Scenario {
    const { name, cel_expression, design_ids, children = [], id: own, ...rest } = scenario;
    const place = { pointer, scenario: name };
    count += 1;
    const id = own ?? freeId(name, (one) => given.has(one) || ids.has(one));
    if (ids.has(id)) errors.push({ ...place, pointer: `${pointer}/id`, detail: `the id "${id}" is there twice` });
    ids.add(id);
    const fault = expressionFault(cel_expression);
    if (fault) errors.push({ ...place, pointer: `${pointer}/cel_expression`, ...fault });
    if (design_ids.length === 0) {
      const detail = "it names no design: a label that it holds for shows its background";
      warnings.push({ ...place, pointer: `${pointer}/design_ids`, detail });
    }
    const designs = design_ids.map((one, index) => {
      const key = fullDesignKey(tenant, one);
      const detail = designFault(one, key, isKnownDesign);
      if (detail) errors.push({ ...place, pointer: `${pointer}/design_ids/${index}`, detail });
      return key ?? one;
    });
    const isTooDeep = depth >= DEPTH && children.length > 0;
    if (isTooDeep)
      errors.push({ ...place, pointer: `${pointer}/children`, detail: `is more than ${DEPTH} levels deep` });
    return {
      id,
      name,
      ...(cel_expression !== undefined && { cel_expression }),
      design_ids: designs,
      ...rest,
      children: isTooDeep ? [] : checkScenarios(children, `${pointer}/children`, depth + 1),
    };
  }

  function checkScenarios(scenarios: readonly ScenarioOrder[], pointer: string, depth: number): Scenario[] {
    const checked = scenarios.map((one, index) => checkScenario(one, `${pointer}/${index}`, depth));
    for (const [index, one] of scenarios.entries()) {
      const isLast = index === scenarios.length - 1;
      if (isLast || one.cel_expression?.trim()) continue;
      const detail = "it always holds: the scenarios behind it are never reached";
      warnings.push({ pointer: `${pointer}/${index}`, scenario: one.name, detail });
    }
    return checked;
  }

  const scenarios = checkScenarios(order.scenarios, "/scenarios", 1);
  if (count > SCENARIOS) {
    errors.push({
      pointer: "/scenarios",
      scenario: "",
      detail: `a pack has at most ${SCENARIOS} scenarios, not ${count}`,
    });
  }
  return { pack: { name: order.name, scenarios }, errors, warnings };
}

function expressionFault(source: string | undefined): Pick<PackFinding, "detail" | "line" | "column"> | undefined {
  if (!source?.trim()) return undefined;
  try {
    compile(source.trim());
    return undefined;
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    const leading = source.length - source.trimStart().length;
    return { detail: error.message, ...placeOf(source, leading + error.start) };
  }
}

/** Line and column of an offset, both from 1. */
function placeOf(source: string, offset: number): { line: number; column: number } {
  const before = source.slice(0, offset);
  return { line: before.split("\n").length, column: offset - before.lastIndexOf("\n") };
}

function designFault(
  given: string,
  key: string | undefined,
  isKnownDesign: (key: string) => boolean,
): string | undefined {
  if (key === undefined) return `"${given}" is not a design of this tenant`;
  return isKnownDesign(key) ? undefined : `there is no design "${given}"`;
}

const idsOf = ({ id, children = [] }: ScenarioOrder): string[] => [
  ...(id === undefined ? [] : [id]),
  ...children.flatMap(idsOf),
];

/** An id of plain characters, made from a name, that no other scenario has. */
function freeId(name: string, isTaken: (id: string) => boolean): string {
  const stem =
    name
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, "-")
      .replace(/^-|-$/g, "")
      .slice(0, 48) || "scenario";
  let id = stem;
  for (let number = 2; isTaken(id); number += 1) id = `${stem}-${number}`;
  return id;
}
