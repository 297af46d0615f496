import { HISTORY_ENTRIES } from "../../schemas/history.ts";
import { LabelState } from "../../schemas/label-state.ts";
import { recordKind } from "../kind.ts";

export const labelStates = recordKind("labelstate", LabelState, {
  toldFields: ["wanted", "shown", "refreshing", "fault", "sending", "givenUp", "battery", "history"],
  appended: { field: "history", max: HISTORY_ENTRIES },
  indexes: [
    { keys: { sendDue: 1 }, sparse: true },
    { keys: { "fingerprint.due": 1 }, sparse: true },
  ],
});
