import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** The addresses of an embedded instance's servers while it runs. Their ports are chosen at each start. */
type Databases = Record<"REDIS_URL" | "MONGODB_URL", string>;

const fileIn = (dataFolder: string): string => join(dataFolder, "databases.json");

export const saveDatabases = (dataFolder: string, databases: Databases): void =>
  writeFileSync(fileIn(dataFolder), JSON.stringify(databases), { mode: 0o600 });

export const removeDatabases = (dataFolder: string): void => rmSync(fileIn(dataFolder), { force: true });

/** Returns the servers of the instance that runs in this data folder. Empty if none runs. */
export const runningDatabases = (dataFolder: string): Partial<Databases> =>
  existsSync(fileIn(dataFolder)) ? JSON.parse(readFileSync(fileIn(dataFolder), "utf8")) : {};
