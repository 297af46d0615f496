import type { ActivityAnswer, ActivityRow } from "../../../schemas/activity.ts";
import { personText } from "../browser/person-text.ts";
import { type Html, html } from "../html/html.ts";
import { mark } from "../layout/marks.ts";
import { endText, instantText } from "../layout/time-text.ts";
import { activity } from "../messages/activity/en.ts";
import { en, type Key } from "../messages/en.ts";
import type { Visit } from "../visit.ts";

/** Maximum number of rows that an entry shows. */
const MAX_ROWS = 5;

/** What somebody did, when, and about which items and labels. */
export function activityEntry(visit: Visit, entry: ActivityAnswer): Html {
  const { texts, language, store } = visit;
  const { at, actor, storeId, requestId, status, rows, rowCount } = entry;
  const isElsewhere = storeId !== null && storeId !== store?.id;
  return html`<li data-status="${status}"><p><time datetime="${at}">${instantText(at, language, store?.timeZone)}</time> <strong>${actor ? personText(actor.id, texts) : texts("activity.nobody")}</strong>${actor?.kind === "sso-user" && " (SSO)"}${actor && html` <span class="muted">${texts(`channel.${actor.channel}`)}</span>`}</p>
<p>${whatOf(visit, entry)}${isElsewhere && html` <span class="muted">${storeId}</span>`}${requestId !== null && html` <span class="muted">${texts("activity.request", { request: String(requestId) })}</span>`}${outcomeOf(visit, entry, isElsewhere)}</p>
${rows.length > 0 && html`<ul>${rows.slice(0, MAX_ROWS).map((row) => html`<li>${rowOf(visit, row, isElsewhere)}</li>`)}${rowCount > MAX_ROWS && html`<li class="muted">${texts("activity.more", { count: rowCount - MAX_ROWS })}</li>`}</ul>`}</li>`;
}

/** Returns the outcome; empty for a change made without a decision. A held request links to its page, where it is decided. */
function outcomeOf(
  { texts, link, may }: Visit,
  { status, decision, requestId }: ActivityAnswer,
  isElsewhere: boolean,
): Html {
  const held = html`${mark("PENDING")}${texts("activity.HELD")}`;
  if (status === "HELD")
    return may("items:read") && !isElsewhere
      ? html` <a href="${link(`/held/${requestId}`)}">${held}</a>`
      : html` <span class="muted">${held}</span>`;
  return html`${decision !== null && html` <span class="muted">${texts(`held.state.${decision}`)}</span>`}${status !== "DONE" && html` <span class="trouble">${mark("ERROR")}${texts(`activity.${status}`)}</span>`}`;
}

/** Returns the operation in the page's language, or else its id, and what its path names. */
function whatOf({ texts }: Visit, { operation, names }: ActivityAnswer): Html {
  const key = `did.${operation}`;
  const name = Object.values(names).join(" ");
  const what = isKey(key) ? html`${texts(key)}` : html`<span class="technical" lang="en">${operation}</span>`;
  return html`${what}${name !== "" && html` <span class="name">${name}</span>`}`;
}

const isKey = (key: string): key is Key & keyof typeof activity =>
  Object.hasOwn(activity, key) && Object.hasOwn(en, key);

function rowOf({ texts, link, price, may, language }: Visit, row: ActivityRow, isElsewhere: boolean): Html {
  const { itemId, barcode, sic, links = [], failed } = row;
  const item = (id: string) =>
    may("items:read") && !isElsewhere
      ? html`<a href="${link(`/items/${encodeURIComponent(id)}`)}">${id}</a>`
      : html`${id}`;
  const label =
    barcode !== undefined && may("labels:read") && !isElsewhere
      ? html`<a href="${link(`/labels/${encodeURIComponent(barcode)}`)}">${barcode}</a>`
      : barcode;
  return html`${itemId !== undefined && item(itemId)}${label} ${links.map((id) => html`${item(id)} `)}${sic}${row.price !== undefined && html`<strong>${price(row.price)}</strong>`}${row.validFrom !== undefined && html` <span class="muted">${texts("activity.from", { time: endText(row.validFrom, language) })}</span>`}${failed !== undefined && html` <span class="trouble">${mark("ERROR")}${texts(failed === "ERROR" ? "activity.FAILED" : "activity.PARTIAL")}</span>`}`;
}
