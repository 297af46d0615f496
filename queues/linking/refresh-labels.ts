import { refreshState } from "../../domain/labels/resend-pages.ts";
import { labelStates } from "../../records/kinds/labels.ts";
import { labelKey } from "../../schemas/keys.ts";
import { newLabelState } from "../../schemas/label-state.ts";
import type { Commit } from "../changes/commit.ts";
import type { ApplyRows } from "../requests/stamped-rows.ts";

/**
 * Requests that every page of these labels be sent again; each row is a barcode. It only marks the label states as due, and the
 * transmitter polls for them, so that no request waits for a label server.
 */
export function createRefreshLabels({ commit, now }: { commit: Commit; now(): Date }): ApplyRows<string> {
  return async (store, rows) => {
    const stamps = new Map(rows.map(({ row, stamp }) => [labelKey(store, row), stamp]));
    await commit.change(
      labelStates,
      [...stamps.keys()],
      (key, current) => refreshState(current ?? newLabelState(), stamps.get(key) ?? 0, now()),
      "bulk",
    );
    return rows.map(() => []);
  };
}
