import type { Logger } from "pino";
import { parsePrivateReceivers } from "../domain/webhooks/public-address.ts";
import { createDecoding } from "../drawing/decoding/decoding.ts";
import { previewDecodingBounds } from "../drawing/decoding/decoding-bounds.ts";
import { createExpressions } from "../drawing/expressions/expressions.ts";
import { createDrawing } from "../drawing/thread/draw-within-limits.ts";
import { studioLinkDerivation } from "../queues/derivations/studio-link.ts";
import { createPositionLabels } from "../queues/linking/position-labels.ts";
import { createRefreshLabels } from "../queues/linking/refresh-labels.ts";
import { createEnqueueOrders } from "../queues/orders/enqueue-orders.ts";
import { openNewestOrders } from "../queues/orders/newest-orders.ts";
import { createChangeEvents } from "../queues/publish/change-events.ts";
import { createVersions } from "../queues/publishing/versions.ts";
import type { System } from "../queues/system.ts";
import { openActivityLog } from "../records/activity/activity-log.ts";
import { openImageFiles } from "../records/files/image-files.ts";
import { openStoredUploads } from "../records/files/stored-uploads.ts";
import { openUploads } from "../records/files/uploads.ts";
import { openGlassLog } from "../records/glass-log.ts";
import { createBarcodeSchemes } from "../records/linking/barcode-schemes.ts";
import { readLabelTypes } from "../records/linking/read-label-types.ts";
import { openDeliveries } from "../records/outbox/deliveries.ts";
import { findOpenListRequest } from "../records/requests/held/open-list-request.ts";
import { openWaitingUploads } from "../records/requests/in-flight.ts";
import { labelKey } from "../schemas/keys.ts";
import { tenantLimits } from "../schemas/tenant-limits.ts";
import type { Signer } from "./access/sign-token.ts";
import { createActionFacts } from "./actions/action-facts.ts";
import { createQueueOrders } from "./actions/queue-orders.ts";
import { createSequenceRecords } from "./actions/sequence-records.ts";
import { createStoreFinder } from "./find-owners.ts";
import { createAcceptGuarded } from "./held/accept-guarded.ts";
import { createDecideHeld } from "./held/decide-held.ts";
import { createTryRows } from "./held/try-rows.ts";
import type { Route } from "./http/route.ts";
import type { Invitations } from "./installation/invitations.ts";
import { createUploadBounds } from "./items/bound-waiting-uploads.ts";
import { createItemReads } from "./items/item-reads.ts";
import { createCareReads } from "./labels/care/read-care.ts";
import { createReadFacts } from "./labels/explain/read-facts.ts";
import type { LabelImageWorld } from "./labels/label-image.ts";
import { createLabelLookups } from "./labels/label-lookups.ts";
import { createLabelReader } from "./labels/label-reader.ts";
import { createNoLabel } from "./labels/labels.ts";
import { createModelReads } from "./labels/model-reads.ts";
import type { PictureLinks } from "./labels/picture-links/picture-links.ts";
import { createReadWork } from "./labels/work/read-work.ts";
import { createMarkWork } from "./labels/work/work-marks.ts";
import { createReadLaw } from "./law/read-law.ts";
import { createLinkReads } from "./links/link-reads.ts";
import { createLinkSingleSteps } from "./links/link-single-steps.ts";
import { createReadItemProperties } from "./management/item-properties.ts";
import { createReplacements } from "./management/replacement/count-worse.ts";
import { createTails } from "./management/subscriptions/tails.ts";
import { createListReads } from "./price-lists/list-reads.ts";
import { createUndoPriceList } from "./price-lists/undo-price-list.ts";
import type { ProofKeys } from "./proofs/proof-keys.ts";
import { createReadShown } from "./proofs/read-shown.ts";
import { createAcceptRows } from "./requests/accept-rows.ts";
import { createApplyHere } from "./requests/apply-here.ts";
import { boundUploads } from "./requests/bound-uploads.ts";
import { createRoutes } from "./routes.ts";
import type { Sessions } from "./session/sessions.ts";
import type { ApiSettings } from "./settings.ts";
import { createSwitchReads } from "./switches/switch-reads.ts";

interface RoutesOptions {
  /** The system, whose `accept` limits each tenant's waiting rows. */
  system: System;
  settings: Pick<ApiSettings, "BARCODE_PATTERN" | "OFFLINE_AFTER" | "WEBHOOKS_PRIVATE" | "GLASS_HISTORY">;
  signer: Signer | undefined;
  proofKeys: Pick<ProofKeys, "sign">;
  pictureLinks: PictureLinks | undefined;
  sessions: Sessions;
  invitations: Invitations;
  log: Logger;
  /** As for `openApi`. */
  patienceMs: number | undefined;
}

/** Opens the interface's operations on real records and queues; `close` ends the streams that they serve, and their threads. */
export function openRoutes(options: RoutesOptions): {
  routes: readonly Route[];
  /** Reads the PNG of a label's picture, as the operations do. */
  readImage: LabelImageWorld["readImage"];
  close(): void;
} {
  const { system, settings, signer, proofKeys, pictureLinks, sessions, invitations, log, patienceMs } = options;
  const { db, redis, records, results: outcomes, publisher, clock, now } = system;
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
  const tryRows = createTryRows({ records, clock, now: system.databaseNow });
  const guarded = createAcceptGuarded({ ...system, acceptRows, tryRows, now: system.databaseNow });
  const listReads = createListReads(db, records);
  const offlineAfterMs = settings.OFFLINE_AFTER * 1000;
  const applyHere = createApplyHere(system);
  const refreshLabels = createRefreshLabels(system);
  const positionLabels = createPositionLabels(system);
  const newestOrders = openNewestOrders(system.redis, system.onError("orders"));
  const activityLog = openActivityLog(db);
  const drawing = createDrawing();
  const decoding = createDecoding(previewDecodingBounds);
  const glassLog = openGlassLog(db);
  const readItemProperties = createReadItemProperties(system);
  const readLaw = createReadLaw({ db, records, readItemProperties, now, clock });
  const tails = createTails({ redis, clock, eventsOf: createChangeEvents(records, now) });
  const labelLookups = createLabelLookups(records, imageFiles);
  const routes = createRoutes({
    ...createItemReads(db, records),
    ...labelLookups,
    noLabel: createNoLabel(schemeOf),
    pictureLinks,
    ...createCareReads(records),
    readExplanationFacts: createReadFacts({ ...system, studioLinkRule, expressions, offlineAfterMs }),
    readShown: createReadShown(records, glassLog),
    signProof: proofKeys.sign,
    glassHistoryMs: settings.GLASS_HISTORY * 1000,
    ...createModelReads(db, records),
    ...createLinkReads(records),
    ...createSwitchReads(system),
    ...createActionFacts(records, schemeOf),
    queueOrders: createQueueOrders(createEnqueueOrders(publisher, newestOrders)),
    readFlashing: newestOrders.flashing,
    ...createSequenceRecords(system),
    databaseNow: system.databaseNow,
    refreshLabel: (store, barcode) => applyHere(store, "refresh-labels", barcode, refreshLabels),
    positionLabel: (store, row) => applyHere(store, "position-labels", row, positionLabels),
    acceptRows,
    ...guarded,
    ...listReads,
    settledThrough: system.numbers.settledThrough,
    undoPriceList: createUndoPriceList({
      ...{ ...listReads, ...guarded },
      openRequestOf: findOpenListRequest(db, system.journal),
    }),
    holds: system.holds,
    ...{ db, records, commit: system.commit, tryRows, studioLinkRule, drawing },
    findStore: createStoreFinder(db, clock, patienceMs),
    files: { imageFiles, uploads },
    decideHeld: createDecideHeld({ ...system, tryRows }),
    withinUploadBounds: createUploadBounds(openWaitingUploads(db)),
    storeUpload: uploads.put,
    readType: async (store, barcode) => {
      const key = labelKey(store, barcode);
      return (await readLabelTypes(records, schemeOf, [key])).get(key);
    },
    now,
    offlineAfterMs,
    openLabels: createLabelReader(db, records, now, offlineAfterMs),
    linkSingle: createLinkSingleSteps(system, schemeOf, studioLinkRule),
    readResult: outcomes.read,
    readWork: createReadWork({ ...system, studioLinkRule, offlineAfterMs }),
    markWork: createMarkWork(system),
    activityLog,
    records,
    glassLog,
    readLaw,
    management: {
      ...system,
      versions: createVersions(system),
      readItemProperties,
      barcodePattern: settings.BARCODE_PATTERN,
      signer,
      sessions,
      invitations,
      deliveries: openDeliveries(db, system.databaseNow),
      allowedReceivers: parsePrivateReceivers(settings.WEBHOOKS_PRIVATE ?? ""),
      tails,
      studioLinkRule,
      expressions,
      integrity: { ...system, studioLinkRule, offlineAfterMs, glassLog },
      countFindings: readLaw.count,
      imageFiles,
      uploads,
      drawing,
      activityLog,
      files: { ...system, imageFiles, uploads, drawing },
      decodeAsset: decoding.decodeAsset,
      replacements: createReplacements({ ...system, imageFiles, uploads, drawing, ...decoding }),
    },
  });
  const close = () => {
    tails.close();
    drawing.close();
    expressions.close();
  };
  return { routes, readImage: labelLookups.readImage, close };
}
