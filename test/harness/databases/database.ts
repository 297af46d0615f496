import type { Db } from "mongodb";
import { type Static, Type } from "typebox";
import { openDatabase } from "../../../records/client.ts";
import { makeIndexes } from "../../../records/indexes.ts";
import { recordKind } from "../../../records/kind.ts";
import { PATIENT_MS } from "../patience.ts";
import { findDatabasePlace } from "./databases.ts";
import { forgetCalls } from "./query-recorder.ts";

const Counter = Type.Object({ count: Type.Integer(), note: Type.Optional(Type.String()) });
export type Counter = Static<typeof Counter>;

/** A kind of record that only tests use: nothing subscribes to its changes. */
export const counters = recordKind("testcounter", Counter);

export interface OpenDatabase {
  db: Db;
  url: string;
  name: string;
  close(): Promise<void>;
}

/** Opens an empty database for this test file, on the run's real server. */
export async function openADatabase(): Promise<OpenDatabase> {
  forgetCalls();
  const { mongoUrl: url, database: name, drop } = await findDatabasePlace();
  const { db, close } = openDatabase(url, name, PATIENT_MS);
  await makeIndexes(db, [counters]);
  return {
    db,
    url,
    name,
    async close() {
      await close();
      await drop();
    },
  };
}
