import { type Dependencies as DisplayPageDependencies, displayPage } from "./actions/display-page.ts";
import { type Dependencies as FlashDependencies, flash } from "./actions/flash.ts";
import { type Dependencies as RefreshDependencies, refresh } from "./actions/refresh.ts";
import type { Route } from "./http/route.ts";
import { type Dependencies as ItemPageDependencies, itemPages } from "./items/item-pages.ts";
import { type Dependencies as ItemScheduleDependencies, itemSchedule } from "./items/item-schedule.ts";
import { type Dependencies as ItemDependencies, items } from "./items/items.ts";
import { type Dependencies as ItemPartDependencies, itemParts } from "./items/sics-and-properties.ts";
import { type Dependencies as LabelHistoryDependencies, labelHistory } from "./labels/label-history.ts";
import { type Dependencies as LabelImageDependencies, labelImage } from "./labels/label-image.ts";
import { type Dependencies as LabelListDependencies, labelList } from "./labels/label-list.ts";
import { type Dependencies as LabelSummaryDependencies, labelSummary } from "./labels/label-summary.ts";
import { type Dependencies as LabelDependencies, labels } from "./labels/labels.ts";
import { type Dependencies as ManualPositionDependencies, manualPosition } from "./labels/manual-position.ts";
import { type Dependencies as ModelDependencies, models } from "./labels/models.ts";
import { type Dependencies as LinkSingleDependencies, linkSingle } from "./links/link-single.ts";
import { type Dependencies as LinkDependencies, links } from "./links/links.ts";
import { linksBulk } from "./links/links-bulk.ts";
import { unlinks } from "./links/unlinks.ts";
import { type ManagementDependencies, managementRoutes } from "./management/routes.ts";
import { type Dependencies as ResultDependencies, results } from "./requests/results.ts";

export type RouteDependencies = ItemDependencies &
  ItemPartDependencies &
  ItemScheduleDependencies &
  ItemPageDependencies &
  LabelDependencies &
  LabelListDependencies &
  LabelSummaryDependencies &
  LabelImageDependencies &
  LinkDependencies &
  DisplayPageDependencies &
  FlashDependencies &
  LabelHistoryDependencies &
  ManualPositionDependencies &
  ModelDependencies &
  RefreshDependencies &
  ResultDependencies & { linkSingle: LinkSingleDependencies; management: ManagementDependencies };

/** Every operation of stores' public interface, and of tenants' for management: what is served, and what the OpenAPI document tells of. */
export const createRoutes = (dependencies: RouteDependencies): readonly Route[] => [
  // Before what begins with an item's id: `/items/sic/links` removes the code "links".
  ...itemParts(dependencies),
  ...items(dependencies),
  ...itemSchedule(dependencies),
  ...itemPages(dependencies),
  // Fixed segments come before parameters: no label is called `models` or `summary`.
  ...models(dependencies),
  ...refresh(dependencies),
  ...labelSummary(dependencies),
  ...labelList(dependencies),
  ...labels(dependencies),
  ...linkSingle(dependencies.linkSingle),
  ...labelImage(dependencies),
  ...labelHistory(dependencies),
  ...flash(dependencies),
  ...displayPage(dependencies),
  ...manualPosition(dependencies),
  // Behind the items: `/items/sic/links` is a secondary item code, not the links of an item "sic".
  ...unlinks(dependencies),
  ...linksBulk(dependencies),
  ...links(dependencies),
  ...results(dependencies),
  ...managementRoutes(dependencies.management),
];
