import type { LinkFacts } from "../../domain/packs/decide-design.ts";
import type { ChoiceCounts } from "../../domain/packs/pack-evaluator.ts";
import type { Case } from "../../queues/changes/derivation.ts";
import { ofLink, stageOf } from "../../queues/changes/stage.ts";
import { studioLinkDerivation } from "../../queues/derivations/studio-link.ts";
import { scanLinksOfItems } from "../../queues/linking/item-links.ts";
import { type Choice, openChoices } from "../../queues/publish/choices.ts";
import { createRunPublications } from "../../queues/publishing/run-publications.ts";
import { createVersions } from "../../queues/publishing/versions.ts";
import type { WorkerParts, WorkerSystem } from "../../queues/worker/open-worker.ts";
import { runWorkerProcess } from "../../queues/worker/worker-process.ts";
import { links } from "../../records/kinds/links.ts";
import { publications } from "../../records/kinds/publishing.ts";
import { tenants } from "../../records/kinds/tenants.ts";
import { createBarcodeSchemes } from "../../records/linking/barcode-schemes.ts";
import { firstDue } from "../../records/mongodb/due-keys.ts";
import { onlyIfAny } from "../../records/mongodb/find-first-together.ts";
import type { StudioLink } from "../../schemas/design.ts";
import type { Environment } from "../../schemas/environment.ts";
import { tenantOf, walkKey } from "../../schemas/keys.ts";
import { createFaultCounts } from "./fault-counts.ts";
import { evaluator } from "./index.ts";
import { createPeriodSweep, packsWithEnds } from "./period-sweep.ts";

export const evaluatorSettings = ["BARCODE_PATTERN"] as const;

/** Interval at which faults of expressions are logged: an import may cause tens of thousands of faults. */
const REPORT_INTERVAL_MS = 10_000;
/** Interval at which the evaluator checks whether validity periods have begun or ended. */
const PERIOD_INTERVAL_MS = 1_000;
/** Maximum delay until a scheduled publication takes effect. */
const PUBLICATION_INTERVAL_MS = 1_000;

/** Builds the evaluator with real records and queues. */
export function buildEvaluator(
  system: WorkerSystem,
  settings: Environment<(typeof evaluatorSettings)[number]>,
): WorkerParts<"evaluator"> {
  const { records, derive, walker, log, metrics } = system;
  const faults = createFaultCounts();
  const choiceCounts: ChoiceCounts = { hits: 0, misses: 0 };
  metrics.track("shelfwire_cache_lookups_total", { cache: "choices", result: "hit" }, () => choiceCounts.hits);
  metrics.track("shelfwire_cache_lookups_total", { cache: "choices", result: "miss" }, () => choiceCounts.misses);
  metrics.track("shelfwire_expression_faults_total", {}, faults.total);
  const derivation = studioLinkDerivation({
    records,
    schemeOf: createBarcodeSchemes(records, settings.BARCODE_PATTERN, system.clock),
    now: system.databaseNow,
    log,
    onEvaluationFault: faults.count,
    choiceCounts,
  });
  const choices = openChoices(system.redis, system.onError("choices"));
  // Choices are recorded before the studio links are written, since a picture with the previous design may be on its way to its
  // label.
  const noted: typeof derivation = {
    ...derivation,
    async decide(cases) {
      const bodies = await derivation.decide(cases);
      await choices.note(choicesOf(cases, bodies));
      return bodies;
    },
  };
  const handlers = evaluator({
    linksOfItems: (itemKeys) => scanLinksOfItems(records, itemKeys),
    deriveStudioLinks: (linkKeys, urgency) => derive(noted, linkKeys, urgency),
    async ofActivePacks(changes) {
      const found = await records.read(
        tenants,
        changes.map(({ key }) => tenantOf(key)),
      );
      return changes.filter(({ key }) => found.get(tenantOf(key))?.communicationPack === key);
    },
    async reevaluate(owner, reason) {
      await walker.begin(walkKey(owner, "evaluator"), `${owner}/`, { reason });
    },
  });
  return {
    handlers: { evaluator: handlers },
    stages: [stageOf(system, derivation, links, "link.v2", ofLink)],
    timers: [
      {
        intervalMs: REPORT_INTERVAL_MS,
        async run() {
          for (const counted of faults.take())
            log.warn(counted, "expressions could not be evaluated and count as false");
        },
      },
      {
        intervalMs: PUBLICATION_INTERVAL_MS,
        run: onlyIfAny(
          system.firstTogether,
          () => firstDue(publications, system.databaseNow()),
          createRunPublications({ ...system, versions: createVersions(system) }),
        ),
      },
      {
        intervalMs: PERIOD_INTERVAL_MS,
        run: onlyIfAny(
          system.firstTogether,
          () => packsWithEnds,
          createPeriodSweep({ ...system, now: system.databaseNow }),
        ),
      },
    ],
  };
}

/** Returns the choice for each link that has an item, even if the choice is unchanged. */
const choicesOf = (
  cases: readonly Case<LinkFacts, StudioLink>[],
  bodies: readonly (StudioLink | undefined)[],
): Map<string, Choice> =>
  new Map(
    cases.flatMap(({ key, facts: { item }, current }, index): [string, Choice][] => {
      const chosen = bodies[index] ?? current;
      return item?.rev && chosen ? [[key, { itemRev: item.rev, design: chosen.design_id }]] : [];
    }),
  );

if (import.meta.main) await runWorkerProcess("evaluator", evaluatorSettings, buildEvaluator);
