import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type Logger, pino } from "pino";
import { readSettings } from "../queues/read-settings.ts";
import { closeOnSignal } from "../queues/shutdown.ts";
import { openSystem, systemSettings } from "../queues/system.ts";
import { within } from "../records/client.ts";
import { openImageFiles } from "../records/image-files.ts";
import { describeDatabase } from "../records/indexes.ts";
import { barcodeScheme } from "../records/linking/barcode.ts";
import type { Environment } from "../schemas/environment.ts";
import { createAcceptRows } from "./accept-rows.ts";
import { createApp } from "./app.ts";
import { createLabelReads } from "./label-reads.ts";
import { createLinkSingleSteps } from "./link-single-steps.ts";
import { createReads } from "./reads.ts";
import { createRoutes } from "./routes.ts";
import { createStoreFinder } from "./stores.ts";
import { createVerifier } from "./tokens.ts";

export const apiSettings = [
  ...systemSettings,
  "PORT",
  "BASE_DOMAIN",
  "JWT_SECRET",
  "JWKS_URL",
  "JWT_ISSUER",
  "JWT_AUDIENCE",
  "LABEL_SERVER_SECRET",
  "BARCODE_PATTERN",
  "OFFLINE_AFTER",
] as const;

type Settings = Environment<(typeof apiSettings)[number]>;

const DATABASE_TIMEOUT_MS = 2_000;
const READY_WITHIN_MS = 2_000;
const HEADERS_WITHIN_MS = 20_000;
/** The address is among them, and a filter may name some thousand barcodes. */
const HEADERS_BYTES = 256 * 2 ** 10;

/** Opens the API on its port; `close` ends it gracefully. */
export async function openApi(settings: Settings, log: Logger): Promise<{ port: number; close(): Promise<void> }> {
  const system = openSystem(settings, log, DATABASE_TIMEOUT_MS);
  const { db, records, results: outcomes, publisher, clock, now } = system;
  const imageFiles = openImageFiles(db, now);
  const readType = barcodeScheme(settings.BARCODE_PATTERN);
  const reads = createReads(db, records, imageFiles);
  const acceptRows = createAcceptRows(system.accept, publisher);
  const routes = createRoutes({
    ...reads,
    acceptRows,
    readType,
    openLabels: createLabelReads(db, records, now, settings.OFFLINE_AFTER * 1000),
    linkSingle: createLinkSingleSteps(system, readType),
    readResult: outcomes.read,
  });
  const app = createApp({
    routes,
    verify: createVerifier(settings, Date.now),
    findStore: createStoreFinder(db, clock),
    secret: settings.LABEL_SERVER_SECRET,
    enqueueReports: (reports) =>
      publisher.enqueue("transmitter", [{ name: "reports", data: reports, urgency: "interactive" }]),
    describeDatabase: () => within(READY_WITHIN_MS, describeDatabase(db)),
    isRedisReady: () => system.redis.status === "ready",
    baseDomain: settings.BASE_DOMAIN,
    log,
    clock,
  });
  const server = createServer({ headersTimeout: HEADERS_WITHIN_MS, maxHeaderSize: HEADERS_BYTES }, app.callback());
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(settings.PORT, resolve));
  log.info({ port: settings.PORT }, "the API listens");

  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeIdleConnections();
      await closed;
      await system.close();
    },
  };
}

if (import.meta.main) {
  const settings = readSettings(apiSettings);
  const log = pino({ level: settings.LOG_LEVEL, base: { process: "web", pid: process.pid } });
  const api = await openApi(settings, log);
  closeOnSignal(api.close, log);
}
