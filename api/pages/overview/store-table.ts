import type { LabelServerHealth } from "../../../schemas/label-server-health.ts";
import { type Html, html } from "../html/html.ts";
import { scriptTexts } from "../layout/script-texts.ts";
import { labelServerState } from "../stores/label-server-state.ts";
import type { StoreChoice, Visit } from "../visit.ts";

/** Whether calls of a label server come to nothing. */
const isOut = ({ state }: LabelServerHealth): boolean => state === "AWAY" || state === "DENIES";

/** Says which label servers fail, and how many stores wait for them; nothing if all respond. */
export function outageBanner(visit: Visit, servers: readonly LabelServerHealth[]): Html | false {
  const { texts, store } = visit;
  const out = servers.filter((server) => isOut(server) && server.stores.length > 0);
  return (
    out.length > 0 &&
    html`<div class="card outage" role="alert"><h2>${texts("outages.title")}</h2><ul>${out.map(
      (server) =>
        html`<li><strong>${server.labelServerId ?? texts("server.shared")}</strong> ${labelServerState(visit, server, store?.timeZone)} <span class="muted">${texts("outages.stores", { count: server.stores.length })}</span></li>`,
    )}</ul></div>`
  );
}

/** Stores whose label server fails come first; otherwise the order stays. */
export function worstFirst(stores: readonly StoreChoice[], servers: readonly LabelServerHealth[]): StoreChoice[] {
  const out = new Set(servers.filter(isOut).flatMap((server) => server.stores));
  return stores.toSorted((a, b) => Number(out.has(b.id)) - Number(out.has(a.id)));
}

/**
 * All stores of a retailer, those in trouble first. Counting the labels of thousands of stores takes long, so the script
 * counts those of the rows that are in sight.
 */
export function storeTable(visit: Visit, servers: readonly LabelServerHealth[]): Html {
  const { texts, link, stores, tenant, may } = visit;
  const serverOf = new Map(servers.flatMap((server) => server.stores.map((id) => [id, server] as const)));
  const mayCount = may("labels:read");
  const rows = worstFirst(stores, servers).map((store) => {
    const { id, name, timeZone } = store;
    const server = serverOf.get(id);
    return html`<tr data-store="${id}"><th scope="row"><a href="${link("/", { store: id })}">${name}</a>${name !== id && html` <span class="muted">${id}</span>`}</th><td>${server && labelServerState(visit, server, timeZone)}</td>${mayCount && html`<td class="counts"></td>`}</tr>`;
  });
  const base = `${visit.manage.replace(/\/api\/management\/v1$/, "")}/s/`;
  return html`<section class="card store-table" id="stores" data-base="${base}" data-tenant="${tenant}" data-texts="${scriptTexts(visit, scriptKeys)}" aria-labelledby="stores-title">
<header class="bar"><h2 id="stores-title">${texts("stores.title")}</h2><label class="field"><span>${texts("overview.findStore")}</span><input type="search" id="find-store" autocomplete="off"></label></header>
<p class="muted" role="status" id="store-count">${texts("user.storeCount", { count: stores.length })}</p>
<div class="wide" tabindex="0" role="region" aria-labelledby="stores-title"><table><thead><tr><th scope="col">${texts("nav.store")}</th><th scope="col">${texts("store.server")}</th>${mayCount && html`<th scope="col">${texts("search.labels")}</th>`}</tr></thead><tbody>${rows}</tbody></table></div>
</section>`;
}

const scriptKeys = [
  "labels.count",
  "user.storeCount",
  "state.ERROR",
  "state.OFFLINE",
  "state.PENDING",
  "state.UNKNOWN",
] as const;
