import { type Static, Type } from "typebox";
import { count } from "./text.ts";

/** Fields and properties of a tenant's items, for authors of rules and designs. */
export const ItemProperties = Type.Object(
  {
    sampled: count("Number of items that were read, with the same limit for each store"),
    isWhole: Type.Boolean({ description: "Whether all items of the tenant were read" }),
    properties: Type.Array(
      Type.Object({
        name: Type.String({ description: "As expressions name it: `item.brand`", examples: ["brand"] }),
        items: count("Number of these items that have it"),
        values: Type.Array(
          Type.Object({
            value: Type.String({ description: "The value, cut after 100 characters", examples: ["special"] }),
            items: count("Number of these items that have this value"),
          }),
          { description: "Its most frequent values, at most 20" },
        ),
        hasMore: Type.Boolean({ description: "Whether it has more values than these" }),
        areNumbers: Type.Boolean({ description: "Whether `double()` can read every value" }),
      }),
      {
        description: "Fields and properties, most frequent first; at most 500",
        examples: [
          [{ name: "brand", items: 3, values: [{ value: "Dukat", items: 3 }], hasMore: false, areNumbers: false }],
        ],
      },
    ),
  },
  { title: "ItemProperties" },
);
export type ItemProperties = Static<typeof ItemProperties>;
