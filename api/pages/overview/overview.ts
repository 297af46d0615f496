import { AskedVerdict, type IntegrityReport } from "../../../schemas/integrity.ts";
import type { LabelSummary } from "../../../schemas/label.ts";
import type { LabelServerHealth } from "../../../schemas/label-server-health.ts";
import type { StoreLabelCounts } from "../../../schemas/store-label-counts.ts";
import { type Html, html } from "../html/html.ts";
import { labelServerState } from "../stores/label-server-state.ts";
import type { Page, StoreChoice, Visit } from "../visit.ts";
import { checkSection, foundLabels } from "./check-section.ts";
import { countsOf, stateTiles, verdict } from "./label-counts.ts";
import { outageBanner, storeTable } from "./store-table.ts";
import { switchSection } from "./switch-section.ts";

/** Maximum number of stores with a card, since all labels of each are counted. */
const MAX_STORES = 20;

/** Whether every shelf is correct, and any faults: one card per store, or a table if there are many. */
export const overview: Page = {
  path: "/",
  entry: "overview",
  styles: ["overview.css"],
  scripts: ["live-page.ts", "stores/table.ts"],
  async show(visit) {
    const { texts, stores, query, permit, link } = visit;
    if (permit.tenant === "") return { title: texts("overview.title"), content: operatorHint(visit) };
    if (stores.length === 0) return { title: texts("overview.title"), content: askStore(visit) };
    const asked = stores.find(({ id }) => id === query.get("store"));
    const wanted = AskedVerdict.enum.find((one) => one === query.get("verdict"));
    if (asked && wanted && visit.mayInTenant("ops")) return labelsWith(visit, asked, wanted);
    const servers = visit.mayInTenant("ops") ? await visit.read<LabelServerHealth[]>("getLabelServerHealth") : [];
    const banner = outageBanner(visit, servers);
    if (asked === undefined && stores.length > MAX_STORES) {
      const counts = visit.mayInTenant("ops") ? await visit.read<StoreLabelCounts[]>("getLabelCounts") : [];
      const content = html`<div class="page overview">
<h1 class="visually-hidden">${texts("overview.title")}</h1>${banner}${storeTable(visit, servers, counts)}</div>`;
      return { title: texts("overview.title"), content };
    }
    // The requested store comes first; the others are listed below it with their headlines.
    const inOrder = asked ? [asked, ...stores.filter((store) => store !== asked)] : stores;
    const shown = inOrder.slice(0, MAX_STORES);
    const cards = await Promise.all(
      shown.map((store) => storeCard(visit, store, servers, asked === undefined || store === asked)),
    );
    const rest = stores.length - shown.length;
    const content = html`<div class="page overview" data-tail="${shown.length === 1 ? visit.tail : visit.tenantTail}">
<h1 class="visually-hidden">${texts("overview.title")}</h1>
${shown.length > 1 && banner}${cards}
${rest > 0 && html`<p class="hint"><a href="${link("/", { store: "" })}">${texts("overview.moreStores", { count: rest })}</a></p>`}
</div>`;
    return { title: texts("overview.title"), content };
  },
};

const readReport = ({ read }: Visit, storeId: string, verdict?: AskedVerdict): Promise<IntegrityReport> =>
  read("getIntegrity", { params: { storeId }, query: { serializeDatesToIso8601: true, ...(verdict && { verdict }) } });

/** The labels covered by one count on a store's card. */
async function labelsWith(visit: Visit, { id, name }: StoreChoice, verdict: AskedVerdict) {
  const { texts, link } = visit;
  const report = await readReport(visit, id, verdict);
  const title = texts(verdict === "WARNED" ? "verdict.warned" : `state.${verdict}`);
  const content = html`<div class="page overview">
<header class="title"><p class="crumb"><a href="${link("/", { store: id })}">${name}</a></p><h1>${title}</h1></header>
<section class="card"><p>${texts("labels.count", { count: report.found?.length ?? 0 })}</p>${foundLabels(visit, id, report)}</section>
</div>`;
  return { title, content };
}

/** A store: whether its shelf is correct and, if `isWhole`, its counts and findings. */
async function storeCard(
  visit: Visit,
  store: StoreChoice,
  servers: readonly LabelServerHealth[],
  isWhole: boolean,
): Promise<Html> {
  const { read, texts, query, link, mayInTenant, may } = visit;
  const { id: storeId, name, timeZone } = store;
  if (!may("labels:read"))
    return html`<section class="card"><h2>${name}</h2><p>${texts("refused.labels")}</p></section>`;
  const summary = await read<LabelSummary>("getLabelSummary", { storeId });
  // Comparing every label takes time, so the page is sent without the result, which its script requests immediately.
  const mayCompare = mayInTenant("ops");
  const report = mayCompare && query.has("checks") ? await readReport(visit, storeId) : undefined;
  const isDue = mayCompare && report === undefined;
  const server = servers.find(({ stores }) => stores.includes(storeId));
  const counts = countsOf(summary, report);
  const sentence = verdict(counts, texts);
  const switches = isWhole && may("items:read") ? await switchSection(visit, store) : "";
  const numbers = isWhole
    ? html`${sentence}
${stateTiles(visit, storeId, counts, summary)}
<p><a href="${link("/work", { store: storeId })}">${texts("work.title")}</a> · <a href="${link("/care", { store: storeId })}">${texts("care.store")}</a>${may("activity:read") && html` · <a href="${link("/activity", { store: storeId })}">${texts("activity.title")}</a>`}</p>
${server && html`<p class="server"><span class="muted">${texts("store.server")}</span> ${labelServerState(visit, server, timeZone)}</p>`}
${switches}
${mayCompare && checkSection(visit, storeId, report)}`
    : sentence;
  return html`<section class="card store-card" id="store-${storeId}" data-live>
<header><h2>${isWhole ? name : html`<a href="${link("/", { store: storeId })}">${name}</a>`}</h2><p class="count"><a href="${link("/shelf", { store: storeId })}">${texts("labels.count", { count: counts.labels })}</a></p></header>
${mayCompare ? html`<div class="checks"${isDue && html` data-later="checks"`}>${numbers}</div>` : numbers}
</section>`;
}

/** If no store is known, such as before a retailer has one, the user enters its id. */
const askStore = ({ texts, link }: Visit): Html => html`<div class="page narrow"><h1>${texts("overview.title")}</h1>
<form class="card" method="get" action="${link("/shelf")}"><label class="field">${texts("overview.askStore")}<input name="store" required pattern="[A-Za-z0-9_\\-]{1,64}"></label>
<button class="primary">${texts("overview.open")}</button></form></div>`;

/** The operator's token belongs to no tenant, so its tasks have their own page. */
const operatorHint = ({ texts, link }: Visit): Html => html`<div class="page narrow"><h1>${texts("overview.title")}</h1>
<p>${texts("overview.operator")}</p><p class="buttons"><a class="button" href="${link("/stores")}">${texts("tenants.title")}</a><a class="button" href="${link("/dashboard")}">${texts("overview.queues")}</a></p></div>`;
