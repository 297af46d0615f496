import type { Db } from "mongodb";
import type { Commit } from "../../queues/changes/commit.ts";
import { flashSequences } from "../../records/kinds/work.ts";
import { readLastPresses } from "../../records/labels/last-presses.ts";
import { openRunningSequences } from "../../records/labels/running-sequences.ts";
import type { Records } from "../../records/records.ts";
import { labelKey } from "../../schemas/keys.ts";
import type { FlashSequencesWorld } from "./flash-sequences.ts";
import type { FlashStopWorld } from "./flash-stop.ts";

/** Reads and writes the records of flash sequences. */
export function createSequenceRecords({
  db,
  records,
  commit,
}: {
  db: Db;
  records: Records;
  commit: Commit;
}): Pick<FlashSequencesWorld, "countSequences" | "readSequence" | "changeSequence" | "readPresses"> &
  Pick<FlashStopWorld, "readRunning"> {
  const running = openRunningSequences(db);
  return {
    countSequences: running.count,
    readRunning: running.of,
    readSequence: async (key) => (await records.read(flashSequences, [key])).get(key),
    changeSequence: async (key, decide) =>
      (await commit.change(flashSequences, [key], (_, current) => decide(current), "interactive")).get(key),
    async readPresses(store, barcodes) {
      const keys = barcodes.map((barcode) => labelKey(store, barcode));
      const pressOf = await readLastPresses(records, keys);
      return (barcode) => pressOf(labelKey(store, barcode));
    },
  };
}
