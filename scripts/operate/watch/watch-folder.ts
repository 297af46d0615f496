import type { Logger } from "pino";
import type { Mapping } from "../import/mapping.ts";
import { applyFile, type FileReport, LaterError } from "./apply-file.ts";
import { type Folders, openFolders, type TakenFile } from "./folders.ts";
import type { Store } from "./send-rows.ts";
import { isFinishedName, look, type SeenFile, stillFiles } from "./still-files.ts";
import { countsOf, writeReport } from "./write-report.ts";

interface WatchOptions {
  folder: string;
  store: Store;
  mapping: Mapping;
  /** How long a file must not change before it is read, in milliseconds. */
  stillMs: number;
  /** How many milliseconds after it was taken a file may be continued. The keys of calls must be kept for longer. */
  resumeWithinMs: number;
  log: Pick<Logger, "info" | "warn">;
}

/** A watched folder. `turn` is called repeatedly, each time after the previous call has ended. */
export interface Watcher {
  /**
   * Applies the files in work, then the files that no longer change, oldest first. Ends early if the API does not accept rows
   * now, because newer files must not overtake older ones.
   *
   *
   * @param now milliseconds since 1970, and of a clock that never goes back
   */
  turn(now: { date: number; steady: number }): Promise<void>;
}

/** How long files wait after the API has not accepted one. */
const RETRY_AFTER_MS = 5_000;
const INTERRUPTED =
  "processing of the file was interrupted for so long that it is unknown which of its rows were applied; put it into the folder again to apply all of them";

/** Opens a folder. */
export async function openWatcher(options: WatchOptions): Promise<Watcher> {
  const { folder, store, mapping, stillMs, resumeWithinMs, log } = options;
  const folders: Folders = await openFolders(folder);
  let seen: SeenFile[] = [];
  let notBefore = Number.NEGATIVE_INFINITY;

  async function apply(file: TakenFile, date: number): Promise<void> {
    const isLate = date - file.takenAt > resumeWithinMs;
    const report: FileReport = isLate
      ? { outcome: "failed", reason: INTERRUPTED, rows: [] }
      : await applyFile(store, file, mapping);
    await folders.settle(file, report.outcome, writeReport(report));
    const { outcome, reason } = report;
    const line = { file: file.name, rows: countsOf(report), ...(reason !== undefined && { reason }) };
    if (outcome === "done") log.info(line, "file applied");
    else log.warn(line, "file moved to failed/");
  }

  return {
    async turn({ date, steady }) {
      const listed = (await folders.waiting()).filter(({ name }) => isFinishedName(name));
      seen = look(seen, listed, steady);
      if (steady < notBefore) return;
      try {
        for (const file of await folders.taken()) await apply(file, date);
        for (const { name } of stillFiles(seen, stillMs, steady)) {
          const file = await folders.take(name, date);
          if (file !== undefined) await apply(file, date);
        }
      } catch (error) {
        if (!(error instanceof LaterError)) throw error;
        notBefore = steady + RETRY_AFTER_MS;
        log.warn({ reason: error.message }, "the file stays in working/ and is sent again");
      }
    },
  };
}
