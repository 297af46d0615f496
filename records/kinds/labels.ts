import { HISTORY_ENTRIES } from "../../schemas/history.ts";
import { Label } from "../../schemas/label.ts";
import { LabelState } from "../../schemas/label-state.ts";
import { recordKind } from "../kind.ts";

export const labels = recordKind("storeesl.v1", Label, { streamedFields: Object.keys(Label.properties) });

export const labelStates = recordKind("labelstate", LabelState, {
  streamedFields: ["wanted", "shown", "refreshing", "fault", "sending", "givenUp", "battery", "history"],
  appended: { field: "history", max: HISTORY_ENTRIES },
  indexes: [
    { keys: { sendDue: 1 }, sparse: true },
    // The due labels of one store after another, without the stores whose label server is unreachable.
    { keys: { store: 1, sendDue: 1, _id: 1 }, partial: { sendDue: { $exists: true } } },
    { keys: { "fingerprint.due": 1 }, sparse: true },
  ],
});
