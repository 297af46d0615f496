import { writeSync } from "node:fs";
import { mock } from "node:test";
import { type Logger, pino } from "pino";
import { endInNewEpoch } from "../../queues/new-epoch.ts";
import { endWhereRefused } from "../../runtime/end-where-refused.ts";
import { readSettings } from "../../runtime/read-settings.ts";
import { closeOnSignal } from "../../runtime/shutdown.ts";

/** A process that ends in the way which its first argument names; what it says goes to stdout, its orders come in messages. */
const [what = ""] = process.argv.slice(2);
const write = (line: string) => void writeSync(1, line);
// Without its own buffer, whose writes would wait for the timers that are stopped here.
const log: Logger = pino({ level: "debug" }, { write });
const say = (text: string) => write(`${JSON.stringify({ said: text })}\n`);
const stay = () => void setInterval(() => {}, 3_600_000);

/** The behaviour of closing, by name. */
const closings: Readonly<Record<string, () => Promise<void>>> = {
  closes: async () => say("closed"),
  fails: () => Promise.reject(new Error("a part is stuck")),
  hangs: () => {
    say("is closing");
    return new Promise(() => {});
  },
};

/** Each of the epochs that are read, one after another; an absent one is unreadable. */
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
/** However it is read, it throws. */
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
