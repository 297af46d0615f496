import type { Commit } from "../../../queues/changes/commit.ts";
import { labelBatteries } from "../../../records/kinds/labels.ts";

/** Announces the batteries that are to be replaced, by the key of their label, each with the time since when. */
export type AnnounceBatteries = (replaceSince: ReadonlyMap<string, number>) => Promise<void>;

/**
 * Compares with what was announced, so that a battery is announced once, and also if a process was killed after it had
 * stored the label's state: the next report announces it then.
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
