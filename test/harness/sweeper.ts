import type { ExecutionContext } from "ava";
import { pino } from "pino";
import { startSweeper } from "../../queues/changes/sweep.ts";
import { createAdmitChunks } from "../../queues/requests/admit-chunks.ts";
import { openOutbox } from "../../records/outbox/outbox.ts";
import { type ASystem, later } from "./system.ts";

const MINUTE_MS = 60_000;

/** Starts a sweep that runs repeatedly until the test ends. Its clock is ahead, so all unfinished work is old enough. */
export function startASweeper(t: ExecutionContext, { system }: ASystem, now = later(MINUTE_MS)): void {
  const outbox = openOutbox(system.db);
  const openChunks = { ...system.openChunks, databaseTime: async () => now() };
  const admitChunks = createAdmitChunks({ ...system, openChunks });
  const log = pino({ level: "silent" });
  const sweeper = startSweeper({ ...system, outbox, openChunks, admitChunks, now, intervalMs: 100, log });
  t.teardown(sweeper.stop);
}
