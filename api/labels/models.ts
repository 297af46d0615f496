import { Type } from "typebox";
import { UNSTATED_TYPE } from "../../domain/linking/barcodes/barcode-scheme.ts";
import { Model, type Model as ModelBody } from "../../schemas/model.ts";
import { identifier } from "../../schemas/text.ts";
import { route } from "../http/route.ts";

export interface ModelsWorld {
  /** Reads the models of the store's tenant, ordered by name. */
  readModels(store: string): Promise<ModelBody[]>;
  /** Reads the type of the label with this barcode; undefined if the barcode is invalid. */
  readType(store: string, barcode: string): Promise<number | undefined>;
}

const Models = Type.Object({ models: Type.Array(Model) }, { title: "Models" });

/** Operations on the models of the store's tenant: lists all, or those for a label type. */
export const models = ({ readModels, readType }: ModelsWorld) => {
  const modelOf = ({ name, labelTypes, linkPositions }: ModelBody): ModelBody => ({ name, labelTypes, linkPositions });
  return [
    route({
      method: "GET",
      path: "/labels/models",
      operationId: "listModels",
      summary: "List all models with their label types",
      scope: "labels:read",
      answers: { 200: Models },
      handle: async ({ store }) => ({ status: 200, body: { models: (await readModels(store)).map(modelOf) } }),
    }),

    route({
      method: "GET",
      path: "/labels/models/:barcodeOrLabelType",
      operationId: "listModelsOf",
      summary: "List the models for a label's barcode or a label type; empty if neither is known",
      scope: "labels:read",
      params: Type.Object({ barcodeOrLabelType: identifier(64, "A label's barcode, or a label type") }),
      answers: { 200: Models },
      handle: async ({ store, params: { barcodeOrLabelType: text } }) => {
        // Under some schemes barcodes consist only of digits, as label types do.
        const type = await readType(store, text);
        const types = [type, ...(/^\d+$/.test(text) ? [Number(text)] : [])];
        // A new label whose barcode contains no type takes its model's type.
        const found = (await readModels(store)).filter(
          ({ labelTypes }) =>
            labelTypes.some((labelType) => types.includes(labelType)) ||
            (type === UNSTATED_TYPE && labelTypes.length === 1),
        );
        return { status: 200, body: { models: found.map(modelOf) } };
      },
    }),
  ];
};
