import { type Static, Type } from "typebox";
import { known } from "./text.ts";

/** How much a change to items would shorten the life of the labels' batteries. */
export const ChangeCost = Type.Object(
  {
    items: Type.Integer({ minimum: 0, description: "Number of items with a value that would change", examples: [400] }),
    labels: Type.Integer({
      minimum: 0,
      description: "Number of labels that show these items: at most this many would refresh",
      examples: [412],
    }),
    daysEach: known(
      Type.Number({
        description:
          "Days by which one refresh shortens a battery's life, on average over these labels; null if there are none",
        examples: [0.3],
      }),
    ),
  },
  {
    title: "ChangeCost",
    description: "How much a change would shorten the life of the labels' batteries if it were sent",
  },
);
export type ChangeCost = Static<typeof ChangeCost>;
