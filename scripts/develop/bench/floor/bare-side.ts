import { fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout } from "node:timers/promises";
import type { ItemPatch } from "../../../../schemas/item.ts";
import { freePort, onFreePort } from "../../../start/ports.ts";
import { startMongo } from "../../../start/servers.ts";
import { supervise } from "../../../start/supervise.ts";
import { type Usage, usageOfProcesses } from "../report.ts";
import type { Sending } from "./bare-chain.ts";

/** The bare program, with its own MongoDB and label server, so that no other work is counted. */
interface BareChain {
  emulator: string;
  /** Resolves once each label has acknowledged its picture, and the acknowledgement is written. */
  change(sending: Sending, rows: readonly ItemPatch[]): Promise<void>;
  usage(): Usage[];
  close(): Promise<void>;
}

const SECRET = "the-secret-of-the-floor";
const POLL_INTERVAL_MS = 100;

/** Starts the bare program. Each item has a label. */
export async function openBareChain(items: readonly ItemPatch[], folder: string): Promise<BareChain> {
  const mongo = await onFreePort((port) => startMongo(port, folder));
  const [emulatorPort, reportPort] = [await freePort(), await freePort()];
  const emulator = `http://127.0.0.1:${emulatorPort}`;
  const labelServer = supervise({
    name: "label-server",
    entry: "scripts/label-server/process.ts",
    environment: {
      EMULATOR_PORT: String(emulatorPort),
      EMULATOR_REPORTS_TO: `http://127.0.0.1:${reportPort}`,
      LABEL_SERVER_SECRET: SECRET,
      LISTEN_HOST: "127.0.0.1",
    },
    log: (text) => process.stderr.write(`${text}\n`),
  });
  const program = fork(new URL("./bare-chain.ts", import.meta.url), [mongo.url, emulator, String(reportPort), SECRET]);
  const answer = async () => void (await once(program, "message"));
  program.send({ items });
  await answer();
  while (!(await fetch(`${emulator}/emulator/summary`).catch(() => undefined))?.ok) await setTimeout(POLL_INTERVAL_MS);
  return {
    emulator,
    async change(sending, rows) {
      program.send({ sending, rows });
      await answer();
    },
    usage: () =>
      usageOfProcesses([
        ["bare", program.pid],
        ["label-server", labelServer.pid()],
        ["mongodb", mongo.pid()],
      ]),
    async close() {
      program.disconnect();
      await labelServer.stop();
      await mongo.stop();
    },
  };
}
