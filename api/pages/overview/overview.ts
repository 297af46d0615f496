import type { IntegrityReport } from "../../../schemas/integrity.ts";
import type { LabelSummary } from "../../../schemas/label.ts";
import type { LabelServerHealth } from "../../../schemas/label-server-health.ts";
import { type Html, html } from "../html/html.ts";
import { labelServerState } from "../stores/label-server-state.ts";
import type { Page, StoreChoice, Visit } from "../visit.ts";
import { checkSection } from "./check-section.ts";
import { stateTiles, verdict } from "./verdict.ts";

/** How many stores are looked at in one page: each counts all of its labels. */
const MAX_STORES = 20;

/** Whether every shelf is right, or what is wrong: a card a store. */
export const overview: Page = {
  path: "/",
  entry: "overview",
  styles: ["overview.css"],
  scripts: ["live.ts"],
  async show(visit) {
    const { texts, stores, query, permit } = visit;
    if (permit.tenant === "") return { title: texts("overview.title"), content: operatorHint(visit) };
    if (stores.length === 0) return { title: texts("overview.title"), content: askStore(visit) };
    const asked = query.get("store");
    const shown = stores.filter(({ id }) => asked === null || asked === id || stores.length <= MAX_STORES);
    const servers = visit.mayInTenant("ops") ? await visit.read<LabelServerHealth[]>("getLabelServerHealth") : [];
    const cards = await Promise.all(shown.slice(0, MAX_STORES).map((store) => storeCard(visit, store, servers)));
    const content = html`<div class="page overview" data-tail="${shown.length === 1 ? visit.tail : visit.tenantTail}">
<h1 class="visually-hidden">${texts("overview.title")}</h1>
${cards}
${stores.length > MAX_STORES && html`<p class="hint">${texts("overview.moreStores", { count: stores.length - MAX_STORES })}</p>`}
</div>`;
    return { title: texts("overview.title"), content };
  },
};

async function storeCard(
  visit: Visit,
  { id: storeId, name, timeZone }: StoreChoice,
  servers: readonly LabelServerHealth[],
): Promise<Html> {
  const { read, texts, query, mayInTenant, may } = visit;
  if (!may("labels:read"))
    return html`<section class="card"><h2>${name}</h2><p>${texts("refused.labels")}</p></section>`;
  const summary = await read<LabelSummary>("getLabelSummary", { storeId });
  // The comparison of every label takes its time: the page comes without it, and its script asks for it at once.
  const isChecked = mayInTenant("ops") && query.has("checks");
  const report = isChecked
    ? await read<IntegrityReport>("getIntegrity", { params: { storeId }, query: { serializeDatesToIso8601: true } })
    : undefined;
  const server = servers.find(({ stores }) => stores.includes(storeId));
  return html`<section class="card store-card" id="store-${storeId}" data-live>
<header><h2>${name}</h2><p class="count">${texts("labels.count", { count: summary.labels })}</p></header>
${verdict(summary, texts)}
${stateTiles(visit, storeId, summary)}
${server && html`<p class="server"><span class="muted">${texts("store.server")}</span> ${labelServerState(visit, server, timeZone)}</p>`}
${mayInTenant("ops") && checkSection(visit, storeId, report)}
</section>`;
}

/** Where a session has all stores but may not list them, it names one. */
const askStore = ({ texts, link }: Visit): Html => html`<div class="page narrow"><h1>${texts("overview.title")}</h1>
<form class="card" method="get" action="${link("/shelf")}"><label class="field">${texts("overview.askStore")}<input name="store" required pattern="[A-Za-z0-9_\\-]{1,64}"></label>
<button class="primary">${texts("overview.open")}</button></form></div>`;

/** The operator's token is of no tenant: what it is for has a page of its own. */
const operatorHint = ({ texts, link }: Visit): Html => html`<div class="page narrow"><h1>${texts("overview.title")}</h1>
<p>${texts("overview.operator")}</p><p class="buttons"><a class="button" href="${link("/stores")}">${texts("tenants.title")}</a><a class="button" href="${link("/dashboard")}">${texts("overview.queues")}</a></p></div>`;
