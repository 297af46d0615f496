import { MAX_LABELS_OF_STEP, type Step, type StepLabel, type StepOrder } from "../../schemas/flash-sequence.ts";
import type { Fault } from "../../schemas/problem.ts";
import { ProblemError } from "../http/problem-error.ts";
import type { ActionFacts } from "./action-rules.ts";
import type { FlashFacts, StoreContext } from "./flash.ts";
import { judgeFlash } from "./judge-flash.ts";

const DEFAULT_SECONDS = 60;

/** Finds the labels of ordered steps. Throws a problem that lists every step whose label or item does not exist. */
export function createSequenceSteps(world: FlashFacts) {
  const { readActionFacts, findItems, readLinks, now, offlineAfterMs } = world;

  return async ({ store, settings }: StoreContext, ordered: readonly StepOrder[]): Promise<Step[]> => {
    const codes = ordered.flatMap(({ itemId }) => itemId ?? []);
    const itemOf = await findItems(store, codes);
    const links = await readLinks(store, [...new Set(codes.flatMap((code) => itemOf(code) ?? []))]);
    const barcodesOf = ({ barcode, itemId = "" }: StepOrder): string[] => {
      if (barcode !== undefined) return [barcode];
      const ofItem = links.get(itemOf(itemId) ?? "") ?? [];
      return [...new Set(ofItem.map((link) => link.barcode))].slice(0, MAX_LABELS_OF_STEP);
    };
    const barcodes = [...new Set(ordered.flatMap(barcodesOf))];
    const known = await readActionFacts(store, barcodes);
    const factsOf = new Map(barcodes.map((barcode, index) => [barcode, known[index]]));

    const errors = ordered.flatMap((step, index) => faultsOf(step, `/steps/${index}`, itemOf, factsOf));
    if (errors.length > 0) throw new ProblemError("invalid-request", "The steps are invalid.", { errors });

    const labelOf = (barcode: string, step: StepOrder): StepLabel[] => {
      const facts = factsOf.get(barcode);
      if (facts?.labelType === undefined) return [];
      const request = { ...step, duration: step.duration ?? DEFAULT_SECONDS };
      const context = { departments: settings.linkDepartments, clock: { now: now(), offlineAfterMs } };
      const { result, to, flash } = judgeFlash(facts, request, context);
      return result === "OK" ? [{ barcode, hasButton: facts.labelType.button ?? false, ...to, flash }] : [];
    };
    return ordered.map((step) => ({
      ...(step.barcode !== undefined && { barcode: step.barcode }),
      ...(step.itemId !== undefined && { itemId: itemOf(step.itemId) ?? step.itemId }),
      labels: barcodesOf(step).flatMap((barcode) => labelOf(barcode, step)),
    }));
  };
}

/** Faults of a step that a schema cannot express. */
function faultsOf(
  { barcode, itemId }: StepOrder,
  pointer: string,
  itemOf: (code: string) => string | undefined,
  factsOf: ReadonlyMap<string, ActionFacts | undefined>,
): Fault[] {
  if (barcode !== undefined && itemId !== undefined)
    return [{ pointer, detail: "must name a barcode or an itemId, not both" }];
  if (barcode !== undefined)
    return factsOf.get(barcode)?.label
      ? []
      : [{ pointer: `${pointer}/barcode`, detail: `no label has the barcode "${barcode}"` }];
  if (itemId === undefined) return [{ pointer, detail: "must name a barcode or an itemId" }];
  return itemOf(itemId) === undefined
    ? [{ pointer: `${pointer}/itemId`, detail: `no item has the id or code "${itemId}"` }]
    : [];
}
