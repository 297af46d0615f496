import { type Static, Type } from "typebox";
import { identifier } from "./text.ts";

/** A retailer, which owns stores, label types, models, designs and communication packs. */
export const Tenant = Type.Object({
  name: Type.String(),
  /** Key of the active communication pack; all its other packs are drafts. */
  communicationPack: Type.Optional(Type.String()),
});
export type Tenant = Static<typeof Tenant>;

const LinkDepartment = Type.Object({
  id: identifier(128, "Id of the department"),
  alias: Type.Optional(identifier(128, "Another name of it")),
  transceivers: Type.Array(identifier(64, "Short id"), {
    maxItems: 1000,
    description: "Short ids of the transceivers that reach the department's labels",
  }),
});
export type LinkDepartment = Static<typeof LinkDepartment>;

export const Store = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 256, description: "What it is called" }),
    timeZone: Type.String({ maxLength: 64, description: "IANA name", examples: ["Europe/Zagreb"] }),
    currency: Type.String({ pattern: "^[A-Z]{3}$", description: "ISO 4217 code", examples: ["EUR"] }),
    locale: Type.String({ maxLength: 64, description: "BCP 47 tag; prices are drawn by it", examples: ["hr-HR"] }),
    linkDepartments: Type.Array(LinkDepartment, { maxItems: 1000, description: "Which transceivers reach what" }),
    parameters: Type.Optional(
      Type.Object(
        {
          ITEM_MUST_EXIST: Type.Optional(
            Type.Boolean({
              default: true,
              description: "Whether a page image is refused where its item does not exist; otherwise it makes the item",
            }),
          ),
        },
        { description: "How the store does things" },
      ),
    ),
  },
  { title: "Store" },
);
export type Store = Static<typeof Store>;

/** Colours of labels. Palettes of pictures list them in this order. */
export const Color = Type.Enum(["white", "black", "red", "yellow", "green", "blue", "orange"]);
export type Color = Static<typeof Color>;

export const LabelType = Type.Object(
  {
    type: Type.Integer({ description: "Its number, which a label's barcode tells" }),
    width: Type.Integer({ description: "In pixels" }),
    height: Type.Integer({ description: "In pixels" }),
    colors: Type.Array(Color, { description: "What it can show, in the order of its palette" }),
    display: Type.Enum(["matrix", "segment"], { description: "Whether it shows pictures, or a line of text" }),
    flash: Type.Boolean({ description: "Whether it can flash" }),
    pages: Type.Integer({ description: "How many pages it keeps" }),
  },
  { title: "LabelType" },
);
export type LabelType = Static<typeof LabelType>;

/** A model of labels. Models and label types are many to many. */
export const Model = Type.Object(
  {
    name: Type.String(),
    labelTypes: Type.Array(Type.Integer()),
    linkPositions: Type.Integer({ description: "How many items a label of the model can show" }),
  },
  { title: "Model" },
);
export type Model = Static<typeof Model>;
