import { ManualPosition, type Position } from "../../schemas/label.ts";
import { ProblemError } from "../http/problem-error.ts";
import { Nothing, route } from "../http/route.ts";
import { LabelPath, type NoLabel } from "./labels.ts";

export interface ManualPositionWorld {
  noLabel: NoLabel;
  hasLabel(store: string, barcode: string): Promise<boolean>;
  /**
   * Sets a label's manual position, or removes it if `position` is absent. The request is journaled, then applied
   * before the promise resolves; if the database becomes unavailable, a worker applies it later.
   */
  positionLabel(store: string, row: { barcode: string; position?: Position }): Promise<void>;
}

const path = "/labels/:barcode/positions/manual";

/** Operations on a label's position as entered by hand (docs/integrators/labels.md#flashing-pages-and-other-actions). */
export const manualPosition = ({ hasLabel, positionLabel, noLabel }: ManualPositionWorld) => [
  route({
    method: "PUT",
    path,
    operationId: "setManualPosition",
    summary: "Set the manual position of a label, and measure its signal there",
    scope: "labels:write",
    params: LabelPath,
    body: ManualPosition,
    answers: { 204: Nothing },
    problems: ["not-found"],
    handle: async ({ store, params: { barcode }, body: { eslBarcode, position } }) => {
      if (eslBarcode && eslBarcode !== barcode) {
        const errors = [{ pointer: "/eslBarcode", detail: `is "${eslBarcode}", but the path contains "${barcode}"` }];
        throw new ProblemError("invalid-request", "The barcode in the body differs from the path.", { errors });
      }
      if (!(await hasLabel(store, barcode))) throw await noLabel(store, barcode);
      const { x, y, floor } = position;
      await positionLabel(store, { barcode, position: { x, y, floor } });
      return { status: 204 };
    },
  }),

  route({
    method: "DELETE",
    path,
    operationId: "deleteManualPosition",
    summary: "Remove the manual position of a label, and cancel its signal measurement",
    scope: "labels:write",
    params: LabelPath,
    answers: { 204: Nothing },
    problems: ["not-found"],
    handle: async ({ store, params: { barcode } }) => {
      if (!(await hasLabel(store, barcode))) throw await noLabel(store, barcode);
      await positionLabel(store, { barcode });
      return { status: 204 };
    },
  }),
];
