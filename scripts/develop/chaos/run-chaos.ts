import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ItemPatch } from "../../../schemas/item.ts";
import { withDemoStack } from "../../demo/with-stack.ts";
import { planFaults, runFaults } from "./faults.ts";
import { type Findings, sendUnderFaults } from "./price-lists.ts";

interface Options {
  rows: readonly ItemPatch[];
  seed: number;
  /** The faults are spread over this time. */
  milliseconds: number;
  mongoUrl: string;
  log(what: string): void;
}

/** Runs the whole stack and sends price lists while workers are killed and Redis is flushed or killed. */
export async function runChaos({ rows, seed, milliseconds, mongoUrl, log }: Options): Promise<Findings> {
  const folder = await mkdtemp(join(tmpdir(), "shelfwire-chaos-"));
  const stackOptions = {
    dataFolder: folder,
    database: `chaos-${process.pid}`,
    isKept: true,
    workerProcesses: 1,
    mongoUrl,
    environment: { LOG_LEVEL: "fatal", SWEEP_EVERY: "5" },
    log,
  };
  try {
    return await withDemoStack(stackOptions, async ({ stack, client }) => {
      const faults = planFaults(stack, join(folder, "redis"), seed, milliseconds);
      let isOver = false;
      const happening = runFaults(faults, log).then(() => {
        isOver = true;
      });
      const found = await sendUnderFaults({ client, emulator: stack.emulator, rows, isOver: () => isOver, log });
      await happening;
      return found;
    });
  } finally {
    await rm(folder, { recursive: true });
  }
}
