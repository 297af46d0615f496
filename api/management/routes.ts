import { type ActivityWorld, tenantActivity } from "../activity/activity.ts";
import type { Route } from "../http/route.ts";
import { type AccessWorld, access } from "./access.ts";
import type { AssetsWorld } from "./designs/assets.ts";
import { type CanvasDesignsWorld, canvasDesigns } from "./designs/canvas-designs.ts";
import { type DesignTemplatesWorld, designTemplateRoutes } from "./designs/design-templates.ts";
import { type DesignsWorld, designs } from "./designs/designs.ts";
import type { PreviewsWorld } from "./designs/draw-preview.ts";
import { fonts } from "./designs/fonts.ts";
import { images } from "./designs/images.ts";
import { previews } from "./designs/previews.ts";
import { type IntegrityWorld, integrityRoutes } from "./integrity/integrity.ts";
import { type ItemPropertiesWorld, itemProperties } from "./item-properties.ts";
import { type LabelCountsWorld, labelCounts } from "./label-counts.ts";
import { type LabelServerHealthWorld, labelServerHealth } from "./label-server-health.ts";
import { labelServers } from "./label-servers.ts";
import { tenantModels } from "./models.ts";
import { type PackTrialsWorld, packTrials } from "./packs/pack-trials.ts";
import { type PacksWorld, packs } from "./packs/packs.ts";
import { type PeopleWorld, people } from "./people.ts";
import { priceGuards } from "./price-guards.ts";
import { type DraftsWorld, drafts } from "./publishing/drafts.ts";
import { type PublicationsWorld, publications } from "./publishing/publications.ts";
import { publishLimits } from "./publishing/publish-limits.ts";
import { type VersionsWorld, versionRoutes } from "./publishing/versions.ts";
import { stores } from "./stores.ts";
import { type DeadLettersWorld, deadLetters } from "./subscriptions/dead-letters.ts";
import { type SubscriptionsWorld, subscriptions } from "./subscriptions/subscriptions.ts";
import { type TailWorld, tail } from "./subscriptions/tail.ts";
import { type TenantsWorld, tenants } from "./tenants.ts";
import { type UnknownTagsWorld, unknownTags } from "./unknown-tags.ts";

export type ManagementWorld = PacksWorld &
  IntegrityWorld &
  ActivityWorld &
  DesignsWorld &
  CanvasDesignsWorld &
  AssetsWorld &
  TenantsWorld &
  LabelServerHealthWorld &
  LabelCountsWorld &
  UnknownTagsWorld &
  AccessWorld &
  PeopleWorld &
  SubscriptionsWorld &
  DeadLettersWorld &
  TailWorld &
  PackTrialsWorld &
  ItemPropertiesWorld &
  DraftsWorld &
  VersionsWorld &
  PublicationsWorld &
  DesignTemplatesWorld &
  PreviewsWorld;

/** Every operation of the operator's and of a tenant's management interface (docs/integrators/management.md). */
export const managementRoutes = (world: ManagementWorld): readonly Route[] => [
  ...tenants(world),
  ...stores(world),
  ...integrityRoutes(world),
  ...tenantModels(world),
  ...labelServers(world),
  ...labelServerHealth(world),
  ...labelCounts(world),
  ...unknownTags(world),
  ...access(world),
  ...people(world),
  ...tenantActivity(world),
  ...designs(world),
  ...canvasDesigns(world),
  ...images(world),
  ...fonts(world),
  ...designTemplateRoutes(world),
  ...previews(world),
  ...packs(world),
  ...packTrials(world),
  ...itemProperties(world),
  ...drafts(world),
  ...versionRoutes(world),
  ...publications(world),
  ...publishLimits(world),
  ...priceGuards(world),
  ...subscriptions(world),
  ...deadLetters(world),
  ...tail(world),
];
