import { retrySettings } from "../../domain/labels/retry-waits.ts";
import { createRefreshLabels } from "../../queues/linking/refresh-labels.ts";
import { openSeenTags } from "../../queues/linking/seen-tags.ts";
import { COUNT_INTERVAL_MS, createCountLabels } from "../../queues/metrics/count-labels.ts";
import { openStoreCounts } from "../../queues/metrics/store-counts.ts";
import { createDrawNumber, createEnqueueOrders } from "../../queues/orders/enqueue-orders.ts";
import { openNewestOrders } from "../../queues/orders/newest-orders.ts";
import { openChoices } from "../../queues/publish/choices.ts";
import { openLabelServerHealth } from "../../queues/publish/label-server-health.ts";
import { followReportPrompts } from "../../queues/publish/report-prompts.ts";
import { applyChunks } from "../../queues/requests/apply-chunks.ts";
import type { WorkerParts, WorkerSystem } from "../../queues/worker/open-worker.ts";
import { runWorkerProcess } from "../../queues/worker/worker-process.ts";
import { openImageFiles } from "../../records/files/image-files.ts";
import { openGlassLog } from "../../records/glass-log.ts";
import { eslImages } from "../../records/kinds/pictures.ts";
import { flashSequences } from "../../records/kinds/work.ts";
import { openLabelServerDirectory } from "../../records/label-server-directory.ts";
import { createReadPlaces } from "../../records/labels/read-places.ts";
import { openRunningSequences } from "../../records/labels/running-sequences.ts";
import { createBarcodeSchemes } from "../../records/linking/barcode-schemes.ts";
import { firstDue } from "../../records/mongodb/due-keys.ts";
import { type FindFirst, onlyIfAny } from "../../records/mongodb/find-first-together.ts";
import { openReportInbox } from "../../records/outbox/report-inbox.ts";
import type { Environment } from "../../schemas/environment.ts";
import { labelKey, labelOfLink } from "../../schemas/keys.ts";
import type { LabelReport } from "../../schemas/label-report.ts";
import type { LabelServer as LabelServerSettings } from "../../schemas/label-server.ts";
import { createNotePaces } from "./air/note-paces.ts";
import { createAskFingerprints, firstToMeasure } from "./ask-fingerprints.ts";
import { createCareOfTypes } from "./care-of-types.ts";
import type { OnCall, OwnReports, Report } from "./drivers/label-server.ts";
import { openDriver } from "./drivers/open-driver.ts";
import { createFlashSequences } from "./flash-sequences.ts";
import { labelOrders, transmitter } from "./index.ts";
import { createLabelOrders } from "./label-orders.ts";
import { createLabelStates } from "./label-states.ts";
import { createObtainLabels } from "./new-labels.ts";
import { createAnnounceBatteries } from "./reports/announce-batteries.ts";
import { createAnnounceSignals } from "./reports/announce-signals.ts";
import { createTakeReports } from "./reports/take-reports.ts";
import { createBegunStates } from "./sending/begun-states.ts";
import { createQuietStores } from "./sending/quiet-stores.ts";
import { firstToSend } from "./sending/send-due.ts";
import { createTransmit } from "./sending/transmit.ts";
import { createLabelServers } from "./servers/label-servers.ts";
import { createNoteHealth } from "./servers/note-health.ts";
import { createNoteSeenTags } from "./servers/note-seen-tags.ts";
import { createRunSwitches } from "./switches/run-switches.ts";

export const transmitterSettings = [
  "LABEL_SERVER_URL",
  "LABEL_SERVER_SECRET",
  "LABEL_SERVER_SECRET_OTHER",
  "LABEL_SERVER_CONCURRENCY",
  "ACKNOWLEDGE_WITHIN",
  "BARCODE_PATTERN",
  "OFFLINE_AFTER",
] as const;

const POLL_INTERVAL_MS = 1000;
/** How long it may take to notice a store's new label server, or a label server's new address. */
const REFRESH_INTERVAL_MS = 2000;
/** How far the recorded calls may lag behind, so that redrawing a store does not cost a write per picture. */
const NOTE_CALLS_INTERVAL_MS = 3000;

/** Builds the transmitter with real records, queues and label servers. */
export function buildTransmitter(
  system: WorkerSystem,
  settings: Environment<(typeof transmitterSettings)[number]>,
): WorkerParts<"transmitter"> {
  const { records, commit, metrics, db, now } = system;
  const { LABEL_SERVER_URL: url, LABEL_SERVER_CONCURRENCY: concurrency } = settings;
  const { LABEL_SERVER_SECRET: secret, LABEL_SERVER_SECRET_OTHER: otherSecret } = settings;
  const readDirectory = openLabelServerDirectory(db, system.clock);
  const onCall: OnCall = (call, answer, milliseconds) => {
    metrics.count("shelfwire_label_server_answers_total", { call, answer });
    metrics.observe("shelfwire_label_server_call_seconds", {}, milliseconds / 1000);
  };
  const reportInbox = openReportInbox(db, system.databaseNow);
  const report: Report = async (reports) => {
    const isStored = await reportInbox.add(reports);
    if (isStored) applyReports(1);
    return isStored;
  };
  const served: OwnReports = async (server, reports) => {
    const keyOf = ({ store, barcode }: LabelReport) => labelKey(store, barcode);
    const placeOf = await readPlaces(reports.map(keyOf));
    const placed = reports.map((one) => ({ ...placeOf(keyOf(one)), one }));
    return (await labelServers.served(server, placed)).map(({ one }) => one);
  };
  const open = (server: LabelServerSettings) => openDriver(server, { ...system, concurrency, onCall, report, served });
  const labelServers = createLabelServers({
    installation: open({ url, secret, ...(otherSecret !== undefined && { otherSecret }) }),
    readDirectory: () => readDirectory(0),
    open,
  });
  const readPlaces = createReadPlaces(records, labelServers);
  const retry = retrySettings(settings.ACKNOWLEDGE_WITHIN * 1000);
  const careOfTypes = createCareOfTypes(records, system.clock);
  const quietStores = createQuietStores(system);
  const begunStates = createBegunStates();
  const { transmit, sendDue, resume, learntPaces, close } = createTransmit({
    ...system,
    careOfTypes,
    quietStores,
    begunStates,
    imageFiles: openImageFiles(db, now),
    labelServers,
    retry,
    concurrency,
  });
  const schemeOf = createBarcodeSchemes(records, settings.BARCODE_PATTERN, system.clock);
  const obtainLabels = createObtainLabels(records, commit, schemeOf);
  const newestOrders = openNewestOrders(system.redis, system.onError("orders"));
  const sequences = createFlashSequences({
    ...{ records, commit, now: system.databaseNow },
    running: openRunningSequences(db),
    drawNumber: createDrawNumber(system.publisher, newestOrders),
    enqueueOrders: createEnqueueOrders(system.publisher, newestOrders),
  });
  const announceSignals = createAnnounceSignals(records, commit);
  const states = createLabelStates(records, obtainLabels, transmit, {
    ...system,
    glassLog: openGlassLog(db),
    choices: openChoices(system.redis, system.onError("choices")),
    readPlaces,
    noteBoot: (place, bootId) => labelServers.of(place).noteBoot?.(bootId),
    serverOf: labelServers.nameOf,
    careOfTypes,
    begunStates,
    // A press counts for sequences once it is in the label's state.
    takeSignals: async (byLabel) => sequences.continuePressed(await announceSignals(byLabel)),
    announceBatteries: createAnnounceBatteries(commit),
  });
  const noteHealth = createNoteHealth({ ...system, labelServers, notes: openLabelServerHealth(system.redis) });
  const takeReports = createTakeReports({ ...system, ...states, reportInbox });
  const askFingerprints = createAskFingerprints({ ...system, labelServers, quietStores });
  const runSwitches = createRunSwitches({ ...system, now: system.databaseNow, labelServers, readPlaces });
  const { spread } = retry;
  const logReportsWait = (error: Error) =>
    system.log.warn({ error: system.reasonOf(error) }, "reports wait in the database");
  /** Applies reports in the background: jobs that waited for this would occupy the places of jobs that send pictures. */
  const applyReports = (batches: number) => void system.background.add(takeReports(batches)).catch(logReportsWait);
  const logFailed = (error: Error) =>
    system.log.warn({ error: system.reasonOf(error) }, "transmissions will be retried later");

  const ifAny = (find: (time: Date) => FindFirst, run: () => Promise<void>) =>
    onlyIfAny(system.firstTogether, () => find(system.databaseNow()), run);

  return {
    handlers: {
      transmitter: transmitter({
        ...states,
        promptReports: applyReports,
        applyChunks: (apply, refuse) => applyChunks(system, apply, refuse),
        refreshLabels: createRefreshLabels(system),
      }),
      flash: labelOrders({ ...createLabelOrders({ ...system, labelServers, newestOrders, spread }), ...sequences }),
    },
    stages: [
      {
        name: "labelstate",
        over: eslImages,
        topic: "eslimage.v1",
        findStale: states.findStale,
        keyOfLink: (link) => labelOfLink(link).label,
      },
    ],
    timers: [
      { intervalMs: REFRESH_INTERVAL_MS, run: labelServers.refresh },
      { intervalMs: POLL_INTERVAL_MS, run: resume },
      { intervalMs: POLL_INTERVAL_MS, run: ifAny(firstToSend, sendDue) },
      // Takes reports whose prompt was lost, and reports that a killed process has left behind.
      {
        intervalMs: POLL_INTERVAL_MS,
        run: ifAny(
          (time) => firstDue({ name: "report" }, time),
          () => takeReports(),
        ),
      },
      {
        intervalMs: POLL_INTERVAL_MS,
        run: ifAny(firstToMeasure, async () => void system.background.add(askFingerprints()).catch(logFailed)),
      },
      { intervalMs: POLL_INTERVAL_MS, run: ifAny((time) => firstDue(flashSequences, time), sequences.continueDue) },
      { intervalMs: POLL_INTERVAL_MS, run: runSwitches },
      { intervalMs: POLL_INTERVAL_MS, run: noteHealth.trouble },
      { intervalMs: NOTE_CALLS_INTERVAL_MS, run: noteHealth.calls },
      { intervalMs: NOTE_CALLS_INTERVAL_MS, run: createNotePaces({ metrics, learntPaces }) },
      {
        intervalMs: NOTE_CALLS_INTERVAL_MS,
        run: createNoteSeenTags({ ...system, labelServers, notes: openSeenTags(system.redis) }),
      },
      {
        intervalMs: COUNT_INTERVAL_MS,
        run: createCountLabels({
          ...system,
          storeCounts: openStoreCounts(system.redis, system.now),
          offlineAfterMs: settings.OFFLINE_AFTER * 1000,
        }),
      },
    ],
    open: async (_, redis) => {
      await labelServers.refresh().catch(logFailed);
      void system.background.add(resume()).catch(logFailed);
      const prompts = followReportPrompts(redis, () => applyReports(1), system.onError("reports"));
      return { close: async () => void (await Promise.all([prompts.close(), close()])) };
    },
  };
}

if (import.meta.main) await runWorkerProcess("transmitter", transmitterSettings, buildTransmitter);
