import cluster from "node:cluster";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Logger } from "pino";
import { checkDatabases } from "../queues/check-databases.ts";
import { endInNewEpoch } from "../queues/end-after-restore.ts";
import { exposition } from "../queues/metrics/exposition.ts";
import { createInstallationReader } from "../queues/metrics/installation.ts";
import { reportProcess } from "../queues/metrics/report-process.ts";
import { promptReports } from "../queues/publish/report-prompts.ts";
import { redisSettingOf } from "../queues/reach-databases.ts";
import { openSystem, type System } from "../queues/system.ts";
import { queueNames } from "../queues/topology.ts";
import { openTracing } from "../queues/tracing/open-tracing.ts";
import { openCallNotes } from "../records/activity/call-notes.ts";
import { describeDatabase } from "../records/indexes.ts";
import { openLabelServerDirectory } from "../records/label-server-directory.ts";
import { within } from "../records/mongodb/unavailable.ts";
import { openReportInbox } from "../records/outbox/report-inbox.ts";
import { createAcceptOnce } from "../records/requests/accept-once.ts";
import { openRowsInFlight } from "../records/requests/in-flight.ts";
import { closeServer } from "../runtime/close-server.ts";
import { endWhereRefused } from "../runtime/end-where-refused.ts";
import { openLog } from "../runtime/log.ts";
import { logStart } from "../runtime/log-start.ts";
import { readSettings } from "../runtime/read-settings.ts";
import { closeOnSignal } from "../runtime/shutdown.ts";
import { takeNoArguments } from "../runtime/take-no-arguments.ts";
import { secretsOf } from "../schemas/label-server.ts";
import { tenantLimits } from "../schemas/tenant-limits.ts";
import { createFindReporter } from "./access/label-server-secrets.ts";
import { openAccess } from "./access/open-access.ts";
import { createRecallCaller } from "./access/recall-caller.ts";
import { createNoteCall } from "./activity/note-call.ts";
import { createApp } from "./app.ts";
import { createBodyBudget } from "./body/body-budget.ts";
import { bodyLimits } from "./body/body-limits.ts";
import { createUploadRate } from "./body/upload-rate.ts";
import {
  createRemovalReader,
  createStoreFinder,
  createStoreLocator,
  createTenantFinder,
  createTenantKeys,
} from "./find-owners.ts";
import { createIdempotency } from "./http/idempotency.ts";
import { createRateLimit } from "./http/token-bucket.ts";
import { createInvitations } from "./installation/invitations.ts";
import { createStoreReports } from "./label-reports.ts";
import { createPictureLinks } from "./labels/picture-links/picture-links.ts";
import { watchLoop } from "./loop-watch.ts";
import { createNotifications } from "./notifications/notification-store.ts";
import { openRoutes } from "./open-routes.ts";
import { openAssets } from "./pages/assets.ts";
import { createStoresOf } from "./pages/stores-of.ts";
import { openProofKeys } from "./proofs/proof-keys.ts";
import { acceptWithCause } from "./requests/accept-with-cause.ts";
import { boundRows } from "./requests/bound-rows.ts";
import { openServer, serverLimits } from "./server.ts";
import { identifyBySession } from "./session/identify-by-session.ts";
import { openProvider } from "./session/provider/provider.ts";
import { createSessions } from "./session/sessions.ts";
import { type ApiSettings, apiSettings } from "./settings.ts";
import { runWebProcesses } from "./web-processes.ts";

const DATABASE_TIMEOUT_MS = 2_000;
const READY_TIMEOUT_MS = 2_000;
/** After a pause, a tenant or an address may make this many seconds' worth of calls in a burst. */
const BURST_SECONDS = 3;

/**
 * Opens the API on its port; `close` ends it gracefully. `patienceMs` is how long callers wait for a step of the database
 * or of Redis. If it is absent, each step has its own bound, and while the database is unreachable, callers receive a 503
 * within three seconds.
 */
export async function openApi(
  settings: ApiSettings,
  log: Logger,
  patienceMs?: number,
): Promise<{ port: number; system: Pick<System, "epoch" | "redis">; close(): Promise<void> }> {
  const tracing = await openTracing(settings, "web");
  const opened = openSystem(settings, log, patienceMs ?? DATABASE_TIMEOUT_MS, tracing, patienceMs);
  const { db, redis, records, publisher, clock, now, onError } = opened;
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
  const proofKeys = await openProofKeys(settings);
  const { signer, ...access } = openAccess(settings, opened, patienceMs);
  const pictureLinks = signer && createPictureLinks(signer.secret, settings.JWT_SECRET_OTHER, settings.BASE_PATH ?? "");
  const sessions = createSessions({
    redis,
    verify: access.verify,
    ...access.people,
    now,
    onError: onError("sessions"),
    idle: settings.SESSION_IDLE,
    lifetime: settings.SESSION_LIFETIME,
  });
  const invitations = createInvitations(opened, now);
  const notifications =
    settings.MAIL_FROM === undefined
      ? undefined
      : createNotifications({ ...opened, lifetime: settings.SESSION_LIFETIME });
  const opening = { system, settings, signer, proofKeys, pictureLinks, sessions, invitations, log, patienceMs };
  const { routes, readImage, close: closeRoutes } = openRoutes(opening);
  const limitOf = createLimits({ redis, clock, onError: onError("rate limit"), timeoutMs: patienceMs });
  const loop = watchLoop(log, clock);
  const reporter = reportProcess(system, "web");
  const readInstallation = createInstallationReader({ ...system, onError: onError("metrics") });
  const findStore = createStoreFinder(db, clock, patienceMs);
  const app = createApp({
    routes,
    readImage,
    pictureLinks,
    proofKeys,
    database: db.databaseName,
    assets: await openAssets(),
    beginOperation: loop.begin,
    bodies: createBodyBudget(bodyLimits.inWork),
    countUpload: createUploadRate(bodyLimits.upload.rate, {
      redis,
      clock,
      onError: onError("upload rate"),
      timeoutMs: patienceMs,
    }),
    idempotency,
    noteCall: createNoteCall(openCallNotes(db, opened.databaseNow), onError("activity")),
    rateLimits: {
      subject: limitOf(settings.RATE_LIMIT, settings.RATE_BURST),
      tenant: limitOf(settings.TENANT_RATE_LIMIT),
    },
    strangers: limitOf(settings.ADDRESS_RATE_LIMIT),
    ...access,
    recallCaller: createRecallCaller({ ...access, sessions }),
    identify: identifyBySession(sessions, access.identify),
    sessions,
    invitations,
    notifications,
    provider: openProvider(settings, clock, patienceMs && patienceMs / 1000),
    queues: queueNames.flatMap(publisher.partitions),
    readTenants: createTenantKeys(db, 2),
    now,
    findStore,
    storesOf: createStoresOf(records, patienceMs),
    locateStore: createStoreLocator(db, findStore, clock),
    findTenant: createTenantFinder(records, patienceMs),
    readRemoval: createRemovalReader(records, patienceMs),
    findReporter: createFindReporter(
      secretsOf({ secret: settings.LABEL_SERVER_SECRET, otherSecret: settings.LABEL_SERVER_SECRET_OTHER }),
      openLabelServerDirectory(db, clock),
      records,
    ),
    onForeign: (foreign) =>
      log.warn({ labels: foreign.slice(0, 3) }, "a label server reported on labels of other label servers"),
    storeReports: createStoreReports(
      openReportInbox(db, system.databaseNow),
      () => promptReports(redis, onError("reports")),
      patienceMs,
    ),
    reportsTimeoutMs: patienceMs,
    metrics: system.metrics,
    metricsToken: settings.METRICS_TOKEN,
    metricsPage: async (scope) =>
      scope === "own"
        ? exposition([await reporter.readOwn()])
        : exposition(...(await Promise.all([reporter.readAll(), readInstallation()]))),
    describeDatabase: () => within(patienceMs ?? READY_TIMEOUT_MS, describeDatabase(db)),
    reasonOf: opened.reasonOf,
    redisSetting: redisSettingOf(settings),
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
  await listen(server, settings);
  log.info({ port: settings.PORT }, "the API is listening");

  return {
    port: (server.address() as AddressInfo).port,
    system,
    async close() {
      closeRoutes();
      loop.stop();
      await closeServer(server);
      await reporter.stop();
      await system.close();
    },
  };
}

/** Creates the limits on calls per second; 0 means no limit. */
const createLimits =
  (dependencies: Parameters<typeof createRateLimit>[1]) =>
  (perSecond: number, burst = perSecond * BURST_SECONDS) => {
    if (perSecond === 0) return undefined;
    const rate = { perSecond, burst: Math.max(perSecond, burst) };
    return { rate, takeGrant: createRateLimit(rate, dependencies) };
  };

const listen = (server: Server, { PORT: port, LISTEN_HOST: host }: ApiSettings): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once("error", reject).listen({ port, host }, resolve);
  });

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
