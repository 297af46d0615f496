import { parseArgs } from "node:util";
import { pino } from "pino";
import { readSettings } from "../../queues/read-settings.ts";
import { openSystem, systemSettings } from "../../queues/system.ts";
import { runningStores } from "../start/running.ts";
import { restored } from "./restored.ts";

/**
 * Commands of operators. They use the databases of the environment, else those of the instance that runs on DATA_DIR.
 */
const commands: Readonly<Record<string, { usage: string; run(args: readonly string[]): Promise<void> }>> = {
  restored: {
    usage: "restored [--step 1000000] [--labels-per-second 50]: after MongoDB was restored to an earlier moment",
    async run(args) {
      const { values } = parseArgs({
        args: [...args],
        options: {
          step: { type: "string", default: "1000000" },
          "labels-per-second": { type: "string", default: "50" },
        },
      });
      const step = countOf("--step", values.step);
      const perSecond = countOf("--labels-per-second", values["labels-per-second"]);
      const { DATA_DIR } = readSettings(["DATA_DIR"]);
      const settings = readSettings(systemSettings, [], { ...runningStores(DATA_DIR), ...process.env });
      const system = openSystem(settings, pino({ level: "warn" }), DATABASE_TIMEOUT_MS);
      system.sweeper.stop();
      try {
        await system.whenReady();
        await restored(system, { step, perSecond, noticeMs: NOTICE_MS, print });
      } finally {
        await system.close();
      }
    },
  },
};

const DATABASE_TIMEOUT_MS = 60_000;
/** Twice the time after which a process looks for a new epoch. */
const NOTICE_MS = 10_000;

const print = (line: string): void => void process.stdout.write(`${line}\n`);

function countOf(name: string, value: string): number {
  if (!/^[1-9]\d{0,8}$/.test(value))
    throw new RangeError(`${name} must be a number from 1 to 999999999, not "${value}"`);
  return Number(value);
}

const [name = "", ...args] = process.argv.slice(2);
const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
if (command === undefined) {
  const usages = Object.values(commands).map(({ usage }) => `  npm run admin -- ${usage}\n`);
  process.stderr.write(`There is no command "${name}". There are:\n${usages.join("")}`);
  process.exit(1);
}
await command.run(args).catch((error: Error) => {
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
});
