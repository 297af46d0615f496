import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** The addresses of an embedded instance's servers while it runs; their ports are chosen at each start. */
type Stores = Record<"REDIS_URL" | "MONGODB_URL", string>;

const fileIn = (dataFolder: string): string => join(dataFolder, "stores.json");

export const saveStores = (dataFolder: string, stores: Stores): void =>
  writeFileSync(fileIn(dataFolder), JSON.stringify(stores), { mode: 0o600 });

export const removeStores = (dataFolder: string): void => rmSync(fileIn(dataFolder), { force: true });

/** The servers of the instance that runs on this data folder; empty where none runs. */
export const runningStores = (dataFolder: string): Partial<Stores> =>
  existsSync(fileIn(dataFolder)) ? JSON.parse(readFileSync(fileIn(dataFolder), "utf8")) : {};
