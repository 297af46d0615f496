import type { Case as TriedCase } from "../../domain/expression/variables.ts";
import type { CheckedPack } from "../../domain/packs/check-pack.ts";
import type { LoadedPack } from "../../domain/packs/compile-pack.ts";
import type { LinkFacts } from "../../domain/packs/decide-design.ts";
import type { Trace } from "../../domain/packs/explain.ts";
import { createOwnerTurns } from "../../runtime/thread/owner-turns.ts";
import { createThread, isOwnFault } from "../../runtime/thread/thread.ts";
import { type CanvasDesign, drawnElements } from "../../schemas/canvas.ts";
import type { StudioLink } from "../../schemas/design.ts";
import { inBatches } from "../../schemas/in-batches.ts";
import { tenantOf } from "../../schemas/keys.ts";
import type { PackOrder } from "../../schemas/pack.ts";
import type { Fault } from "../../schemas/problem.ts";
import type { ExpressionAnswer, ExpressionOrder, FittingDesigns, LinkToDecide, PackUse } from "./expression-order.ts";

/** Compiles and evaluates expressions on behalf of a process that must not be blocked while this happens. */
export interface Expressions {
  /** Returns the pack as it would be stored, and its findings. `designs` are the full keys of the tenant's designs. */
  checkPack(tenant: string, order: PackOrder, designs: readonly string[]): Promise<CheckedPack>;
  /** Returns every fault of a canvas. Empty if the canvas compiles. */
  canvasFaults(tenant: string, canvas: CanvasDesign): Promise<readonly Fault[]>;
  /** Traces how a pack chooses a design. */
  trace(tenant: string, pack: LoadedPack, tried: TriedCase, designs: FittingDesigns): Promise<Trace>;
  /**
   * Returns the studio link to write for each case, as decided by the pack that its facts name. Undefined if the current link
   * stays.
   */
  decide(cases: readonly LinkCase[]): Promise<(StudioLink | undefined)[]>;
  /** Ends the thread once it has run its orders. */
  close(): void;
}

/** A studio link to decide: its key, its inputs, and the current record. */
interface LinkCase {
  key: string;
  facts: LinkFacts;
  current: Pick<StudioLink, "design_id" | "fault"> | undefined;
}

/** Limits for one order. The largest check takes about a second, mostly for compiling its regular expressions. */
const BOUNDS = { processorMs: 5_000, timeoutMs: 60_000, idleMs: 600_000, memoryMb: 256 };
/**
 * Maximum number of waiting orders in a process, for one tenant and in total. A check counts by its size, since it holds a
 * body.
 */
export const MAX_WAITING = { ofOwner: 64, inAll: 256 };
/** How many scenarios of a pack, and how many elements of a canvas, count as one more order. */
const SCENARIOS_PER_ORDER = 500;
const ELEMENTS_PER_ORDER = 20;
const LINKS_PER_ORDER = 50;

/**
 * Runs expressions in a separate thread, one order at a time. Tenants take turns. A check is charged in advance
 * (`createCompileBudget`); the thread's limits cover any other cost.
 */
export function createExpressions(
  program = new URL("./expression-thread.ts", import.meta.url),
  bounds = BOUNDS,
): Expressions {
  const { run: send, close } = createThread<ExpressionOrder, ExpressionAnswer>(program, bounds);
  const inTurn = createOwnerTurns(MAX_WAITING);

  /** Sends an order without packs; if the thread lacks packs, sends it again with those packs. */
  async function withPacks(order: PackUse, packs: readonly LoadedPack[]): Promise<ExpressionAnswer> {
    const answer = await send(order);
    if (!("lacking" in answer)) return answer;
    const lacking = new Set(answer.lacking);
    return send({ ...order, packs: packs.filter(({ id }) => lacking.has(id)) });
  }

  return {
    close,
    async checkPack(tenant, order, designs) {
      const work = () => send({ kind: "check-pack", order, tenant, designs });
      try {
        const answer = await inTurn(tenant, work, 1 + Math.floor(scenariosIn(order.scenarios) / SCENARIOS_PER_ORDER));
        if ("checkedPack" in answer) return answer.checkedPack;
      } catch (error) {
        if (!isOwnFault(error)) throw error;
        const finding = { pointer: "/scenarios", scenario: "", detail: `the pack cannot be checked: ${error.message}` };
        return { pack: { name: order.name, scenarios: [] }, errors: [finding], warnings: [] };
      }
      throw new Error("the expression thread returned no checked pack");
    },

    async canvasFaults(tenant, canvas) {
      try {
        const size = 1 + Math.floor(elementsIn(canvas) / ELEMENTS_PER_ORDER);
        const answer = await inTurn(tenant, () => send({ kind: "check-canvas", canvas }), size);
        if ("canvasFaults" in answer) return answer.canvasFaults;
      } catch (error) {
        if (!isOwnFault(error)) throw error;
        return [{ pointer: "", detail: `the design cannot be checked: ${error.message}` }];
      }
      throw new Error("the expression thread returned no faults");
    },

    async trace(tenant, pack, tried, designs) {
      const order = { kind: "trace", packId: pack.id, tried, designs, packs: [] } as const;
      const answer = await inTurn(tenant, () => withPacks(order, [pack]));
      if ("trace" in answer) return answer.trace;
      throw new Error("the expression thread returned no trace");
    },

    async decide(cases) {
      const decided = new Map<LinkCase, StudioLink | undefined>();
      const groups = Map.groupBy(cases, ({ key, facts: { pack } }) => JSON.stringify([tenantOf(key), pack?.id]));
      for (const group of groups.values()) {
        for (const batch of inBatches(group, LINKS_PER_ORDER)) {
          const results = await decideBatch(batch);
          for (const [index, one] of batch.entries()) decided.set(one, results[index]);
        }
      }
      return cases.map((one) => decided.get(one));
    },
  };

  /** Decides the cases of one tenant and one pack. */
  async function decideBatch(batch: readonly LinkCase[]): Promise<readonly (StudioLink | undefined)[]> {
    const [first] = batch;
    if (first === undefined) return [];
    const { pack } = first.facts;
    const order = { kind: "decide", links: batch.map(linkToDecide), packs: [] } as const;
    const answer = await inTurn(tenantOf(first.key), () => withPacks(order, pack ? [pack] : []));
    if ("decided" in answer) return answer.decided;
    throw new Error("the expression thread returned no choices");
  }
}

const linkToDecide = ({ facts, current }: LinkCase): LinkToDecide => {
  const { chooseScenario: _, pack, ...own } = facts;
  return {
    facts: own,
    packId: pack?.id,
    current: current && { design_id: current.design_id, ...(current.fault !== undefined && { fault: current.fault }) },
  };
};

const scenariosIn = (scenarios: PackOrder["scenarios"]): number =>
  scenarios.reduce((count, { children = [] }) => count + 1 + scenariosIn(children), 0);

const elementsIn = ({ elements, variants = [] }: CanvasDesign): number =>
  drawnElements([...elements, ...variants.flatMap((variant) => variant.elements)]).length;
