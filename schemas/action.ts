import { type Static, Type } from "typebox";

/** How soon a label server should transmit. */
export const TransmissionPriority = Type.Enum(["high", "normal", "low"]);

/** The result of an action on a label, such as a flash: an order is queued, or nothing is sent. */
export const ActionResult = Type.Enum(["OK", "UNSUPPORTED", "UNREACHABLE"], {
  description:
    "OK: queued. UNSUPPORTED: this label type does not support the action. UNREACHABLE: the label is OFFLINE or has no transceiver",
});
export type ActionResult = Static<typeof ActionResult>;

export const ActionAnswer = Type.Object({ result: ActionResult }, { title: "ActionAnswer" });
