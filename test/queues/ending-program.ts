import { writeSync } from "node:fs";
import { mock } from "node:test";
import { type Logger, pino } from "pino";
import { endInNewEpoch } from "../../queues/end-after-restore.ts";
import { endWhereRefused } from "../../runtime/end-where-refused.ts";
import { readSettings } from "../../runtime/read-settings.ts";
import { closeOnSignal } from "../../runtime/shutdown.ts";

/**
 * A process that ends in the way named by its first argument. It reports to stdout and receives its orders as messages.
 */
const [what = ""] = process.argv.slice(2);
const write = (line: string) => void writeSync(1, line);
// Writes without a buffer, since buffered writes would wait for the timers that are stopped here.
const log: Logger = pino({ level: "debug" }, { write });
const say = (text: string) => write(`${JSON.stringify({ said: text })}\n`);
const stay = () => void setInterval(() => {}, 3_600_000);

/** What the process does when it closes, by name. */
const closings: Readonly<Record<string, () => Promise<void>>> = {
  closes: async () => say("closed"),
  fails: () => Promise.reject(new Error("a part is stuck")),
  hangs: () => {
    say("is closing");
    return new Promise(() => {});
  },
};

/** The epochs that successive reads return; undefined is unreadable. */
function follow(...epochs: (number | undefined)[]): void {
  mock.timers.enable({ apis: ["setInterval"] });
  let reads = 0;
  const read = async () => {
    const epoch = epochs[reads];
    reads += 1;
    say(`read ${epoch}`);
    if (epoch === undefined) throw new Error("the database is unreachable");
    return epoch;
  };
  endInNewEpoch({ epoch: { current: async () => 7, read }, log });
}

const endings: Readonly<Record<string, () => void>> = {
  settings: () => say(`read ${readSettings(["RESULT_TTL"]).RESULT_TTL}`),
  "other error": () => readSettings(["RESULT_TTL"], [], unreadable),
  "port taken": () => endWhereRefused("PORT")(Object.assign(new Error("listen"), { code: "EADDRINUSE", port: 80 })),
  "port refused": () => endWhereRefused("PORT")(Object.assign(new Error("no right"), { code: "EACCES", port: 80 })),
  "same epoch": () => follow(7, undefined, 7),
  "new epoch": () => follow(7, undefined, 8),
  "restored before": () => follow(8),
};
const fail = (): never => {
  throw new Error("no environment");
};
/** Throws on every kind of read. */
const unreadable = new Proxy({}, { get: fail, has: fail, ownKeys: fail, getOwnPropertyDescriptor: fail });

const close = closings[what];
if (close) {
  mock.timers.enable({ apis: ["setTimeout"] });
  closeOnSignal(close, log);
}
endings[what]?.();
process.on("message", (order: { tick?: number }) => {
  if (order.tick === undefined) return;
  mock.timers.tick(order.tick);
  say("ticked");
});
say("ready");
if (close) stay();
