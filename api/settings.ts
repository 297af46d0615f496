import { type SystemSettings, systemSettings } from "../queues/system.ts";
import type { Environment } from "../schemas/environment.ts";

export const apiSettings = [
  ...systemSettings,
  "PORT",
  "LISTEN_HOST",
  "BASE_DOMAIN",
  "BASE_PATH",
  "CORS_ORIGINS",
  "RATE_LIMIT",
  "RATE_BURST",
  "TENANT_RATE_LIMIT",
  "ADDRESS_RATE_LIMIT",
  "JWT_SECRET",
  "JWT_SECRET_OTHER",
  "JWKS_URL",
  "JWT_ISSUER",
  "JWT_AUDIENCE",
  "TOKEN_LIFETIME",
  "BASIC_AUTH",
  "TRUSTED_PROXIES",
  "LABEL_SERVER_SECRET",
  "LABEL_SERVER_SECRET_OTHER",
  "METRICS_TOKEN",
  "PROOF_KEY",
  "PROOF_OLD_KEYS",
  "GLASS_HISTORY",
  "BARCODE_PATTERN",
  "OFFLINE_AFTER",
  "WEBHOOKS_PRIVATE",
] as const;

/** The settings that the API reads. */
export type ApiSettings = Omit<Environment<(typeof apiSettings)[number]>, keyof SystemSettings> & SystemSettings;
