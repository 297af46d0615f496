import { type Dependencies as DisplayPageDependencies, displayPage } from "./display-page.ts";
import { type Dependencies as FlashDependencies, flash } from "./flash.ts";
import { type Dependencies as ItemPageDependencies, itemPages } from "./item-pages.ts";
import { type Dependencies as ItemPartDependencies, itemParts } from "./item-parts.ts";
import { type Dependencies as ItemScheduleDependencies, itemSchedule } from "./item-schedule.ts";
import { type Dependencies as ItemDependencies, items } from "./items.ts";
import { type Dependencies as LabelHistoryDependencies, labelHistory } from "./label-history.ts";
import { type Dependencies as LabelImageDependencies, labelImage } from "./label-image.ts";
import { type Dependencies as LabelListDependencies, labelList } from "./label-list.ts";
import { type Dependencies as LabelSummaryDependencies, labelSummary } from "./label-summary.ts";
import { type Dependencies as LabelDependencies, labels } from "./labels.ts";
import { type Dependencies as LinkSingleDependencies, linkSingle } from "./link-single.ts";
import { type Dependencies as LinkDependencies, links } from "./links.ts";
import { linksBulk } from "./links-bulk.ts";
import { type ManagementDependencies, managementRoutes } from "./management/routes.ts";
import { type Dependencies as ManualPositionDependencies, manualPosition } from "./manual-position.ts";
import { type Dependencies as ModelDependencies, models } from "./models.ts";
import { type Dependencies as RefreshDependencies, refresh } from "./refresh.ts";
import { type Dependencies as ResultDependencies, results } from "./results.ts";
import type { Route } from "./route.ts";
import { unlinks } from "./unlinks.ts";

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
