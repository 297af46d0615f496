import { LRUCache } from "lru-cache";
import { compilePack, type LoadedPack } from "../../../domain/packs/compile-pack.ts";
import { type ChoiceCounts, type ChooseScenario, createPackEvaluator } from "../../../domain/packs/pack-evaluator.ts";
import type { Scenario } from "../../../schemas/design.ts";

/** What pack evaluators report and count. */
export interface PackEvaluatorOptions {
  /** Called with one line for each expression of a stored pack that does not compile. */
  log: { error(fields: object, message: string): void };
  /** Called for each link for which an expression could not be evaluated, for instance because a value is not a number. */
  onEvaluationFault?(pack: string, scenario: Pick<Scenario, "id" | "name">, error: string): void;
  /** Counts lookups of cached choices. */
  choiceCounts?: ChoiceCounts;
}

/** Maximum number of compiled packs in this process, by key and rev, each with a cache of at most about 8 MB. */
const MAX_PACKS = 50;

/**
 * Creates evaluators of packs. An evaluator caches choices, so each rev of a pack has its own evaluator, which compiles the pack
 * at its first choice.
 */
export function createPackEvaluators({ log, onEvaluationFault = () => {}, choiceCounts }: PackEvaluatorOptions) {
  const evaluators = new LRUCache<string, ChooseScenario>({ max: MAX_PACKS });

  function compileEvaluator(packKey: string, pack: LoadedPack): ChooseScenario {
    const compiled = compilePack(pack, ({ id, name }, error) =>
      log.error(
        { pack: packKey, scenario: id, name, error: error.message },
        "an expression of a stored pack does not compile",
      ),
    );
    const onChoiceFault = (scenario: Pick<Scenario, "id" | "name">, error: string) =>
      onEvaluationFault(packKey, scenario, error);
    return createPackEvaluator(compiled, onChoiceFault, undefined, choiceCounts);
  }

  return (packKey: string, pack: LoadedPack): ChooseScenario => {
    const known = evaluators.get(pack.id);
    if (known) return known;
    let made: ChooseScenario | undefined;
    const choose: ChooseScenario = (given) => {
      made ??= compileEvaluator(packKey, pack);
      return made(given);
    };
    evaluators.set(pack.id, choose);
    return choose;
  };
}
