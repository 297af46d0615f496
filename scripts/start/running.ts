import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Where the stores of an embedded instance are while it runs: their ports are free ones, new at each start. */
type Stores = Record<"REDIS_URL" | "MONGODB_URL", string>;

const fileIn = (dataFolder: string): string => join(dataFolder, "stores.json");

export const tellStores = (dataFolder: string, stores: Stores): void =>
  writeFileSync(fileIn(dataFolder), JSON.stringify(stores), { mode: 0o600 });

export const forgetStores = (dataFolder: string): void => rmSync(fileIn(dataFolder), { force: true });

/** The stores of the instance that runs on this folder; none where none runs. */
export const runningStores = (dataFolder: string): Partial<Stores> =>
  existsSync(fileIn(dataFolder)) ? JSON.parse(readFileSync(fileIn(dataFolder), "utf8")) : {};
