import { pressToAnnounce, sensorsToAnnounce } from "../../../domain/labels/note-signals.ts";
import type { Commit } from "../../../queues/changes/commit.ts";
import { labelPresses, labelSensors, labelStates } from "../../../records/kinds/labels.ts";
import type { Records } from "../../../records/records.ts";
import type { LabelReport } from "../../../schemas/label-report.ts";

/** Announces the presses and sensor values in these labels' reports, by label key; returns the labels that were pressed. */
export type AnnounceSignals = (byLabel: ReadonlyMap<string, readonly LabelReport[]>) => Promise<string[]>;

/**
 * Compares reports with what was announced, not with the labels' states: if a process is killed after it has stored the states,
 * the reports are applied again and then announced.
 */
export function createAnnounceSignals(records: Pick<Records, "readFields">, commit: Commit): AnnounceSignals {
  const having = (byLabel: Parameters<AnnounceSignals>[0], field: "press" | "sensors") =>
    [...byLabel].filter(([, reports]) => reports.some((one) => one[field] !== undefined)).map(([key]) => key);

  return async (byLabel) => {
    const pressed = having(byLabel, "press");
    await commit.change(
      labelPresses,
      pressed,
      (key, announced) => pressToAnnounce(announced, byLabel.get(key) ?? []),
      "interactive",
    );
    const measured = having(byLabel, "sensors");
    const states = await records.readFields(labelStates, measured, ["sensors"]);
    await commit.change(
      labelSensors,
      measured,
      (key, announced) => sensorsToAnnounce(announced, states.get(key)?.sensors ?? {}),
      "bulk",
    );
    return pressed;
  };
}
