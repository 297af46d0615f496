import type { Commit } from "../../../queues/changes/commit.ts";
import { labelBatteries } from "../../../records/kinds/labels.ts";

/**
 * Announces the batteries that need to be replaced, by label key, each with the time since which its replacement has been due.
 */
export type AnnounceBatteries = (replaceSince: ReadonlyMap<string, number>) => Promise<void>;

/**
 * Compares with the announced batteries, so that each is announced once. If a process is killed after it has stored the label's
 * state, the next report announces the battery.
 */
export const createAnnounceBatteries =
  (commit: Commit): AnnounceBatteries =>
  async (replaceSince) => {
    await commit.change(
      labelBatteries,
      [...replaceSince.keys()],
      (key) => ({ replaceSince: new Date(replaceSince.get(key) ?? 0) }),
      "bulk",
    );
  };
