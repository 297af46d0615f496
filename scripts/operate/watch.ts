import { setTimeout } from "node:timers/promises";
import { openLog } from "../../runtime/log.ts";
import { readSettings } from "../../runtime/read-settings.ts";
import { closeOnSignal } from "../../runtime/shutdown.ts";
import { command, countOf, Refusal } from "./admin/command.ts";
import { helpOption, type Program } from "./admin/parse-call.ts";
import { runCommandLine } from "./admin/run-command-line.ts";
import { openStore, storeOptions } from "./connect/open-store.ts";
import { readMapping } from "./import/mapping.ts";
import { openWatcher } from "./watch/watch-folder.ts";

const SECOND_MS = 1_000;

const watchFolder = command({
  name: "",
  arguments: ["DIR"],
  means: "apply each price file that is put into a folder, and report the outcome of its rows",
  options: {
    mapping: { takes: "FILE.json", means: "how the files are written, and which columns become which fields" },
    "still-for": { takes: "SECONDS", initial: "5", means: "how long a file must not change before it is read" },
    "resume-within": {
      takes: "SECONDS",
      initial: "72000",
      means: "how long an interrupted file may be continued; less than the API's RESULT_TTL",
    },
    ...storeOptions,
  },
  async run({ arguments: [folder = ""], options }) {
    if (options.mapping === undefined) throw new Refusal("npm run watch requires --mapping FILE.json");
    const log = openLog("watch", readSettings(["LOG_LEVEL"]).LOG_LEVEL);
    const watcher = await openWatcher({
      folder,
      mapping: await readMapping(options.mapping),
      store: await openStore(options, { name: "watched-folder", scope: "items:read items:write" }),
      stillMs: countOf("--still-for", options["still-for"]) * SECOND_MS,
      resumeWithinMs: countOf("--resume-within", options["resume-within"]) * SECOND_MS,
      log,
    });
    // A process that ends at any moment leaves a file in work, and the next process continues it.
    closeOnSignal(async () => {}, log);
    log.info({ folder }, "watching");
    for (;;) {
      await watcher
        .turn({ date: Date.now(), steady: performance.now() })
        .catch((error: Error) => log.error({ error }, "the folder could not be read"));
      await setTimeout(SECOND_MS);
    }
  },
});

/** `npm run watch`. */
export const program: Program = { call: "npm run watch --", commands: [watchFolder], common: helpOption };
if (import.meta.main) process.exitCode = await runCommandLine(process.argv.slice(2), program);
