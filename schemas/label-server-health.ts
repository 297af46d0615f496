import { type Static, Type } from "typebox";
import { known } from "./text.ts";

const instant = (description: string) =>
  known(Type.String({ description: `${description}, in UTC`, examples: ["2026-03-02T08:15:30.000Z"] }));

/** How a label server answers the calls that it is sent. */
export const LabelServerHealth = Type.Object(
  {
    labelServerId: known(Type.String({ description: "Id of the label server; null for the installation's" })),
    stores: Type.Array(Type.String(), { description: "Ids of the tenant's stores that are on it" }),
    state: Type.Enum(["ANSWERS", "AWAY", "DENIES", "UNKNOWN"], {
      description:
        "AWAY while calls have no answer, DENIES while it does not take the secret (401 or 403), UNKNOWN where no answer is known, such as before the first call",
    }),
    awaySince: instant("Since when calls have no answer; null while they have"),
    deniedSince: instant("Since when it does not take the secret; null while it does"),
    answeredAt: instant("The last answer, whatever it said; null where none is known"),
    lastFailure: known(
      Type.Object(
        {
          at: Type.String({ description: "When, in UTC" }),
          reason: Type.String({
            description:
              "Why, such as no answer, or the status of a refusal; for the operator with the answer or the error",
          }),
        },
        { description: "The last call that was not accepted, of the last week; null where none is known" },
      ),
    ),
  },
  { title: "LabelServerHealth" },
);
export type LabelServerHealth = Static<typeof LabelServerHealth>;
