import Router from "@koa/router";
import type { Context, Middleware } from "koa";
import { koaBody } from "koa-body";
import { PLATFORM } from "../../schemas/token.ts";
import type { Permit } from "../access/verify-token.ts";
import { bodyLimits } from "../body/body-limits.ts";
import { ProblemError } from "../http/problem-error.ts";
import { problems } from "../http/problem-kinds.ts";
import type { Route } from "../http/route.ts";
import { limitRate, type RateLimits } from "../middleware/enforce-rate-limit.ts";
import type { OwnerWorld } from "../mount.ts";
import { localPath } from "../session/next-page.ts";
import { showProblemsAsPages } from "../session/problem-page.ts";
import { requireSession } from "../session/require-session.ts";
import type { SessionWorld } from "../session/session-pages.ts";
import { activityPage } from "./activity/activity.ts";
import { aisle } from "./aisle/aisle.ts";
import type { Assets } from "./assets.ts";
import { priceText } from "./browser/prices/price-text.ts";
import { campaignPage, newCampaignPage } from "./campaigns/campaign.ts";
import { campaignsPage } from "./campaigns/campaigns.ts";
import { carePage } from "./care/care.ts";
import { canvasPage } from "./designer/canvases/canvas.ts";
import { canvasesPage } from "./designer/canvases/canvases.ts";
import { desk } from "./designer/desk.ts";
import { rulesPage } from "./designer/rules/rules.ts";
import { heldPage } from "./held/held.ts";
import { heldRequestPage } from "./held/held-request.ts";
import { importPage } from "./items/import.ts";
import { itemPage } from "./items/item.ts";
import { itemsPage } from "./items/items.ts";
import { labelPage } from "./label/label.ts";
import { pathInStore, queryInStore, rememberedStore, rememberStore } from "./layout/chosen-store.ts";
import { documentOf } from "./layout/document.ts";
import { framed, SEARCH_SCRIPT } from "./layout/frame.ts";
import { appearanceOf, PREFERENCES_PATH, savePreferences } from "./layout/preferences.ts";
import { problemContent } from "./layout/problem-content.ts";
import { sendPage } from "./layout/send-page.ts";
import { messages } from "./messages/texts.ts";
import { overview } from "./overview/overview.ts";
import { peoplePage } from "./people/people.ts";
import { priceListPage } from "./price-lists/price-list.ts";
import { priceListsPage } from "./price-lists/price-lists.ts";
import { proofPage } from "./proofs/proof.ts";
import { shelfThenPage } from "./proofs/shelf-then.ts";
import { openInterface } from "./read-as-visitor.ts";
import { shelf } from "./shelf/shelf.ts";
import { labelServerPage, newLabelServerPage } from "./stores/label-server.ts";
import { newStorePage, storePage } from "./stores/store.ts";
import { storesPage } from "./stores/stores.ts";
import { newSubscriptionPage, subscriptionPage } from "./stores/subscription.ts";
import { newUserPage, userPage } from "./stores/user.ts";
import type { StoresOf } from "./stores-of.ts";
import type { Page, Visit } from "./visit.ts";
import { workPage } from "./work/work.ts";

export type PagesWorld = SessionWorld &
  OwnerWorld & {
    routes: readonly Route[];
    rateLimits: RateLimits;
    now(): Date;
    assets: Assets;
    database: string;
    storesOf: StoresOf;
  };

/** Every page, each with its address. */
const pages: readonly Page[] = [
  overview,
  workPage,
  shelf,
  aisle,
  labelPage,
  proofPage,
  shelfThenPage,
  carePage,
  activityPage,
  itemsPage,
  itemPage,
  importPage,
  priceListsPage,
  priceListPage,
  campaignsPage,
  newCampaignPage,
  campaignPage,
  heldPage,
  heldRequestPage,
  desk,
  rulesPage,
  canvasesPage,
  canvasPage,
  storesPage,
  peoplePage,
  storePage,
  newStorePage,
  userPage,
  newUserPage,
  labelServerPage,
  newLabelServerPage,
  subscriptionPage,
  newSubscriptionPage,
];

/**
 * The pages for a shop's staff (docs/operations/pages.md#pages): each shows what the interface returns for the session's
 * rights.
 */
export function pagesRouter(world: PagesWorld): Router {
  const { basePath, assets, now } = world;
  const readAs = openInterface(world.routes, world);
  const enter = [showProblemsAsPages(world), requireSession(world, async () => undefined), limitRate(world.rateLimits)];
  const readForm = koaBody({
    json: false,
    text: false,
    multipart: false,
    urlencoded: true,
    formLimit: bodyLimits.pageForm.maxBytes,
  });

  const show =
    (page: Page): Middleware =>
    async (context) => {
      const { visit, title, content, status } = await visited(
        page,
        context as Context & { params: Record<string, string> },
      );
      // If access is forbidden here, it is also forbidden in the other stores.
      const toStore: Visit["toStore"] = status === 403 ? (id) => visit.link("/", { store: id }) : visit.toStore;
      const { styles, scripts, manifest } = status === 200 ? page : {};
      const hasSearch = page.manifest === undefined;
      if (visit.query.has("store") && status === 200) rememberStore(context as Context, visit);
      const body = framed({ ...visit, toStore }, page.entry ?? page.below, content, hasSearch);
      const document = documentOf(visit, title, body, {
        ...(styles && { styles }),
        scripts: [...(hasSearch ? [SEARCH_SCRIPT] : []), ...(scripts ?? [])],
        ...(manifest && { manifest }),
      });
      sendPage(context as Context, status, document, manifest !== undefined);
    };

  /**
   * Returns the visit to a page and its content. If an address names no store and the remembered store lacks what the
   * address names, the page is shown for the first store, because such addresses date from when there was only one store.
   */
  async function visited(page: Page, context: Context & { params: Record<string, string> }) {
    const visit = await visitOf(page, context, context.query.store);
    const shown = await shownBy(page, visit);
    const [first] = visit.stores;
    const isOther = first !== undefined && visit.store !== first && !visit.query.has("store");
    if (shown.status !== 404 || !page.path.includes(":") || !isOther) return { ...shown, visit };
    const ofFirst = await visitOf(page, context, first.id);
    const shownOfFirst = await shownBy(page, ofFirst);
    return shownOfFirst.status === 200 ? { ...shownOfFirst, visit: ofFirst } : { ...shown, visit };
  }

  async function visitOf(
    page: Page,
    context: Context & { params: Record<string, string> },
    storeId: unknown,
  ): Promise<Visit> {
    const permit = context.state.permit as Permit;
    const appearance = appearanceOf(context, basePath, assets.version);
    const query = new URLSearchParams(context.querystring);
    const read = readAs(permit);
    const isOperator = permit.scopes.has(PLATFORM);
    const tenant = isOperator ? (query.get("tenant") ?? "") : permit.tenant;
    const manage = `${basePath}/t/${encodeURIComponent(tenant)}/api/management/v1`;
    const mayInTenant = (scope: string) => permit.stores === "*" && permit.scopes.has(scope);
    const stores = await world.storesOf(permit);
    const named = typeof storeId === "string" ? storeId : undefined;
    // The interface itself rejects a store that is not the session's.
    const wanted = named ?? rememberedStore(context, permit.tenant);
    const store = stores.find(({ id }) => id === wanted) ?? (named ? { id: named, name: named } : stores[0]);
    const storeBase = `${basePath}/t/${permit.tenant}/s/${encodeURIComponent(store?.id ?? "")}/api/public/core/v1`;
    const link = createLink(basePath, {
      ...((stores.length > 1 || named !== undefined) && { store: store?.id ?? "" }),
      ...(isOperator && { tenant }),
    });
    return {
      ...appearance,
      formsOf: (key) => messages[appearance.language][key],
      price: (price) => priceText(price, store?.currency, appearance.language),
      permit,
      read,
      basePath,
      stores,
      store,
      params: context.params,
      query,
      now: now(),
      here: `${context.path}${context.search}`,
      storeBase,
      tenant,
      manage,
      database: world.database,
      isOperator,
      mayWrite: isOperator || mayInTenant("ops:write"),
      tail: permit.scopes.has("labels:read") ? `${storeBase}/labels/tail` : undefined,
      tenantTail: mayInTenant("ops") ? `${manage}/label-tail` : undefined,
      may: (scope) => permit.scopes.has(scope),
      mayInTenant,
      link,
      toStore: (id) => link(pathInStore(page, context.path), { ...queryInStore(query), store: id }),
    };
  }

  const router = new Router({ strict: true, sensitive: true });
  for (const page of pages) router.get(page.path, ...enter, show(page));
  router.post(PREFERENCES_PATH, ...enter, readForm, savePreferences(basePath, localPath));
  return router;
}

/** Makes addresses of pages, each with the values that the visitor has chosen. */
const createLink =
  (basePath: string, chosen: Readonly<Record<string, string>>): Visit["link"] =>
  (path, more = {}) => {
    const search = new URLSearchParams(Object.entries({ ...chosen, ...more }).filter(([, value]) => value !== ""));
    return `${basePath}${path}${search.size > 0 ? `?${search}` : ""}`;
  };

/** Returns the content of a page. If the interface rejects it, the content is the rejection, worded for its reader. */
async function shownBy(page: Page, visit: Visit) {
  try {
    return { ...(await page.show(visit)), status: 200 };
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    return { ...problemContent(error.problem, visit, page.nothing), status: problems[error.problem].status };
  }
}
