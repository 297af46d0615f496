import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SignJWT } from "jose";
import { type Claims, scopes } from "../schemas/token.ts";

export interface Secrets {
  jwt: string;
  labelServer: string;
}

const fileIn = (dataFolder: string): string => join(dataFolder, "secrets.json");

/** The secrets of an embedded instance, made at its first start and kept in its data folder. */
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

export interface TokenOrder extends Claims {
  secret: string;
  issuer: string;
  audience: string;
  /** Such as `30d`. */
  lifetime: string;
}

/** Signs an access token. The scope `*` stands for all. */
export function signToken({ secret, issuer, audience, lifetime, tenant, stores, scope }: TokenOrder): Promise<string> {
  const granted = scope === "*" ? scopes.join(" ") : scope;
  return new SignJWT({ tenant, stores, scope: granted })
    .setProtectedHeader({ alg: "HS256" })
    .setIssuer(issuer)
    .setAudience(audience)
    .setIssuedAt()
    .setExpirationTime(lifetime)
    .sign(new TextEncoder().encode(secret));
}
