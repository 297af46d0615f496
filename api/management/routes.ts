import type { Route } from "../http/route.ts";
import { type CanvasDesignsWorld, canvasDesigns } from "./designs/canvas-designs.ts";
import { type DesignsWorld, designs } from "./designs/designs.ts";
import { type PreviewsWorld, previews } from "./designs/previews.ts";
import { type TenantModelsWorld, tenantModels } from "./models.ts";
import { type PackTrialsWorld, packTrials } from "./packs/pack-trials.ts";
import { type PacksWorld, packs } from "./packs/packs.ts";
import { type StoresWorld, stores } from "./stores.ts";
import { type DeadLettersWorld, deadLetters } from "./subscriptions/dead-letters.ts";
import { type SubscriptionsWorld, subscriptions } from "./subscriptions/subscriptions.ts";
import { type TailWorld, tail } from "./subscriptions/tail.ts";

export type ManagementWorld = PacksWorld &
  DesignsWorld &
  CanvasDesignsWorld &
  StoresWorld &
  TenantModelsWorld &
  SubscriptionsWorld &
  DeadLettersWorld &
  TailWorld &
  PackTrialsWorld &
  PreviewsWorld;

/** Every operation of a tenant's management interface (docs/integrators.md#management). */
export const managementRoutes = (world: ManagementWorld): readonly Route[] => [
  ...stores(world),
  ...tenantModels(world),
  ...designs(world),
  ...canvasDesigns(world),
  ...previews(world),
  ...packs(world),
  ...packTrials(world),
  ...subscriptions(world),
  ...deadLetters(world),
  ...tail(world),
];
