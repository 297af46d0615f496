import type { CommunicationPack, Scenario } from "../../../schemas/design.ts";
import { fullDesignKey } from "../../../schemas/keys.ts";
import type { PackFinding, PackOrder, ScenarioOrder } from "../../../schemas/pack.ts";
import { compile, ExpressionError } from "../expression/expression.ts";

/** A pack as it would be stored, with its findings. A pack with an error must not be stored. */
export interface CheckedPack {
  pack: CommunicationPack;
  errors: PackFinding[];
  warnings: PackFinding[];
}

const MAX_DEPTH = 50;
const MAX_SCENARIOS = 10_000;

/**
 * Checks a pack before it is stored: every expression compiles, every id is unique, every design exists and belongs to
 * the tenant. Each finding names its scenario and its position in the request, as a JSON pointer.
 */
export function checkPack(order: PackOrder, tenant: string, isKnownDesign: (key: string) => boolean): CheckedPack {
  const errors: PackFinding[] = [];
  const warnings: PackFinding[] = [];
  const given = new Set(order.scenarios.flatMap(idsOf));
  const ids = new Set<string>();
  let count = 0;

  function checkScenario(scenario: ScenarioOrder, pointer: string, depth: number): Scenario {
    const { name, cel_expression, design_ids, children = [], id: own, ...rest } = scenario;
    const position = { pointer, scenario: name };
    count += 1;
    const id = own ?? freeId(name, (candidate) => given.has(candidate) || ids.has(candidate));
    if (ids.has(id)) errors.push({ ...position, pointer: `${pointer}/id`, detail: `the id "${id}" is there twice` });
    ids.add(id);
    const fault = expressionFault(cel_expression);
    if (fault) errors.push({ ...position, pointer: `${pointer}/cel_expression`, ...fault });
    if (design_ids.length === 0) {
      const detail = "it names no design: a label that it holds for shows its background";
      warnings.push({ ...position, pointer: `${pointer}/design_ids`, detail });
    }
    const designs = design_ids.map((designId, index) => {
      const key = fullDesignKey(tenant, designId);
      const detail = designFault(designId, key, isKnownDesign);
      if (detail) errors.push({ ...position, pointer: `${pointer}/design_ids/${index}`, detail });
      return key ?? designId;
    });
    const isTooDeep = depth >= MAX_DEPTH && children.length > 0;
    if (isTooDeep)
      errors.push({ ...position, pointer: `${pointer}/children`, detail: `is more than ${MAX_DEPTH} levels deep` });
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
    const checked = scenarios.map((scenario, index) => checkScenario(scenario, `${pointer}/${index}`, depth));
    for (const [index, scenario] of scenarios.entries()) {
      const isLast = index === scenarios.length - 1;
      if (isLast || scenario.cel_expression?.trim()) continue;
      const detail = "it always holds: the scenarios behind it are never reached";
      warnings.push({ pointer: `${pointer}/${index}`, scenario: scenario.name, detail });
    }
    return checked;
  }

  const scenarios = checkScenarios(order.scenarios, "/scenarios", 1);
  if (count > MAX_SCENARIOS) {
    errors.push({
      pointer: "/scenarios",
      scenario: "",
      detail: `a pack has at most ${MAX_SCENARIOS} scenarios, not ${count}`,
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
    return { detail: error.message, ...positionOf(source, leading + error.start) };
  }
}

/** Line and column of an offset, both counted from 1. */
function positionOf(source: string, offset: number): { line: number; column: number } {
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

/** Makes an id of plain characters from a name, unlike all ids that are taken. */
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
