import { setTimeout } from "node:timers/promises";
import { auditKey } from "../../queues/changes/audit-key.ts";
import { processNames } from "../../queues/topology.ts";
import { walks } from "../../records/kinds/work.ts";
import { chooseStore } from "./admin/choose-store.ts";
import { command } from "./admin/command.ts";
import { dataOptions, type Program } from "./admin/parse-call.ts";
import { runCommandLine } from "./admin/run-command-line.ts";
import { beginAudits } from "./archive/begin-audits.ts";

const POLL_INTERVAL_MS = 200;
const SAY_WAITING_AFTER_MS = 5_000;

const audit = command({
  name: "",
  arguments: [],
  means: "make the workers audit one store now, and print what they checked; stale records are enqueued",
  options: {
    tenant: { takes: "TENANT", initial: "demo", means: "tenant of the store" },
    store: { takes: "STORE", initial: "main", means: "id of the store" },
  },
  async run({ options, open }) {
    const system = await open();
    const { _id: store } = await chooseStore(system.records, options);
    await beginAudits(system, store, "by hand");
    const audited: { queue: string; checked: number; stale: number }[] = [];
    for (const queue of processNames) {
      const key = auditKey(queue, store);
      const began = system.clock();
      let isSaid = false;
      let walk = (await system.records.read(walks, [key])).get(key);
      while (walk?.finishedAt === undefined) {
        if (!isSaid && system.clock() - began > SAY_WAITING_AFTER_MS) {
          process.stderr.write(`waiting for the worker "${queue}": is it running?\n`);
          isSaid = true;
        }
        await setTimeout(POLL_INTERVAL_MS);
        walk = (await system.records.read(walks, [key])).get(key);
      }
      audited.push({ queue, checked: walk.checked, stale: walk.stale });
    }
    const lines = audited.map(
      ({ queue, checked, stale }) => `${queue.padEnd(12)} ${checked} records checked, ${stale} were stale`,
    );
    return { lines, data: { store, queues: audited } };
  },
});

/** `npm run audit`. */
export const program: Program = { call: "npm run audit --", commands: [audit], common: dataOptions };
if (import.meta.main) process.exitCode = await runCommandLine(process.argv.slice(2), program);
