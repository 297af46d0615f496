import type { Static } from "typebox";
import type { LabelServerHealth } from "../../../schemas/label-server-health.ts";
import type { Store } from "../../../schemas/store.ts";
import type { SubscriptionAnswer } from "../../../schemas/subscription.ts";
import { ProblemError } from "../../http/problem-error.ts";
import type { ShownApiUser } from "../../installation/api-users.ts";
import type { ShownLabelServer } from "../../installation/label-servers.ts";
import { type Html, html } from "../html/html.ts";
import { mark } from "../layout/marks.ts";
import { noticeText } from "../layout/notice-text.ts";
import { instantText } from "../layout/time-text.ts";
import type { Page, Visit } from "../visit.ts";
import { labelServerState } from "./label-server-state.ts";

export type ShownStore = Store & { storeId: string };
export type ShownSubscription = Static<typeof SubscriptionAnswer>;

/**
 * The stores of a retailer, and the other resources of its head office and the operator: visitors see what their scopes
 * allow.
 */
export const storesPage: Page = {
  path: "/stores",
  entry: "stores",
  styles: ["items.css", "stores.css"],
  async show(visit) {
    const { texts, tenant, mayInTenant, isOperator } = visit;
    if (tenant === "") return { title: texts("tenants.title"), content: await tenants(visit) };
    if (!isOperator && !mayInTenant("ops"))
      throw new ProblemError("insufficient-scope", "The stores of a tenant are read with ops for all of them.");
    const content = html`<div class="page stores-page">
<h1 class="visually-hidden">${texts("stores.title")}</h1>
${await stores(visit)}
${isOperator && (await users(visit))}
${await labelServers(visit)}
${mayInTenant("ops") && (await subscriptions(visit))}
</div>`;
    return { title: texts("stores.title"), content };
  },
};

/** Reads an operation of the selected tenant. */
export const readOfTenant = <T>({ read, tenant }: Visit, operationId: string, params: Record<string, string> = {}) =>
  read<T>(operationId, { params: { tenantId: tenant, ...params } });

/** A list with a heading and a link to add an entry. */
function listCard(
  { texts, link }: Visit,
  id: string,
  title: string,
  rows: readonly Html[],
  none: string,
  more?: readonly [string, string],
): Html {
  return html`<section class="card list-card" aria-labelledby="${id}-title"><header class="bar"><h2 id="${id}-title">${title}</h2>${more && html`<a class="button" href="${link(more[0])}">${more[1]}</a>`}</header>
${rows.length === 0 ? html`<p>${none}</p>` : html`<ul class="entries">${rows}</ul>`}${id === "subscriptions" && html`<p class="hint">${texts("subscriptions.intro")}</p>`}</section>`;
}

async function stores(visit: Visit): Promise<Html> {
  const { texts, link, may, mayWrite } = visit;
  const found = await readOfTenant<ShownStore[]>(visit, "listStores");
  const rows = found.map(
    ({ storeId, name, timeZone, currency, labelServer }) =>
      html`<li><a class="entry" href="${link(`/stores/${storeId}`)}"><span class="name">${name}</span><span class="muted">${storeId}</span><span class="muted">${texts("stores.place", { zone: timeZone, currency })}${labelServer && html` · <span class="server">${labelServer}</span>`}</span></a>${may("labels:read") && html`<a class="button" href="${link("/shelf", { store: storeId })}">${texts("stores.shelf")}<span class="visually-hidden"> ${name}</span></a>`}</li>`,
  );
  return listCard(
    visit,
    "stores",
    texts("stores.title"),
    rows,
    texts("stores.none"),
    mayWrite ? ["/new/store", texts("stores.new")] : undefined,
  );
}

async function users(visit: Visit): Promise<Html> {
  const { texts, link } = visit;
  const found = await readOfTenant<ShownApiUser[]>(visit, "listUsers");
  const rows = found.map(({ name, stores, scope }) => {
    const where = stores === "*" ? texts("user.allStores") : texts("user.storeCount", { count: stores.length });
    return html`<li><a class="entry" href="${link(`/users/${encodeURIComponent(name)}`)}"><span class="name">${name}</span><span class="muted">${where}</span><span class="technical">${scope}</span></a></li>`;
  });
  return listCard(visit, "users", texts("users.title"), rows, texts("users.none"), ["/new/user", texts("users.new")]);
}

async function labelServers(visit: Visit): Promise<Html> {
  const { texts, link, language, isOperator } = visit;
  const zone = visit.store?.timeZone;
  const found = await readOfTenant<LabelServerHealth[]>(visit, "getLabelServerHealth");
  const own = isOperator ? await readOfTenant<ShownLabelServer[]>(visit, "listLabelServers") : [];
  const rows = found.map((server) => {
    const { labelServerId, stores, lastFailure } = server;
    const url = own.find((one) => one.labelServerId === labelServerId)?.url;
    const facts = html`<span class="name">${labelServerId ?? texts("server.shared")}</span><span class="muted">${texts("user.storeCount", { count: stores.length })}</span><span class="states">${labelServerState(visit, server, zone)}</span>${
      lastFailure !== null &&
      html`<span class="muted failure">${texts("server.failure", { time: instantText(lastFailure.at, language, zone) })} ${failureText(visit, lastFailure)}</span>`
    }${url !== undefined && html`<span class="technical">${url}</span>`}`;
    return html`<li>${url === undefined ? html`<div class="entry">${facts}</div>` : html`<a class="entry" href="${link(`/label-servers/${labelServerId}`)}">${facts}</a>`}</li>`;
  });
  return listCard(
    visit,
    "servers",
    texts("servers.title"),
    rows,
    texts("servers.none"),
    isOperator ? ["/new/label-server", texts("servers.new")] : undefined,
  );
}

/** Shows why a call failed and, for the operator, the response of the label server or system. */
function failureText(
  { texts }: Visit,
  { reason, notice, detail }: NonNullable<LabelServerHealth["lastFailure"]>,
): Html {
  const isInReason = notice === undefined || detail === undefined;
  return html`${noticeText(notice, reason, texts)}${!isInReason && html` <span class="technical">${detail}</span>`}`;
}

async function subscriptions(visit: Visit): Promise<Html> {
  const { texts, link, mayWrite } = visit;
  const found = await readOfTenant<ShownSubscription[]>(visit, "listSubscriptions");
  const rows = found.map(
    (one) =>
      html`<li><a class="entry" href="${link(`/subscriptions/${one.subscriptionId}`)}"><span class="name">${one.url}</span><span class="states">${deliveryStates(visit, one)}</span></a></li>`,
  );
  return listCard(
    visit,
    "subscriptions",
    texts("subscriptions.title"),
    rows,
    texts("subscriptions.none"),
    mayWrite ? ["/new/subscription", texts("subscriptions.new")] : undefined,
  );
}

/** The state of a subscription's deliveries: shape, word and colour. */
export function deliveryStates({ texts }: Visit, { stopped, waiting, dead }: ShownSubscription): Html {
  const state = (name: "OK" | "PENDING" | "ERROR", text: string) =>
    html`<span class="state" data-state="${name}">${mark(name)}${text}</span>`;
  if (stopped === null && waiting === 0 && dead === 0) return state("OK", texts("subscriptions.fine"));
  return html`${stopped !== null && state("ERROR", texts("subscriptions.stopped"))}${waiting > 0 && state("PENDING", texts("subscriptions.waiting", { count: waiting }))}${dead > 0 && state("ERROR", texts("subscriptions.dead", { count: dead }))}`;
}

/** The operator's links to the retailers. */
async function tenants({ read, texts, link, database }: Visit): Promise<Html> {
  const found = await read<{ tenantId: string; name: string }[]>("listTenants");
  return html`<div class="page stores-page"><section class="card list-card" aria-labelledby="tenants-title"><h1 id="tenants-title">${texts("tenants.title")}</h1>
${found.length === 0 ? html`<p>${texts("tenants.none", { database })}</p>` : html`<ul class="entries">${found.map(({ tenantId, name }) => html`<li><a class="entry" href="${link("/stores", { tenant: tenantId })}"><span class="name">${name}</span><span class="muted">${tenantId}</span></a></li>`)}</ul>`}</section></div>`;
}
