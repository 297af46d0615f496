import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type Logger, pino } from "pino";
import { createLinkLabels, createPlanLabels } from "../queues/link-labels.ts";
import { readSettings } from "../queues/read-settings.ts";
import { closeOnSignal } from "../queues/shutdown.ts";
import { openSystem, systemSettings } from "../queues/system.ts";
import { within } from "../records/client.ts";
import { openImageFiles } from "../records/image-files.ts";
import { describeDatabase } from "../records/indexes.ts";
import { jobOf } from "../records/journal.ts";
import { barcodeScheme } from "../records/linking/barcode.ts";
import type { Environment } from "../schemas/environment.ts";
import { chunkKey } from "../schemas/keys.ts";
import { stampOf } from "../schemas/stamp.ts";
import { studioLinkDerivation } from "../workers/evaluator/derivation.ts";
import { createAcceptRows } from "./accept-rows.ts";
import { createApp } from "./app.ts";
import { items } from "./items.ts";
import { labelImage } from "./label-image.ts";
import { labels } from "./labels.ts";
import { createLinkProgress } from "./link-progress.ts";
import { linkSingle } from "./link-single.ts";
import { createReads } from "./reads.ts";
import { results } from "./results.ts";
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

/** Opens the API on its port; `close` ends it gracefully. */
export async function openApi(settings: Settings, log: Logger): Promise<{ port: number; close(): Promise<void> }> {
  const system = openSystem(settings, log, DATABASE_TIMEOUT_MS);
  const { db, records, journal, numbers, results: outcomes, publisher, clock, now } = system;
  const imageFiles = openImageFiles(db, now);
  const readType = barcodeScheme(settings.BARCODE_PATTERN);
  const reads = createReads(db, records, imageFiles);
  const acceptRows = createAcceptRows(system.accept, publisher);
  const routes = [
    ...items({ ...reads, acceptRows }),
    ...labels({ ...reads, acceptRows, now, offlineAfterMs: settings.OFFLINE_AFTER * 1000 }),
    ...linkSingle(createLinkSingleDependencies()),
    ...labelImage(reads),
    ...results({ readResult: outcomes.read }),
  ];
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
  const server = createServer({ headersTimeout: HEADERS_WITHIN_MS }, app.callback());
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

  function createLinkSingleDependencies(): Parameters<typeof linkSingle>[0] {
    const planLabels = createPlanLabels({ records, readType });
    const linkLabels = createLinkLabels({ ...system, readType });
    const readChunk = async (store: string, number: number) => {
      const key = chunkKey(store, number, 0);
      return (await journal.read([key])).get(key);
    };
    return {
      readType,
      clock,
      isUnavailable: system.isUnavailable,
      isSettledBefore: numbers.isSettledBefore,
      progressOf: createLinkProgress(records, system, studioLinkDerivation({ records, readType, onFault: () => {} })),
      async planRow(store, row) {
        const { plans } = await planLabels(store, [row]);
        return plans[0] ?? { links: [], outcomes: [] };
      },
      async journal(store, row) {
        const [chunk] = await system.accept({ store, operation: "patch-labels", rows: [row], ordered: true });
        return chunk?.number ?? 0;
      },
      async leaveToWorker(store, number) {
        const chunk = await readChunk(store, number);
        if (chunk)
          await publisher.enqueue("link", [{ name: chunk.operation, data: jobOf(chunk), urgency: "interactive" }]);
      },
      async apply(store, number, row) {
        const [applied = []] = await linkLabels(store, [{ row, stamp: stampOf(number, 0) }], "interactive");
        const chunk = await readChunk(store, number);
        if (chunk) {
          await journal.settle(new Map([[chunk._id, applied]]));
          await outcomes.keep([{ ...chunk, outcomes: applied }]);
        }
        return applied[0] ?? { status: "ERROR", errors: ["nothing was linked"] };
      },
    };
  }
}

if (import.meta.main) {
  const settings = readSettings(apiSettings);
  const log = pino({ level: settings.LOG_LEVEL, base: { process: "web", pid: process.pid } });
  const api = await openApi(settings, log);
  closeOnSignal(api.close, log);
}
