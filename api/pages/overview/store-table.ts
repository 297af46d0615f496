import type { LabelServerHealth } from "../../../schemas/label-server-health.ts";
import type { StoreLabelCounts } from "../../../schemas/store-label-counts.ts";
import { folded, wordsIn } from "../browser/search/fold.ts";
import { type Html, html } from "../html/html.ts";
import { scriptTexts } from "../layout/script-texts.ts";
import { labelServerState } from "../stores/label-server-state.ts";
import type { StoreChoice, Visit } from "../visit.ts";

/** Whether calls to a label server fail. */
const isOut = ({ state }: LabelServerHealth): boolean => state === "AWAY" || state === "DENIES";

/** Shows which label servers fail, and how many stores wait for them; nothing if all respond. */
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

/**
 * Sorts stores by urgency: first stores whose label server fails, then by the number of labels that are ERROR, OFFLINE or
 * UNKNOWN, then by the number of PENDING labels; equal stores keep their order.
 */
export function worstFirst(
  stores: readonly StoreChoice[],
  servers: readonly LabelServerHealth[],
  counts: readonly StoreLabelCounts[],
): StoreChoice[] {
  const out = new Set(servers.filter(isOut).flatMap((server) => server.stores));
  const statesOf = new Map(counts.map(({ storeId, plState }) => [storeId, plState]));
  const ranked = stores.map((store) => {
    const { ERROR = 0, OFFLINE = 0, UNKNOWN = 0, PENDING = 0 } = statesOf.get(store.id) ?? {};
    return { store, ranks: [Number(out.has(store.id)), ERROR + OFFLINE + UNKNOWN, PENDING] };
  });
  const order = (one: readonly number[], other: readonly number[]) =>
    one.map((rank, index) => (other[index] ?? 0) - rank).find((difference) => difference !== 0) ?? 0;
  return ranked.toSorted((a, b) => order(a.ranks, b.ranks)).map(({ store }) => store);
}

/**
 * The stores of a retailer, worst first, with the last counts of their labels: one page of the stores whose names contain
 * all words of the search (`find`). The script searches while somebody types, and recounts the visible rows.
 */
export function storeTable(
  visit: Visit,
  servers: readonly LabelServerHealth[],
  counts: readonly StoreLabelCounts[],
): Html {
  const { texts, link, stores, tenant, query } = visit;
  const find = query.get("find") ?? "";
  const words = wordsIn(find);
  const found = worstFirst(
    stores.filter(({ id, name }) => words.every((word) => folded(`${name} ${id}`).includes(word))),
    servers,
    counts,
  );
  const start = Math.max(0, Number.parseInt(query.get("start") ?? "", 10) || 0);
  const leaf = (place: number, key: "items.previous" | "items.next") =>
    html`<a class="button" href="${link("/", { store: "", find, start: String(Math.max(0, place)) })}">${texts(key)}</a>`;
  const base = `${visit.manage.replace(/\/api\/management\/v1$/, "")}/s/`;
  return html`<section class="card store-table" id="stores" data-base="${base}" data-tenant="${tenant}" data-texts="${scriptTexts(visit, scriptKeys)}" aria-labelledby="stores-title">
<header class="bar"><h2 id="stores-title">${texts("stores.title")}</h2><form role="search" method="get"><label class="field"><span>${texts("overview.findStore")}</span><input type="search" id="find-store" name="find" value="${find}" maxlength="200" autocomplete="off"></label></form></header>
<div id="store-rows"><p class="muted" role="status">${texts("user.storeCount", { count: found.length })}</p>
${table(visit, found.slice(start, start + STORES_PER_PAGE), servers, counts)}
<nav class="leaves" aria-label="${texts("stores.title")}">${start > 0 && leaf(start - STORES_PER_PAGE, "items.previous")}${found.length > start + STORES_PER_PAGE && leaf(start + STORES_PER_PAGE, "items.next")}</nav></div>
</section>`;
}

/** Number of rows on a page of the table; a phone would take seconds to show thousands. */
const STORES_PER_PAGE = 100;

function table(
  visit: Visit,
  stores: readonly StoreChoice[],
  servers: readonly LabelServerHealth[],
  counts: readonly StoreLabelCounts[],
): Html {
  const { texts, link, may } = visit;
  /** Returns a store's label server; if it has several, one that fails. */
  const serverOf = (id: string) => {
    const own = servers.filter((server) => server.stores.includes(id));
    return own.find(isOut) ?? own[0];
  };
  const countsOf = new Map(counts.map((one) => [one.storeId, one]));
  const mayCount = may("labels:read");
  const rows = stores.map((store) => {
    const { id, name, timeZone } = store;
    const server = serverOf(id);
    const known = countsOf.get(id);
    return html`<tr data-store="${id}"><th scope="row"><a href="${link("/", { store: id })}">${name}</a>${name !== id && html` <span class="muted">${id}</span>`}</th><td>${server && labelServerState(visit, server, timeZone)}</td>${mayCount && html`<td class="counts">${known && countsText(visit, known)}</td><td class="day">${known && sparkline(visit, known.behind)}</td>`}</tr>`;
  });
  const heads =
    mayCount && html`<th scope="col">${texts("search.labels")}</th><th scope="col">${texts("stores.day")}</th>`;
  return html`<div class="wide" tabindex="0" role="region" aria-labelledby="stores-title"><table><thead><tr><th scope="col">${texts("nav.store")}</th><th scope="col">${texts("store.server")}</th>${heads}</tr></thead><tbody>${rows}</tbody></table></div>`;
}

/** Formats the counts as the script does. */
const countsText = ({ texts, language }: Visit, { labels, plState }: StoreLabelCounts): string =>
  [
    texts("labels.count", { count: labels }),
    ...(["ERROR", "OFFLINE", "UNKNOWN", "PENDING"] as const)
      .filter((state) => plState[state] > 0)
      .map((state) => `${texts(`state.${state}`)}: ${new Intl.NumberFormat(language).format(plState[state])}`),
  ].join(" · ");

/** Labels behind in each hour of the last day, as bars relative to the day's highest; nothing if there were none. */
function sparkline({ texts }: Visit, behind: StoreLabelCounts["behind"]): Html | false {
  const most = Math.max(0, ...behind.map((count) => count ?? 0));
  if (most === 0) return false;
  const bars = behind.map((count, hour) => {
    const height = Math.ceil(((count ?? 0) / most) * BAR_HEIGHT);
    return height > 0 && `M${hour * BAR_WIDTH} ${BAR_HEIGHT}v-${height}h${BAR_WIDTH - 1}v${height}z`;
  });
  return html`<svg viewBox="0 0 ${behind.length * BAR_WIDTH} ${BAR_HEIGHT}" role="img" aria-label="${texts("stores.day.most", { count: most })}"><path d="${bars.filter(Boolean).join("")}"/></svg> <span class="muted" aria-hidden="true">${texts("stores.day.most", { count: most })}</span>`;
}

/** Sizes of a sparkline, in its own units. */
const BAR_WIDTH = 4;
const BAR_HEIGHT = 20;

const scriptKeys = ["labels.count", "state.ERROR", "state.OFFLINE", "state.PENDING", "state.UNKNOWN"] as const;
