import { type Static, Type } from "typebox";
import { countsBy, PlState } from "./label.ts";
import { known } from "./text.ts";

/** The latest counts of a store's labels. */
export const StoreLabelCounts = Type.Object(
  {
    storeId: Type.String({ description: "Id of the store" }),
    countedAt: Type.String({
      description: "When they were counted, in UTC",
      examples: ["2026-03-02T08:15:30.000Z"],
    }),
    labels: Type.Integer({ minimum: 0, description: "Number of labels in the store" }),
    plState: countsBy(PlState.enum, "Number of labels per plState; the numbers add up to all labels"),
    behind: Type.Array(known(Type.Integer({ minimum: 0 })), {
      minItems: 24,
      maxItems: 24,
      examples: [[...Array<null>(12).fill(null), 0, 0, 0, 0, 0, 3, 12, 12, 9, 4, 0, 0]],
      description:
        "Labels that were not known to show their newest picture (PENDING, ERROR, OFFLINE or UNKNOWN) at the end of each of the last 24 hours, oldest first and the current hour last; null if none was counted",
    }),
  },
  { title: "StoreLabelCounts" },
);
export type StoreLabelCounts = Static<typeof StoreLabelCounts>;
