import { createDrawing } from "../../drawing/thread/draw-within-limits.ts";
import { ofLink, stageOf } from "../../queues/changes/stage.ts";
import { createForesee } from "../../queues/derivations/ahead/foresee.ts";
import { createStudioLinksAt } from "../../queues/derivations/ahead/studio-links-at.ts";
import { eccEslImageDerivation } from "../../queues/derivations/ecc-esl-image.ts";
import { eslImageDerivation } from "../../queues/derivations/esl-image.ts";
import { createDeriveImages, renderedImageDerivation } from "../../queues/derivations/rendered-image.ts";
import { scanLinksOfItems } from "../../queues/linking/item-links.ts";
import { rowOf } from "../../queues/topology.ts";
import { createWaitForChoices } from "../../queues/walks/wait-for-choices.ts";
import type { WorkerParts, WorkerSystem } from "../../queues/worker/open-worker.ts";
import { runWorkerProcess } from "../../queues/worker/worker-process.ts";
import { openImageFiles } from "../../records/files/image-files.ts";
import { openUploads } from "../../records/files/uploads.ts";
import { designerLinks, eccLinks } from "../../records/kinds/links.ts";
import { createBarcodeSchemes } from "../../records/linking/barcode-schemes.ts";
import { linksOfLabels } from "../../records/linking/links-of-labels.ts";
import type { Environment } from "../../schemas/environment.ts";
import { walkKey } from "../../schemas/keys.ts";
import { renderer } from "./index.ts";
import { createMakeSwitches } from "./make-switches.ts";
import { createPrepareSwitches } from "./prepare-switches.ts";
import { openPush } from "./push.ts";

export const rendererSettings = ["PUSH_PORT", "PUSH_SECRET", "LISTEN_HOST", "BARCODE_PATTERN"] as const;

const REPORT_INTERVAL_MS = 60_000;
const MAKE_INTERVAL_MS = 10_000;
const PREPARE_INTERVAL_MS = 1_000;

/** Builds the renderer with real records, queues and the drawing thread. */
export function buildRenderer(
  system: WorkerSystem,
  settings: Environment<(typeof rendererSettings)[number]>,
): WorkerParts<"renderer"> {
  const { PUSH_PORT: port, PUSH_SECRET: secret, LISTEN_HOST: host } = settings;
  const { records, derive, walker, db, now, log, metrics } = system;
  const imageFiles = openImageFiles(db, now);
  const uploads = openUploads(db, now);
  const drawing = createDrawing();
  metrics.track("shelfwire_cache_lookups_total", { cache: "pictures", result: "hit" }, () => drawing.counts().hits);
  metrics.track("shelfwire_cache_lookups_total", { cache: "pictures", result: "miss" }, () => drawing.counts().misses);
  const onDrawn = (tenant: string, pictures: number) =>
    metrics.count("shelfwire_pictures_drawn_total", { tenant }, pictures);
  const derivation = renderedImageDerivation({ imageFiles, uploads, drawing, onDrawn });
  const eccDerivation = eccEslImageDerivation({ imageFiles, uploads, drawing, onDrawn });
  const handlers = renderer({
    linksOfItems: (itemKeys) => scanLinksOfItems(records, itemKeys),
    linksOfLabels: (labelKeys) => linksOfLabels(records, labelKeys),
    deriveImages: createDeriveImages(derive, derivation, eccDerivation),
    deriveEccImages: (linkKeys, urgency) => derive(eccDerivation, linkKeys, urgency),
    async redraw(owner, reason) {
      await walker.begin(walkKey(owner, "renderer"), `${owner}/`, { reason });
    },
  });
  const foresee = createForesee({
    records,
    studioLinksAt: createStudioLinksAt({
      ...system,
      schemeOf: createBarcodeSchemes(records, settings.BARCODE_PATTERN, system.clock),
    }),
    ofLinks: derivation,
    ofModels: eccDerivation,
    ofLabels: eslImageDerivation({ records, imageFiles, orderSizes: async () => {} }),
  });
  let reported = 0;
  const reportCounts = async () => {
    const { hits, misses } = drawing.counts();
    if (hits + misses !== reported) log.info({ hits, misses }, "picture cache hits and misses");
    reported = hits + misses;
  };
  return {
    handlers: { renderer: handlers },
    close: drawing.close,
    timers: [
      { intervalMs: REPORT_INTERVAL_MS, run: reportCounts },
      { intervalMs: MAKE_INTERVAL_MS, run: createMakeSwitches({ ...system, now: system.databaseNow }) },
      { intervalMs: PREPARE_INTERVAL_MS, run: createPrepareSwitches({ ...system, now: system.databaseNow, foresee }) },
    ],
    mustWait: createWaitForChoices({ ...system, now: system.databaseNow }),
    stages: [
      stageOf(system, derivation, designerLinks, "designerlink.v1", ofLink),
      stageOf(system, eccDerivation, eccLinks, "ecclink.v1", ofLink),
    ],
    ...(port !== undefined &&
      secret !== undefined && {
        open: ({ renderer: { handle } }) =>
          openPush({ ...system, port, host, secret, topics: rowOf("renderer").topics, handle }),
      }),
  };
}

if (import.meta.main) await runWorkerProcess("renderer", rendererSettings, buildRenderer);
