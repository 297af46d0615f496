import { LabelBattery } from "../../schemas/care.ts";
import { Label } from "../../schemas/label.ts";
import { HISTORY_ENTRIES } from "../../schemas/label-history.ts";
import { LabelPress, Sensors } from "../../schemas/label-signals.ts";
import { LabelState } from "../../schemas/label-state.ts";
import { recordKind } from "../kind.ts";

export const labels = recordKind("storeesl.v1", Label, { streamedFields: Object.keys(Label.properties) });

export const labelStates = recordKind("labelstate", LabelState, {
  streamedFields: ["wanted", "shown", "refreshing", "fault", "sending", "givenUp", "battery", "press", "history"],
  appended: { field: "history", max: HISTORY_ENTRIES },
  indexes: [
    { keys: { sendDue: 1 }, sparse: true },
    // The due labels, store by store, so that stores whose label server is unreachable are skipped.
    { keys: { store: 1, sendDue: 1, _id: 1 }, partial: { sendDue: { $exists: true } } },
    { keys: { "fingerprint.due": 1 }, sparse: true },
    // The labels of a switch.
    { keys: { store: 1, "later.switch": 1, _id: 1 }, partial: { "later.switch": { $exists: true } } },
  ],
});

/** The announced part of labels' reports. Each record has its label's key. */
export const labelPresses = recordKind("labelpress.v1", LabelPress);
export const labelSensors = recordKind("labelsensors.v1", Sensors);
export const labelBatteries = recordKind("labelbattery.v1", LabelBattery);
