import { LRUCache } from "lru-cache";
import type { Expression } from "../../domain/expression/expression.ts";
import { checkPack } from "../../domain/packs/check-pack.ts";
import type { CompiledScenario } from "../../domain/packs/choose-scenario.ts";
import type { LoadedPack } from "../../domain/packs/compile-pack.ts";
import { decide } from "../../domain/packs/decide-design.ts";
import { compileForTrials, explain, type TriedPack } from "../../domain/packs/explain.ts";
import { type ChooseScenario, createPackEvaluator } from "../../domain/packs/pack-evaluator.ts";
import { compileCanvas, DesignError } from "../canvas/compile-canvas.ts";
import type { ExpressionAnswer, ExpressionOrder } from "./expression-order.ts";

/** A compiled pack. Its choices are cached as long as the pack is. */
interface ReadyPack extends TriedPack {
  chooseScenario: ChooseScenario;
}

/**
 * Maximum number of scenarios in all packs that are kept compiled, including an overhead for each pack: twice as many as the
 * largest pack has.
 */
const MAX_SCENARIOS = 20_000;
const PACK_OVERHEAD = 200;
/** Maximum size of the choices that are cached for one pack, in characters. */
const MAX_CHOICES_SIZE = 1_000_000;

/** Creates the work of the expression thread. It processes one order after another and needs no database, queue or clock. */
export function createExpressionWork(): (order: ExpressionOrder) => ExpressionAnswer {
  const ready = new LRUCache<string, ReadyPack>({
    maxSize: MAX_SCENARIOS + PACK_OVERHEAD,
    sizeCalculation: ({ compiled }) => PACK_OVERHEAD + countOf(compiled),
  });

  /** Compiles the packs that came with an order. Returns the ids of needed packs that are missing. */
  function lackingOf(needed: readonly string[], packs: readonly LoadedPack[]): string[] {
    for (const pack of packs) ready.set(pack.id, prepare(pack));
    return [...new Set(needed)].filter((id) => !ready.has(id));
  }

  return (order) => {
    switch (order.kind) {
      case "check-pack": {
        const known = new Set(order.designs);
        return { checkedPack: checkPack(order.order, order.tenant, (key) => known.has(key)) };
      }
      case "check-canvas":
        return { canvasFaults: canvasFaults(order.canvas) };
      case "trace": {
        const lacking = lackingOf([order.packId], order.packs);
        const pack = ready.get(order.packId);
        if (pack === undefined) return { lacking };
        return { trace: explain({ ...order.tried, ...pack, designs: order.designs }) };
      }
      case "decide": {
        const lacking = lackingOf(
          order.links.flatMap(({ packId }) => packId ?? []),
          order.packs,
        );
        if (lacking.length > 0) return { lacking };
        const chooserOf = (id: string | undefined) => (id === undefined ? undefined : ready.get(id)?.chooseScenario);
        return {
          decided: order.links.map(({ facts, packId, current }) =>
            decide({ ...facts, chooseScenario: chooserOf(packId) }, current),
          ),
        };
      }
    }
  };
}

function prepare(pack: LoadedPack): ReadyPack {
  const tried = compileForTrials(pack);
  return { ...tried, chooseScenario: createPackEvaluator(tried.compiled, () => {}, MAX_CHOICES_SIZE) };
}

const countOf = (scenarios: readonly CompiledScenario<Expression>[]): number =>
  scenarios.reduce((count, { children }) => count + 1 + countOf(children), 0);

/** Returns every fault of a canvas, each with a JSON Pointer. Empty if the canvas compiles. */
function canvasFaults(canvas: Parameters<typeof compileCanvas>[0]) {
  try {
    compileCanvas(canvas);
    return [];
  } catch (error) {
    if (!(error instanceof DesignError)) throw error;
    return error.faults;
  }
}
