import cors from "@koa/cors";
import type { Context, Middleware } from "koa";
import { rateHeaders } from "./enforce-rate-limit.ts";

const PREFLIGHT_SECONDS = 3_600;
const exposed = [
  ...rateHeaders,
  "retry-after",
  "etag",
  "x-request-id",
  "x-trace-id",
  "link",
  "idempotency-replayed",
  "allow",
  "warning",
];

/**
 * Allows pages of these origins to call the API from a browser (CORS): `*`, or a comma-separated list. Credentials mode
 * stays off: a page of another origin calls with a token, never with a session cookie.
 */
export function createCors(origins: string): Middleware {
  const listed = new Set(origins.split(",").map((origin) => origin.trim()));
  return cors({
    origin:
      origins === "*" ? "*" : (context: Context) => (listed.has(context.get("origin")) ? context.get("origin") : ""),
    exposeHeaders: exposed,
    maxAge: PREFLIGHT_SECONDS,
  });
}
