import type { Db } from "mongodb";
import { type Static, Type } from "typebox";
import { openDatabase } from "../../records/client.ts";
import { makeIndexes } from "../../records/indexes.ts";
import { recordKind } from "../../records/kind.ts";
import { openStores } from "./stores.ts";

const Counter = Type.Object({ count: Type.Integer(), note: Type.Optional(Type.String()) });
export type Counter = Static<typeof Counter>;

/** A kind of records that only tests have: nobody hears of its changes. */
export const counters = recordKind("testcounter", Counter);

export interface OpenDatabase {
  db: Db;
  url: string;
  name: string;
  close(): Promise<void>;
}

/** An empty database of a test file's own, on the run's real server. */
export async function openADatabase(): Promise<OpenDatabase> {
  const stores = await openStores();
  const { db, close } = openDatabase(stores.mongoUrl, stores.database, 20_000);
  await makeIndexes(db, [counters]);
  return {
    db,
    url: stores.mongoUrl,
    name: stores.database,
    async close() {
      await close();
      await stores.stop();
    },
  };
}
