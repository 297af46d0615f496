import { type Static, Type } from "typebox";

/** How soon a label server should transmit. */
export const TransmissionPriority = Type.Enum(["high", "normal", "low"]);

/** What a label that is asked to do something now answers: it is on its way, or nothing is sent. */
export const ActionResult = Type.Enum(["OK", "UNSUPPORTED", "UNREACHABLE"], {
  description: "OK: queued. UNSUPPORTED: labels of its type cannot do it. UNREACHABLE: OFFLINE, or no transceiver",
});
export type ActionResult = Static<typeof ActionResult>;

export const ActionAnswer = Type.Object({ result: ActionResult }, { title: "ActionAnswer" });
