import type { Route } from "../http/route.ts";
import { type Dependencies as CanvasDependencies, canvasDesigns } from "./designs/canvas-designs.ts";
import { type Dependencies as DesignDependencies, designs } from "./designs/designs.ts";
import { type Dependencies as PreviewDependencies, previews } from "./designs/previews.ts";
import { type Dependencies as ModelDependencies, tenantModels } from "./models.ts";
import { type Dependencies as PackTrialDependencies, packTrials } from "./packs/pack-trials.ts";
import { type Dependencies as PackDependencies, packs } from "./packs/packs.ts";
import { type Dependencies as StoreDependencies, stores } from "./stores.ts";
import { type Dependencies as DeadLetterDependencies, deadLetters } from "./subscriptions/dead-letters.ts";
import { type Dependencies as SubscriptionDependencies, subscriptions } from "./subscriptions/subscriptions.ts";
import { type Dependencies as TailDependencies, tail } from "./subscriptions/tail.ts";

export type ManagementDependencies = PackDependencies &
  DesignDependencies &
  CanvasDependencies &
  StoreDependencies &
  ModelDependencies &
  SubscriptionDependencies &
  DeadLetterDependencies &
  TailDependencies &
  PackTrialDependencies &
  PreviewDependencies;

/** Every operation of a tenant's interface for management (design, section 9). */
export const managementRoutes = (dependencies: ManagementDependencies): readonly Route[] => [
  ...stores(dependencies),
  ...tenantModels(dependencies),
  ...designs(dependencies),
  ...canvasDesigns(dependencies),
  ...previews(dependencies),
  ...packs(dependencies),
  ...packTrials(dependencies),
  ...subscriptions(dependencies),
  ...deadLetters(dependencies),
  ...tail(dependencies),
];
