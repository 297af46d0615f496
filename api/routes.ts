import { type DisplayPageWorld, displayPage } from "./actions/display-page.ts";
import { type FlashWorld, flash } from "./actions/flash.ts";
import { type FlashSequencesWorld, flashSequences } from "./actions/flash-sequences.ts";
import { type FlashStopWorld, flashStop } from "./actions/flash-stop.ts";
import { type RefreshWorld, refresh } from "./actions/refresh.ts";
import { type ActivityWorld, storeActivity } from "./activity/activity.ts";
import { type ItemHistoryWorld, itemHistory } from "./activity/item-history.ts";
import { type CampaignsWorld, campaigns } from "./campaigns/campaigns.ts";
import { type HeldRequestsWorld, heldRequests } from "./held/held-requests.ts";
import type { Route } from "./http/route.ts";
import { type ItemPagesWorld, itemPages } from "./items/item-pages.ts";
import { type ItemScheduleWorld, itemSchedule } from "./items/item-schedule.ts";
import { type ItemsWorld, items } from "./items/items.ts";
import { type PriceHistoryWorld, priceHistory } from "./items/price-history.ts";
import { itemParts, type SicsAndPropertiesWorld } from "./items/sics-and-properties.ts";
import { type LabelCareWorld, labelCare } from "./labels/care/label-care.ts";
import { type ExplainWorld, explainRoutes } from "./labels/explain/explain.ts";
import { type LabelHistoryWorld, labelHistory } from "./labels/label-history.ts";
import { type LabelImageWorld, labelImage } from "./labels/label-image.ts";
import { type LabelSummaryWorld, labelSummary } from "./labels/label-summary.ts";
import { labelTail } from "./labels/label-tail.ts";
import { type LabelsWorld, labels } from "./labels/labels.ts";
import { type LabelListWorld, labelList } from "./labels/list-labels.ts";
import { type ManualPositionWorld, manualPosition } from "./labels/manual-position.ts";
import { type ModelsWorld, models } from "./labels/models.ts";
import { type ImageLinkWorld, imageLink } from "./labels/picture-links/image-link.ts";
import { type WorkWorld, workRoutes } from "./labels/work/work.ts";
import { type LawFindingsWorld, lawFindings } from "./law/law-findings.ts";
import { type LinkSingleWorld, linkSingle } from "./links/link-single.ts";
import { type LinksWorld, links } from "./links/links.ts";
import { linksBulk } from "./links/links-bulk.ts";
import { unlinks } from "./links/unlinks.ts";
import { type ManagementWorld, managementRoutes } from "./management/routes.ts";
import { type PriceListsWorld, priceLists } from "./price-lists/price-lists.ts";
import { type ProofsWorld, proofRoutes } from "./proofs/proofs.ts";
import { type ResultsWorld, results } from "./requests/results.ts";
import type { SwitchesWorld } from "./switches/switch-reads.ts";
import { switches } from "./switches/switches.ts";

export type RoutesWorld = ItemsWorld &
  SicsAndPropertiesWorld &
  ItemScheduleWorld &
  ItemPagesWorld &
  ActivityWorld &
  ItemHistoryWorld &
  PriceHistoryWorld &
  LawFindingsWorld &
  LabelsWorld &
  LabelListWorld &
  LabelSummaryWorld &
  LabelImageWorld &
  ImageLinkWorld &
  LinksWorld &
  DisplayPageWorld &
  FlashWorld &
  FlashSequencesWorld &
  FlashStopWorld &
  LabelHistoryWorld &
  LabelCareWorld &
  ExplainWorld &
  ProofsWorld &
  ManualPositionWorld &
  ModelsWorld &
  RefreshWorld &
  SwitchesWorld &
  HeldRequestsWorld &
  WorkWorld &
  PriceListsWorld &
  CampaignsWorld &
  ResultsWorld & { linkSingle: LinkSingleWorld; management: ManagementWorld };

/** Every operation of the stores', tenants' and operator's interfaces. The server and the OpenAPI document use this list. */
export const createRoutes = (world: RoutesWorld): readonly Route[] => [
  // Before the routes of `/items/:itemId`, so that `DELETE /items/sic/links` removes the code "links".
  ...itemParts(world),
  ...items(world),
  ...itemSchedule(world),
  ...itemPages(world),
  ...itemHistory(world),
  ...priceHistory(world),
  // Fixed segments come before parameters: no label is called `models`, `summary`, `shown`, `tail` or `care`.
  ...models(world),
  ...refresh(world),
  ...labelSummary(world),
  ...labelTail(world.management),
  ...labelCare(world),
  ...proofRoutes(world),
  ...labelList(world),
  ...labels(world),
  ...linkSingle(world.linkSingle),
  ...labelImage(world),
  ...imageLink(world),
  ...labelHistory(world),
  ...explainRoutes(world),
  ...flash(world),
  ...flashSequences(world),
  ...flashStop(world),
  ...displayPage(world),
  ...manualPosition(world),
  // After itemParts, because in `/items/sic/links` "links" is a secondary item code, not the links of an item "sic".
  ...unlinks(world),
  ...linksBulk(world),
  ...links(world),
  ...switches(world),
  ...heldRequests(world),
  ...workRoutes(world),
  ...priceLists(world),
  ...campaigns(world),
  ...storeActivity(world),
  ...lawFindings(world),
  ...results(world),
  ...managementRoutes(world.management),
];
