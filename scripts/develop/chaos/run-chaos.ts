import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ItemPatch } from "../../../schemas/item.ts";
import { withDemoStack } from "../../demo/with-stack.ts";
import { letHappen, planFaults } from "./faults.ts";
import { type Findings, sendUnderFaults } from "./price-lists.ts";

interface Options {
  rows: readonly ItemPatch[];
  seed: number;
  /** Over how long the faults are spread. */
  milliseconds: number;
  mongoUrl: string;
  tell(what: string): void;
}

/** Runs everything as processes of its own and sends price lists, while workers are killed and Redis forgets. */
export async function runChaos({ rows, seed, milliseconds, mongoUrl, tell }: Options): Promise<Findings> {
  const folder = await mkdtemp(join(tmpdir(), "shelfwire-chaos-"));
  const options = {
    dataFolder: folder,
    database: `chaos-${process.pid}`,
    isKept: true,
    workerProcesses: 1,
    mongoUrl,
    environment: { LOG_LEVEL: "fatal", SWEEP_EVERY: "5" },
    log: tell,
  };
  try {
    return await withDemoStack(options, async ({ stack, client }) => {
      const faults = planFaults(stack, join(folder, "redis"), seed, milliseconds);
      let isOver = false;
      const happening = letHappen(faults, tell).then(() => {
        isOver = true;
      });
      const found = await sendUnderFaults({ client, emulator: stack.emulator, rows, isOver: () => isOver, tell });
      await happening;
      return found;
    });
  } finally {
    await rm(folder, { recursive: true });
  }
}
