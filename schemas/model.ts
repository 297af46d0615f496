import { type Static, Type } from "typebox";
import { TypeNumber } from "./label-type.ts";

const ofModel = {
  labelTypes: Type.Array(TypeNumber, {
    minItems: 1,
    maxItems: 100,
    uniqueItems: true,
    description: "Label types of this model",
  }),
  linkPositions: Type.Integer({
    minimum: 1,
    maximum: 32,
    description: "Number of items that a label of this model can show",
  }),
};

/** A model as the operator configures it. */
export const ModelOrder = Type.Object(ofModel, { title: "ModelOrder" });
export type ModelOrder = Static<typeof ModelOrder>;

/** A model of labels. Models and label types have a many-to-many relationship. */
export const Model = Type.Object({ name: Type.String(), ...ofModel }, { title: "LabelModel" });
export type Model = Static<typeof Model>;
