import { type Static, Type } from "typebox";
import { identifier, plainId } from "./text.ts";

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
    name: Type.String({ minLength: 1, maxLength: 256, description: "What it is called", examples: ["Main street"] }),
    timeZone: Type.String({ maxLength: 64, description: "IANA name", examples: ["Europe/Zagreb"] }),
    currency: Type.String({ pattern: "^[A-Z]{3}$", description: "ISO 4217 code", examples: ["EUR"] }),
    locale: Type.String({ maxLength: 64, description: "BCP 47 tag; prices are drawn by it", examples: ["hr-HR"] }),
    linkDepartments: Type.Array(LinkDepartment, { maxItems: 1000, description: "Which transceivers reach what" }),
    labelServer: Type.Optional(
      plainId("The label server that its labels are on, one of the tenant's own; the installation's where absent"),
    ),
    parameters: Type.Optional(
      Type.Object(
        {
          ITEM_MUST_EXIST: Type.Optional(
            Type.Boolean({
              default: true,
              description: "Whether a page image is refused where its item does not exist; otherwise it makes the item",
            }),
          ),
          UNIT_PRICE_PER_100: Type.Optional(
            Type.Boolean({
              default: false,
              description:
                "Whether unit prices of goods sold by weight or volume are for 100 g or 100 ml; otherwise for a kilogram or a litre",
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
