import { MAX_PREVIEWS, type PreviewMatrixOrder } from "../../../schemas/preview-matrix.ts";
import type { Preview, PreviewOrder } from "../../../schemas/trial.ts";
import { ProblemError } from "../../http/problem-error.ts";
import { assertFaultless } from "../find-records.ts";

/**
 * Returns a preview order for each item on each label type, with the pointers that its parts have in the body. Throws
 * `invalid-request`.
 */
export function singleOrders({ itemIds = [], items = [], labelTypes, ...common }: PreviewMatrixOrder) {
  const shown = [
    ...itemIds.map((itemId, index) => ({ itemId, of: { itemId }, pointers: { "/itemId": `/itemIds/${index}` } })),
    ...items.map((item, index) => ({ itemId: item.itemId, of: { item }, pointers: { "/item": `/items/${index}` } })),
  ];
  const count = shown.length * labelTypes.length;
  assertFaultless([
    ...(shown.length > 0 ? [] : [{ pointer: "", detail: "requires itemIds or items" }]),
    ...(count <= MAX_PREVIEWS
      ? []
      : [
          {
            pointer: "/labelTypes",
            detail: `${count} pictures are more than the maximum of ${MAX_PREVIEWS}: send fewer`,
          },
        ]),
  ]);
  return shown.flatMap(({ itemId, of, pointers }, itemIndex) =>
    labelTypes.map((labelType, index) => ({
      ...{ itemId, itemIndex },
      order: { ...common, ...of, labelType } satisfies PreviewOrder,
      pointers: new Map(
        Object.entries({ ...pointers, "/labelType": `/labelTypes/${index}`, "/scale": `/labelTypes/${index}` }),
      ),
    })),
  );
}

/** Rethrows an error whose faults point into one order, with pointers into the body that contains all orders. */
export const renamePointers =
  (pointers: ReadonlyMap<string, string>) =>
  (error: unknown): never => {
    const errors = error instanceof ProblemError ? error.extra.errors : undefined;
    if (!(error instanceof ProblemError) || errors === undefined) throw error;
    const renamed = errors.map((fault) => ({ ...fault, pointer: pointers.get(fault.pointer) ?? fault.pointer }));
    throw new ProblemError(error.problem, error.message, { ...error.extra, errors: renamed });
  };

/** Ranks previews: faults are worse than errors and warnings. */
export const severityOf = ({ fault, errors, warnings }: Preview): number =>
  fault ? 2 : errors.length + warnings.length > 0 ? 1 : 0;
