import { setTimeout } from "node:timers/promises";
import type { Db, Document } from "mongodb";
import type { System } from "../../../queues/system.ts";
import { LABELS_PER_SECOND, restored } from "../../operate/admin/after-restore.ts";
import type { Stack } from "../../start/stack.ts";
import type { DatabaseProxy } from "../proxy/database-proxy.ts";
import { refusal } from "../proxy/wire-protocol.ts";

const STALL_MS = 4_000;
const FAILOVER_MS = 4_000;
const DOCUMENTS_PER_READ = 1000;
/** More numbers than a store can use in a run. */
const NUMBERS_LEFT_OUT = 1_000_000;
/** The responses of a replica set during a failover, each for a part of its duration. */
const failoverCodes = [189, 91, 11_600, 13_435, 10_107];

/** Holds back everything between the processes and MongoDB for a while. */
export async function stall(proxy: DatabaseProxy): Promise<void> {
  proxy.hold();
  await setTimeout(STALL_MS);
  proxy.restore();
}

/** Rejects every command of a collection with the codes of a failover. */
export async function failOver(proxy: DatabaseProxy): Promise<void> {
  for (const code of failoverCodes) {
    const document = refusal(code);
    proxy.answer({
      matches: ({ collection }) => collection !== "",
      document,
      times: Number.POSITIVE_INFINITY,
    });
    await setTimeout(FAILOVER_MS / failoverCodes.length);
    proxy.answerNothing();
  }
}

/** All documents of a database, by collection. */
export type Dump = ReadonlyMap<string, readonly Document[]>;

export async function dump(db: Db): Promise<Dump> {
  const names = (await db.listCollections().toArray()).map(({ name }) => name);
  const read = async (name: string) =>
    [name, await db.collection(name).find().batchSize(DOCUMENTS_PER_READ).toArray()] as const;
  return new Map(await Promise.all(names.map(read)));
}

/**
 * Restores the database to an earlier point in time, as an operator does: no process reaches it meanwhile, the new epoch is
 * announced (docs/operations/back-up-and-restore.md#a-restore-of-mongodb), and all processes restart.
 */
export async function restore(stack: Stack, proxy: DatabaseProxy, system: System, backup: Dump): Promise<void> {
  proxy.cut();
  try {
    for (const { name } of await system.db.listCollections().toArray()) {
      const collection = system.db.collection(name);
      await collection.deleteMany({});
      // A command that the server had begun before the cut may have stored a document again, such as a lease.
      const writes = (backup.get(name) ?? []).map((document) => ({
        replaceOne: { filter: { _id: document._id }, replacement: document, upsert: true },
      }));
      if (writes.length > 0) await collection.bulkWrite(writes, { ordered: false });
    }
    await system.whenReady();
    const options = { step: NUMBERS_LEFT_OUT, perSecond: LABELS_PER_SECOND, noticeMs: 0 };
    await restored(system, { ...options, isDryRun: false, progress: () => () => {} });
    for (const process of stack.processes) if (process.name !== "label-server") process.kill();
  } finally {
    proxy.restore();
  }
}
