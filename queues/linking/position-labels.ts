import { askForFingerprint, mergePosition, type PositionRow } from "../../domain/linking/merge-position.ts";
import { labelStates, labels } from "../../records/kinds/labels.ts";
import { labelKey } from "../../schemas/keys.ts";
import type { Label } from "../../schemas/label.ts";
import { type LabelState, newLabelState } from "../../schemas/label-state.ts";
import type { Commit } from "../changes/commit.ts";
import type { ApplyRows, StampedRow } from "../requests/stamped-rows.ts";

/** Sets and removes manual positions of existing labels, and requests fingerprints of the labels' signals there. */
export function createPositionLabels({ commit, now }: { commit: Commit; now(): Date }): ApplyRows<PositionRow> {
  return async (store, rows, urgency) => {
    const byLabel = Map.groupBy(rows, ({ row }) => labelKey(store, row.barcode));
    const inOrder = <Body>(key: string, body: Body, merge: (body: Body, row: StampedRow<PositionRow>) => Body): Body =>
      (byLabel.get(key) ?? []).reduce(merge, body);
    await commit.change(
      labels,
      [...byLabel.keys()],
      (key, label) => label && inOrder<Label>(key, label, (body, { row, stamp }) => mergePosition(body, row, stamp)),
      urgency,
    );
    await commit.change(
      labelStates,
      [...byLabel.keys()],
      (key, state) =>
        inOrder<LabelState>(key, state ?? newLabelState(), (body, { row, stamp }) =>
          askForFingerprint(body, row, stamp, now()),
        ),
      urgency,
    );
    return rows.map(() => []);
  };
}
