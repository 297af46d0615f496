import { Type } from "typebox";
import { ActionAnswer } from "../../schemas/action.ts";
import type { Model } from "../../schemas/model.ts";
import { identifier } from "../../schemas/text.ts";
import { ProblemError } from "../http/problem-error.ts";
import { route } from "../http/route.ts";
import { LabelPath, type NoLabel } from "../labels/labels.ts";
import type { AcceptRows } from "../requests/accept-rows.ts";

export interface RefreshWorld {
  noLabel: NoLabel;
  acceptRows: AcceptRows;
  hasLabel(store: string, barcode: string): Promise<boolean>;
  readModels(store: string): Promise<Pick<Model, "name">[]>;
  /** Reads the barcodes of a model's labels, in batches. */
  barcodesOfModel(store: string, modelName: string): AsyncIterable<string[]>;
  /**
   * Requests a new transmission of every page of a label. The request is journaled, then applied before the promise
   * resolves; if the database becomes unavailable, a worker applies it later.
   */
  refreshLabel(store: string, barcode: string): Promise<void>;
}

/**
 * Operations that send labels their current picture again. The fixed segment in `/labels/refresh/:modelName` takes
 * precedence over `:barcode`, so `refresh` cannot be a barcode there.
 */
export const refresh = (world: RefreshWorld) => {
  const { acceptRows, hasLabel, readModels, barcodesOfModel, refreshLabel, noLabel } = world;
  return [
    route({
      method: "POST",
      path: "/labels/refresh/:modelName",
      operationId: "refreshModel",
      summary: "Send the current picture again to all labels of a model; returns their number",
      scope: "labels:write",
      params: Type.Object({ modelName: identifier(128, "Name of the model") }),
      answers: { 200: Type.String({ examples: ["12 labels"] }) },
      problems: ["not-found"],
      handle: async ({ store, params: { modelName } }) => {
        const models = await readModels(store);
        if (!models.some(({ name }) => name === modelName))
          throw new ProblemError("not-found", `The model "${modelName}" does not exist.`);
        const rows = (await Array.fromAsync(barcodesOfModel(store, modelName))).flat();
        if (rows.length > 0) await acceptRows({ store, operation: "refresh-labels", rows, ordered: false });
        return { status: 200, type: "application/json", body: JSON.stringify(`${rows.length} labels`) };
      },
    }),

    route({
      method: "POST",
      path: "/labels/:barcode/refresh",
      operationId: "refreshLabel",
      summary: "Send the current picture again to a label",
      scope: "labels:write",
      params: LabelPath,
      answers: { 200: ActionAnswer },
      problems: ["not-found"],
      handle: async ({ store, params: { barcode } }) => {
        if (!(await hasLabel(store, barcode))) throw await noLabel(store, barcode);
        await refreshLabel(store, barcode);
        return { status: 200, body: { result: "OK" } };
      },
    }),
  ];
};
