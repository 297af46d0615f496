import type { CommunicationPack, Scenario } from "../../schemas/design.ts";
import { fullDesignKey } from "../../schemas/keys.ts";
import type { PackFinding, PackOrder, ScenarioOrder } from "../../schemas/pack.ts";
import { MAX_FAULTS } from "../../schemas/validate.ts";
import { limits } from "../expression/limits.ts";
import { MAX_DEPTH, MAX_PERIOD_ENDS, MAX_SCENARIOS } from "./pack-limits.ts";
import { unknownPackFields } from "./unknown-pack-fields.ts";
import { faultOfPeriod } from "./validity.ts";
import { excessOfSteps, type PackWeight, weighPack } from "./weigh-pack.ts";

/** A pack as it would be stored, with its findings. A pack with an error must not be stored. */
export interface CheckedPack {
  pack: CommunicationPack;
  errors: PackFinding[];
  warnings: PackFinding[];
}

/** Maximum number of errors, and of warnings, in a list. If there are more, the list says so. */
const MAX_FINDINGS = MAX_FAULTS;

/**
 * Checks a pack before it is stored: every expression compiles, every id is unique, and every design exists and belongs to
 * the tenant. Each finding names its scenario and its position in the request, as a JSON pointer.
 */
export function checkPack(order: PackOrder, tenant: string, isKnownDesign: (key: string) => boolean): CheckedPack {
  const { name } = order;
  const all = scenariosOf(order.scenarios);
  if (all.length > MAX_SCENARIOS) {
    const detail = `a pack can have at most ${MAX_SCENARIOS} scenarios, not ${all.length}`;
    return refused(name, { scenario: "", detail });
  }
  const weight = weighPack(all);
  if (weight.refusal) return refused(name, weight.refusal);
  const findings = { errors: createFindings("errors"), warnings: createFindings("warnings") };
  for (const finding of unknownPackFields(order)) findings.errors.add(finding);
  const checkScenarios = createScenarioCheck(all, tenant, isKnownDesign, weight, findings);
  const scenarios = checkScenarios(order.scenarios, "/scenarios", 1);
  const periodEnds = [
    ...new Set(all.flatMap(({ validityPeriod: { from, to } = {} }) => [from ?? [], to ?? []].flat())),
  ];
  for (const detail of excessesOf(order, weight, periodEnds))
    findings.errors.add({ pointer: "/scenarios", scenario: "", detail });
  const { itemKeys } = weight;
  return {
    pack: { name, scenarios, ...(periodEnds.length > 0 && { periodEnds }), ...(itemKeys && { itemKeys }) },
    errors: findings.errors.listed(),
    warnings: findings.warnings.listed(),
  };
}

/** Checks scenarios with their children, and returns them as they would be stored. */
function createScenarioCheck(
  all: readonly ScenarioOrder[],
  tenant: string,
  isKnownDesign: (key: string) => boolean,
  { faultOf }: Pick<PackWeight, "faultOf">,
  { errors, warnings }: Record<"errors" | "warnings", Findings>,
) {
  const given = new Set(all.flatMap(({ id }) => id ?? []));
  const ids = new Set<string>();
  const freeId = createFreeIds((candidate) => given.has(candidate) || ids.has(candidate));

  function checkScenario(scenario: ScenarioOrder, pointer: string, depth: number): Scenario {
    const { name, cel_expression, design_ids, children = [], id: own, ...rest } = scenario;
    const position = { pointer, scenario: name };
    const id = own ?? freeId(name);
    if (ids.has(id)) errors.add({ ...position, pointer: `${pointer}/id`, detail: `the id "${id}" is defined twice` });
    ids.add(id);
    const period = rest.validityPeriod && faultOfPeriod(rest.validityPeriod);
    if (period)
      errors.add({ ...position, pointer: `${pointer}/validityPeriod/${period.field}`, detail: period.detail });
    const fault = faultOf(cel_expression);
    if (fault) errors.add({ ...position, pointer: `${pointer}/cel_expression`, ...fault });
    const isTooDeep = depth >= MAX_DEPTH && children.length > 0;
    const designs = checkDesigns(design_ids, position);
    if (isTooDeep)
      errors.add({ ...position, pointer: `${pointer}/children`, detail: `is more than ${MAX_DEPTH} levels deep` });
    return {
      id,
      name,
      ...(cel_expression !== undefined && { cel_expression }),
      design_ids: designs,
      ...rest,
      children: isTooDeep ? [] : checkScenarios(children, `${pointer}/children`, depth + 1),
    };
  }

  /** Returns the full keys of a scenario's designs. */
  function checkDesigns(designIds: readonly string[], position: { pointer: string; scenario: string }): string[] {
    const pointer = `${position.pointer}/design_ids`;
    if (designIds.length === 0) {
      const detail = "it has no design: labels for which it applies show their background";
      warnings.add({ ...position, pointer, detail });
    }
    return designIds.map((designId, index) => {
      const key = fullDesignKey(tenant, designId);
      const detail = designFault(designId, key, isKnownDesign);
      if (detail) errors.add({ ...position, pointer: `${pointer}/${index}`, detail });
      return key ?? designId;
    });
  }

  function checkScenarios(scenarios: readonly ScenarioOrder[], pointer: string, depth: number): Scenario[] {
    const checked = scenarios.map((scenario, index) => checkScenario(scenario, `${pointer}/${index}`, depth));
    for (const [index, scenario] of scenarios.entries()) {
      const isLast = index === scenarios.length - 1;
      if (isLast || scenario.cel_expression?.trim() || scenario.validityPeriod) continue;
      const detail = "it always applies, so the scenarios after it are never reached";
      warnings.add({ pointer: `${pointer}/${index}`, scenario: scenario.name, detail });
    }
    return checked;
  }

  return checkScenarios;
}

/** Lists the limits that a pack as a whole exceeds. */
function excessesOf(
  { scenarios }: PackOrder,
  { isCut, stepsOf }: Pick<PackWeight, "isCut" | "stepsOf">,
  periodEnds: readonly string[],
): string[] {
  const excesses: string[] = [];
  if (isCut) excesses.push(`${limits.faults} expressions are faulty; the expressions after them were not checked`);
  const tooCostly = excessOfSteps(scenarios, scenariosOf(scenarios), stepsOf);
  if (tooCostly !== undefined) excesses.push(tooCostly);
  if (periodEnds.length > MAX_PERIOD_ENDS) {
    excesses.push(
      `its validity periods can have at most ${MAX_PERIOD_ENDS} different start and end times, not ${periodEnds.length}`,
    );
  }
  return excesses;
}

/** Returns the finding for a pack that is too large: nothing else in it is checked. */
const refused = (name: string, { scenario, detail }: Pick<PackFinding, "scenario" | "detail">): CheckedPack => ({
  pack: { name, scenarios: [] },
  errors: [{ pointer: "/scenarios", scenario, detail }],
  warnings: [],
});

/** Lists the first findings, and counts the others. */
function createFindings(noun: string) {
  const found: PackFinding[] = [];
  let more = 0;
  return {
    add(finding: PackFinding): void {
      if (found.length < MAX_FINDINGS) found.push(finding);
      else more += 1;
    },
    listed: (): PackFinding[] =>
      more === 0 ? found : [...found, { pointer: "/scenarios", scenario: "", detail: `and ${more} more ${noun}` }],
  };
}

/** Returns every scenario of a tree, each before its children. */
const scenariosOf = (roots: readonly ScenarioOrder[]): ScenarioOrder[] =>
  roots.flatMap((scenario) => [scenario, ...scenariosOf(scenario.children ?? [])]);

type Findings = ReturnType<typeof createFindings>;

function designFault(
  given: string,
  key: string | undefined,
  isKnownDesign: (key: string) => boolean,
): string | undefined {
  if (key === undefined) return `"${given}" is not a design of this tenant`;
  return isKnownDesign(key) ? undefined : `the design "${given}" does not exist`;
}

/** Creates unique ids of plain characters from names. */
function createFreeIds(isTaken: (id: string) => boolean): (name: string) => string {
  /**
   * The last number used for each stem. Without it, ten thousand scenarios with one name would each try up to ten thousand ids.
   */
  const lastNumbers = new Map<string, number>();
  return (name) => {
    const stem =
      name
        .toLowerCase()
        .replace(/[^a-z0-9]+/g, "-")
        .replace(/^-|-$/g, "")
        .slice(0, 48) || "scenario";
    let number = lastNumbers.get(stem) ?? 1;
    let id = number === 1 ? stem : `${stem}-${number}`;
    for (; isTaken(id); id = `${stem}-${number}`) number += 1;
    lastNumbers.set(stem, number);
    return id;
  };
}
