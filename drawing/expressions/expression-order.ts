import type { Case } from "../../domain/expression/variables.ts";
import type { CheckedPack } from "../../domain/packs/check-pack.ts";
import type { LoadedPack } from "../../domain/packs/compile-pack.ts";
import type { LinkFacts } from "../../domain/packs/decide-design.ts";
import type { Trace } from "../../domain/packs/explain.ts";
import type { CanvasDesign } from "../../schemas/canvas.ts";
import type { Design, StudioLink } from "../../schemas/design.ts";
import type { PackOrder } from "../../schemas/pack.ts";
import type { Fault } from "../../schemas/problem.ts";

/** The designs that a pack may choose, by their full keys. */
export type FittingDesigns = ReadonlyMap<string, Pick<Design, "compatible_esltype_ids" | "deleted">>;

/** A link whose design must be chosen, and the id of its pack. */
export interface LinkToDecide {
  facts: Omit<LinkFacts, "chooseScenario" | "pack">;
  packId: string | undefined;
  current: Pick<StudioLink, "design_id" | "fault"> | undefined;
}

/** An order that needs packs, with the packs that the thread may lack. */
export type PackUse =
  | { kind: "trace"; packId: string; tried: Case; designs: FittingDesigns; packs: readonly LoadedPack[] }
  | { kind: "decide"; links: readonly LinkToDecide[]; packs: readonly LoadedPack[] };

/** The orders of the expression thread, by `kind`. */
export type ExpressionOrder =
  | { kind: "check-pack"; order: PackOrder; tenant: string; designs: readonly string[] }
  | { kind: "check-canvas"; canvas: CanvasDesign }
  | PackUse;

/** The response to an order, or the ids of needed packs that the thread lacks. */
export type ExpressionAnswer =
  | { checkedPack: CheckedPack }
  | { canvasFaults: readonly Fault[] }
  | { trace: Trace }
  | { decided: readonly (StudioLink | undefined)[] }
  | { lacking: readonly string[] };
