import { type Static, Type } from "typebox";
import { Notice } from "./notice.ts";
import { known } from "./text.ts";

const instant = (description: string) =>
  known(Type.String({ description: `${description}, in UTC`, examples: ["2026-03-02T08:15:30.000Z"] }));

/** How a label server responds to calls. */
export const LabelServerHealth = Type.Object(
  {
    labelServerId: known(Type.String({ description: "Id of the label server; null for the installation's own" })),
    stores: Type.Array(Type.String(), { description: "Ids of the tenant's stores that use it" }),
    state: Type.Enum(["ANSWERS", "AWAY", "DENIES", "UNKNOWN"], {
      description:
        "AWAY: calls get no response. DENIES: it rejects the secret (401 or 403). UNKNOWN: no response is known, for example before the first call",
    }),
    awaySince: instant("When calls stopped getting responses; null while it responds"),
    deniedSince: instant("When it began to reject the secret; null while it accepts it"),
    answeredAt: instant("The last response, whatever its status; null if none is known"),
    lastFailure: known(
      Type.Object(
        {
          at: Type.String({ description: "Time in UTC" }),
          reason: Type.String({
            description:
              "The reason, such as no response or the status of a rejection; with the response or the error, for the operator",
          }),
          notice: Type.Optional(Notice),
          detail: Type.Optional(
            Type.String({
              description: "The beginning of the response, or the error's message; only for the operator",
            }),
          ),
        },
        { description: "The last failed call within the past week; null if there was none" },
      ),
    ),
  },
  { title: "LabelServerHealth" },
);
export type LabelServerHealth = Static<typeof LabelServerHealth>;
