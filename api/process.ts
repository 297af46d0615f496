import cluster from "node:cluster";
import type { AddressInfo } from "node:net";
import type { Logger } from "pino";
import { parsePrivateReceivers } from "../domain/webhooks/public-address.ts";
import { createDecoding } from "../drawing/decoding/decoding.ts";
import { createExpressions } from "../drawing/expressions/expressions.ts";
import { createDrawing } from "../drawing/thread/drawing.ts";
import { checkDatabases } from "../queues/check-databases.ts";
import { studioLinkDerivation } from "../queues/derivations/studio-link.ts";
import { createPositionLabels } from "../queues/linking/position-labels.ts";
import { createRefreshLabels } from "../queues/linking/refresh-labels.ts";
import { exposition } from "../queues/metrics/exposition.ts";
import { createInstallationReader } from "../queues/metrics/installation.ts";
import { reportProcess } from "../queues/metrics/report-process.ts";
import { endInNewEpoch } from "../queues/new-epoch.ts";
import { createChangeEvents } from "../queues/publish/change-events.ts";
import { openNewestOrders } from "../queues/publish/newest-orders.ts";
import { openSystem, type System, type SystemSettings, systemSettings } from "../queues/system.ts";
import { queueNames } from "../queues/topology.ts";
import { openTracing } from "../queues/tracing/open-tracing.ts";
import { within } from "../records/client.ts";
import { openImageFiles } from "../records/files/image-files.ts";
import { openStoredUploads } from "../records/files/stored-uploads.ts";
import { openUploads } from "../records/files/uploads.ts";
import { openGlassLog } from "../records/glass-log.ts";
import { describeDatabase } from "../records/indexes.ts";
import { openLabelServerDirectory } from "../records/label-server-directory.ts";
import { createBarcodeSchemes } from "../records/linking/barcode-schemes.ts";
import { openDeliveries } from "../records/outbox/deliveries.ts";
import { openReportInbox } from "../records/outbox/report-inbox.ts";
import { createAcceptOnce } from "../records/requests/accept-once.ts";
import { openRowsInFlight, openWaitingUploads } from "../records/requests/in-flight.ts";
import { closeServer } from "../runtime/close-server.ts";
import { endWhereRefused } from "../runtime/end-where-refused.ts";
import { openLog } from "../runtime/log.ts";
import { logStart } from "../runtime/log-start.ts";
import { readSettings } from "../runtime/read-settings.ts";
import { closeOnSignal } from "../runtime/shutdown.ts";
import { takeNoArguments } from "../runtime/take-no-arguments.ts";
import type { Environment } from "../schemas/environment.ts";
import { secretsOf } from "../schemas/label-server.ts";
import { tenantLimits } from "../schemas/tenant-limits.ts";
import { createFindReporter } from "./access/label-server-secrets.ts";
import { openAccess } from "./access/open-access.ts";
import { createRecallCaller } from "./access/recall-caller.ts";
import { createActionFacts } from "./actions/action-facts.ts";
import { createQueueOrders } from "./actions/queue-orders.ts";
import { createApp } from "./app.ts";
import { createBodyBudget } from "./body/body-budget.ts";
import { createUploadRate } from "./body/upload-rate.ts";
import { createIdempotency } from "./http/idempotency.ts";
import { limits } from "./http/limits.ts";
import { createRateLimit } from "./http/rate-limit.ts";
import { createUploadBounds } from "./items/hold-waiting-uploads.ts";
import { createItemReads } from "./items/item-reads.ts";
import { createStoreReports } from "./label-reports.ts";
import { createReadFacts } from "./labels/explain/read-facts.ts";
import { createLabelLookups } from "./labels/label-lookups.ts";
import { createLabelReader } from "./labels/label-reader.ts";
import { createModelReads } from "./labels/model-reads.ts";
import { createLinkReads } from "./links/link-reads.ts";
import { createLinkSingleSteps } from "./links/link-single-steps.ts";
import { watchLoop } from "./loop-watch.ts";
import { createReplacements } from "./management/replacement/count-worse.ts";
import { createTails } from "./management/subscriptions/tails.ts";
import { openAssets } from "./pages/assets.ts";
import { createAcceptRows } from "./requests/accept-rows.ts";
import { acceptWithCause } from "./requests/accept-with-cause.ts";
import { createApplyHere } from "./requests/apply-here.ts";
import { boundRows } from "./requests/bound-rows.ts";
import { boundUploads } from "./requests/bound-uploads.ts";
import { createRoutes } from "./routes.ts";
import { openServer, serverLimits } from "./server.ts";
import { identifyBySession } from "./session/identify-by-session.ts";
import { createSessions } from "./session/sessions.ts";
import {
  createRemovalReader,
  createStoreFinder,
  createStoreLocator,
  createTenantFinder,
  createTenantKeys,
} from "./stores.ts";
import { runWebProcesses } from "./web-processes.ts";

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
  "BARCODE_PATTERN",
  "OFFLINE_AFTER",
  "WEBHOOKS_PRIVATE",
] as const;

type Settings = Omit<Environment<(typeof apiSettings)[number]>, keyof SystemSettings> & SystemSettings;

const DATABASE_TIMEOUT_MS = 2_000;
const READY_TIMEOUT_MS = 2_000;
/** After a pause a tenant or an address may make so many seconds' calls at once. */
const BURST_SECONDS = 3;

/**
 * Opens the API on its port; `close` ends it gracefully. `patienceMs` is how long callers wait for a step of the database or
 * of Redis; where it is absent, each step has its own bound, and while the database is away a 503 comes within three seconds.
 */
export async function openApi(
  settings: Settings,
  log: Logger,
  patienceMs?: number,
): Promise<{ port: number; system: Pick<System, "epoch" | "redis">; close(): Promise<void> }> {
  const tracing = await openTracing(settings, "web");
  const opened = openSystem(settings, log, patienceMs ?? DATABASE_TIMEOUT_MS, tracing);
  const { db, redis, records, results: outcomes, publisher, clock, now, onError } = opened;
  const idempotency = createIdempotency(opened.idempotencyKeys, onError("idempotency"), patienceMs);
  const accept = boundRows(opened.accept, {
    limits: tenantLimits,
    readInFlight: openRowsInFlight(db, tenantLimits.chunksInFlight),
    clock,
    onError: onError("rows in flight"),
  });
  const system = {
    ...opened,
    accept: acceptWithCause(createAcceptOnce(db, accept, idempotency.currentRun, now), opened.step),
  };
  const imageFiles = openImageFiles(db, now);
  const openedUploads = openUploads(db, now);
  const readStored = openStoredUploads(db, tenantLimits.uploads);
  const put = boundUploads(openedUploads.put, { limits: tenantLimits, readStored, clock });
  const uploads = { ...openedUploads, put };
  const schemeOf = createBarcodeSchemes(records, settings.BARCODE_PATTERN, clock);
  const expressions = createExpressions();
  const studioLinkRule = studioLinkDerivation({
    records,
    schemeOf,
    now: system.databaseNow,
    log,
    decideAll: expressions.decide,
  });
  const acceptRows = createAcceptRows(system.accept, system.enqueueChunks, system.background);
  const { signer, ...access } = openAccess(settings, opened, patienceMs);
  const offlineAfterMs = settings.OFFLINE_AFTER * 1000;
  const applyHere = createApplyHere(system);
  const refreshLabels = createRefreshLabels(system);
  const positionLabels = createPositionLabels(system);
  const drawing = createDrawing();
  const tails = createTails({ redis, clock, eventsOf: createChangeEvents(records, now) });
  const routes = createRoutes({
    ...createItemReads(db, records),
    ...createLabelLookups(records, imageFiles),
    readExplanationFacts: createReadFacts({ ...system, studioLinkRule, expressions, offlineAfterMs }),
    ...createModelReads(db, records),
    ...createLinkReads(records),
    ...createActionFacts(records, schemeOf),
    queueOrders: createQueueOrders(publisher, openNewestOrders(system.redis, system.onError("orders"))),
    refreshLabel: (store, barcode) => applyHere(store, "refresh-labels", barcode, refreshLabels),
    positionLabel: (store, row) => applyHere(store, "position-labels", row, positionLabels),
    acceptRows,
    withinUploadBounds: createUploadBounds(openWaitingUploads(db)),
    storeUpload: uploads.put,
    schemeOf,
    now,
    offlineAfterMs,
    openLabels: createLabelReader(db, records, now, offlineAfterMs),
    linkSingle: createLinkSingleSteps(system, schemeOf, studioLinkRule),
    readResult: outcomes.read,
    management: {
      ...system,
      barcodePattern: settings.BARCODE_PATTERN,
      signer,
      deliveries: openDeliveries(db, system.databaseNow),
      allowedReceivers: parsePrivateReceivers(settings.WEBHOOKS_PRIVATE ?? ""),
      tails,
      studioLinkRule,
      expressions,
      integrity: { ...system, studioLinkRule, offlineAfterMs, glassLog: openGlassLog(db) },
      imageFiles,
      uploads,
      drawing,
      replacements: createReplacements({ ...system, imageFiles, uploads, drawing, ...createDecoding() }),
    },
  });
  const limitOf = (perSecond: number, burst = perSecond * BURST_SECONDS) => {
    if (perSecond === 0) return undefined;
    const rate = { perSecond, burst: Math.max(perSecond, burst) };
    return {
      rate,
      takeTurn: createRateLimit(rate, { redis, clock, onError: onError("rate limit"), timeoutMs: patienceMs }),
    };
  };
  const loop = watchLoop(log, clock);
  const reporter = reportProcess(system, "web");
  const readInstallation = createInstallationReader({ ...system, onError: onError("metrics") });
  const sessions = createSessions({ redis, verify: access.verify, now, onError: onError("sessions") });
  const findStore = createStoreFinder(db, clock, patienceMs);
  const app = createApp({
    routes,
    database: db.databaseName,
    assets: await openAssets(),
    beginOperation: loop.begin,
    bodies: createBodyBudget(limits.bodies),
    countUpload: createUploadRate(limits.upload.rate, {
      redis,
      clock,
      onError: onError("upload rate"),
      timeoutMs: patienceMs,
    }),
    idempotency,
    limits: { subject: limitOf(settings.RATE_LIMIT, settings.RATE_BURST), tenant: limitOf(settings.TENANT_RATE_LIMIT) },
    strangers: limitOf(settings.ADDRESS_RATE_LIMIT),
    ...access,
    recallCaller: createRecallCaller({ ...access, sessions }),
    identify: identifyBySession(sessions, access.identify),
    sessions,
    queues: queueNames.map(publisher.queue),
    readTenants: createTenantKeys(db, 2),
    now,
    findStore,
    locateStore: createStoreLocator(db, findStore, clock),
    findTenant: createTenantFinder(records, patienceMs),
    readRemoval: createRemovalReader(records, patienceMs),
    findReporter: createFindReporter(
      secretsOf({ secret: settings.LABEL_SERVER_SECRET, otherSecret: settings.LABEL_SERVER_SECRET_OTHER }),
      openLabelServerDirectory(db, clock),
    ),
    onForeign: (stores) =>
      log.warn({ stores: stores.slice(0, 3) }, "a label server reported about stores of other label servers"),
    storeReports: createStoreReports(openReportInbox(db, system.databaseNow), publisher, patienceMs),
    reportsTimeoutMs: patienceMs,
    metrics: system.metrics,
    metricsToken: settings.METRICS_TOKEN,
    metricsPage: async (scope) =>
      scope === "own"
        ? exposition([await reporter.readOwn()])
        : exposition(...(await Promise.all([reporter.readAll(), readInstallation()]))),
    describeDatabase: () => within(patienceMs ?? READY_TIMEOUT_MS, describeDatabase(db)),
    reasonOf: opened.reasonOf,
    onUnavailable: onError("mongodb"),
    isRedisReady: () => redis.status === "ready",
    baseDomain: settings.BASE_DOMAIN,
    basePath: settings.BASE_PATH ?? "",
    corsOrigins: settings.CORS_ORIGINS,
    beginCall: tracing.beginCall,
    log,
    clock,
  });
  const server = openServer(app.callback(), serverLimits);
  await new Promise<void>((resolve, reject) =>
    server.once("error", reject).listen({ port: settings.PORT, host: settings.LISTEN_HOST }, resolve),
  );
  log.info({ port: settings.PORT }, "the API is listening");

  return {
    port: (server.address() as AddressInfo).port,
    system,
    async close() {
      tails.close();
      loop.stop();
      await closeServer(server);
      await reporter.stop();
      await system.close();
    },
  };
}

if (import.meta.main) {
  takeNoArguments("npm run web", "Serve the API and the pages");
  const names = [...apiSettings, "NODE_ENV", "WEB_CONCURRENCY"] as const;
  const settings = readSettings(names);
  const log = openLog("web", settings.LOG_LEVEL);
  logStart(log, names);
  if (cluster.isPrimary && settings.WEB_CONCURRENCY > 1) {
    closeOnSignal(runWebProcesses(settings.WEB_CONCURRENCY, log), log);
  } else {
    const api = await openApi(settings, log).catch(endWhereRefused("PORT"));
    endInNewEpoch({ ...api.system, log });
    checkDatabases({ ...api.system, log }, settings);
    closeOnSignal(api.close, log);
  }
}
