import { type Static, Type } from "typebox";
import { known } from "./text.ts";

/** What a change of items would cost the batteries of labels. */
export const ChangeCost = Type.Object(
  {
    items: Type.Integer({ minimum: 0, description: "Items of which a value would change", examples: [400] }),
    labels: Type.Integer({
      minimum: 0,
      description: "Labels that show them: so many would refresh at most",
      examples: [412],
    }),
    daysEach: known(
      Type.Number({
        description:
          "By how many days a refresh shortens the life of one of their batteries, on average; null if there are none",
        examples: [0.3],
      }),
    ),
  },
  { title: "ChangeCost", description: "What a change would cost the batteries of labels, if it was sent" },
);
export type ChangeCost = Static<typeof ChangeCost>;
