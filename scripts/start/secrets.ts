import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export interface Secrets {
  jwt: string;
  labelServer: string;
}

const fileIn = (dataFolder: string): string => join(dataFolder, "secrets.json");

/** Returns the secrets of an embedded instance, which are created at its first start and stored in its data folder. */
export function obtainSecrets(dataFolder: string): Secrets {
  const known = readSecrets(dataFolder);
  if (known) return known;
  const secrets = { jwt: randomBytes(32).toString("base64url"), labelServer: randomBytes(32).toString("base64url") };
  mkdirSync(dataFolder, { recursive: true });
  writeFileSync(fileIn(dataFolder), JSON.stringify(secrets), { mode: 0o600 });
  return secrets;
}

export function readSecrets(dataFolder: string): Secrets | undefined {
  return existsSync(fileIn(dataFolder)) ? JSON.parse(readFileSync(fileIn(dataFolder), "utf8")) : undefined;
}
