import { type Static, Type } from "typebox";

/** A retailer. What it owns beside stores: label types, models, designs and its communication pack. */
export const Tenant = Type.Object({
  name: Type.String(),
  /** Key of the one active communication pack; other packs are drafts. */
  communicationPack: Type.Optional(Type.String()),
});
export type Tenant = Static<typeof Tenant>;

const LinkDepartment = Type.Object({
  id: Type.String(),
  alias: Type.Optional(Type.String()),
  /** Short ids of the transceivers that reach the department's labels. */
  transceivers: Type.Array(Type.String()),
});
export type LinkDepartment = Static<typeof LinkDepartment>;

export const Store = Type.Object({
  name: Type.String(),
  /** IANA name, such as `Europe/Zagreb`. */
  timeZone: Type.String(),
  /** ISO 4217 code. */
  currency: Type.String(),
  /** BCP 47 tag, such as `hr-HR`. */
  locale: Type.String(),
  linkDepartments: Type.Array(LinkDepartment),
  parameters: Type.Optional(
    Type.Object({
      /** Whether a page image is refused where its item does not exist; otherwise it makes the item. Default true. */
      ITEM_MUST_EXIST: Type.Optional(Type.Boolean()),
    }),
  ),
});
export type Store = Static<typeof Store>;

/** What a colour label can show. The order is that of the palette of its pictures. */
export const Color = Type.Enum(["white", "black", "red", "yellow", "green", "blue", "orange"]);
export type Color = Static<typeof Color>;

export const LabelType = Type.Object({
  type: Type.Integer(),
  width: Type.Integer(),
  height: Type.Integer(),
  colors: Type.Array(Color),
  display: Type.Enum(["matrix", "segment"]),
  flash: Type.Boolean(),
  pages: Type.Integer(),
});
export type LabelType = Static<typeof LabelType>;

/** Models and label types are many to many. */
export const Model = Type.Object(
  {
    name: Type.String(),
    labelTypes: Type.Array(Type.Integer()),
    linkPositions: Type.Integer({ description: "How many items a label of the model can show" }),
  },
  { title: "Model" },
);
export type Model = Static<typeof Model>;
