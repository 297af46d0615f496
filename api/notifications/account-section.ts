import type { Context } from "koa";
import { isMailAddress } from "../../schemas/mail-address.ts";
import {
  LATE_MINUTES,
  MAX_ADDRESS,
  MAX_NAMED_STORES,
  type Notification,
  type NotificationKind,
  notificationKinds,
  notificationScopes,
} from "../../schemas/notification.ts";
import type { Permit } from "../access/verify-token.ts";
import { type Html, html } from "../pages/html/html.ts";
import type { Appearance } from "../pages/layout/document.ts";
import { instantText } from "../pages/layout/time-text.ts";
import type { Key } from "../pages/messages/en.ts";
import type { StoreChoice } from "../pages/visit.ts";
import type { NotificationChoice, Notifications } from "./notification-store.ts";

export const NOTIFICATIONS = "/account/notifications";

/**
 * Whether the session's person can be notified: the person must belong to a retailer, and must not have started the
 * session with a token, because the session's rights would end with the token.
 */
export const canBeNotified = ({ isUser, isPerson, tenant }: Permit): boolean =>
  (isUser || isPerson) === true && tenant !== "";

/**
 * The part of `/account` with a person's choice of notifications, by store and in a store's time zone; `saying` is the
 * message about a form that was just sent.
 */
export async function notificationSection(
  notifications: Notifications,
  permit: Permit,
  appearance: Appearance,
  basePath: string,
  {
    stores,
    timeZone,
    saying,
  }: { stores: readonly StoreChoice[]; timeZone: string | undefined; saying: Key | undefined },
): Promise<Html> {
  const { texts } = appearance;
  const found = await notifications.read(permit);
  const check = (name: string, text: string, isChecked: boolean): Html =>
    html`<label class="check"><input type="checkbox" name="${name}" value="1"${isChecked && html` checked`}><span>${text}</span></label>`;
  const radio = (value: string, text: string, isChecked: boolean): Html =>
    html`<label class="check"><input type="radio" name="stores" value="${value}"${isChecked && html` checked`}><span>${text}</span></label>`;
  const minutes = html`<label class="field"><span class="visually-hidden">${texts("notifications.minutes")}</span><select name="minutes">${LATE_MINUTES.map(
    (count) =>
      html`<option value="${count}"${count === (found?.lateMinutes ?? LATE_MINUTES[1]) && html` selected`}>${count} min</option>`,
  )}</select></label>`;
  const kinds = kindsOf(permit).map((kind) => [
    check(`kind-${kind}`, texts(`notifications.${kind}`), found?.chosen.includes(kind) ?? false),
    kind === "LATE_LABELS" && minutes,
  ]);
  const named = found?.stores ?? "*";
  const isAll = named === "*";
  const choice =
    stores.length > 1 &&
    stores.length <= MAX_NAMED_STORES &&
    html`<fieldset class="boxes"><legend>${texts("notifications.stores")}</legend>
${radio("*", texts("notifications.allStores"), isAll)}${radio("some", texts("notifications.someStores"), !isAll)}
${stores.map(({ id, name }) => check(`store-${id}`, name, !isAll && named.includes(id)))}</fieldset>`;
  return html`<section id="notifications"><h2>${texts("notifications.title")}</h2>
${saying !== undefined && html`<p class="alert" role="alert">${texts(saying)}</p>`}
<p class="muted">${texts("notifications.lead")}</p>
${found && stateOf(found, appearance, timeZone)}
<form method="post" action="${basePath}${NOTIFICATIONS}">
<fieldset class="boxes"><legend>${texts("notifications.about")}</legend>${kinds}</fieldset>
${choice}
<label class="field">${texts("notifications.address")}<input name="address" type="email" autocomplete="email" maxlength="${MAX_ADDRESS}" value="${found?.pending?.address ?? found?.address ?? found?.login?.address ?? ""}"></label>
<button class="primary">${texts("notifications.save")}</button>
</form></section>`;
}

/** The kinds of notification that a person's permissions allow. */
const kindsOf = ({ scopes }: Permit): NotificationKind[] =>
  notificationKinds.filter((kind) => scopes.has(notificationScopes[kind]));

/** Shows the address to which notifications go, when they end, and why an address was abandoned. */
function stateOf(
  { address, pending, failure, login, chosen }: Notification,
  { texts, language }: Appearance,
  timeZone: string | undefined,
): Html {
  const time = (at: Date) => instantText(at.toISOString(), language, timeZone);
  return html`${address !== undefined && html`<p>${texts("notifications.goTo", { address })}</p>`}
${pending && html`<p>${texts("notifications.waits", { address: pending.address, time: time(pending.until) })}</p>`}
${login && chosen.length > 0 && html`<p class="muted">${texts("notifications.until", { time: time(login.until) })}</p>`}
${failure && html`<p class="alert" role="alert">${texts("notifications.failed", { address: failure.address, time: time(failure.at), reason: failure.reason })}${failure.isAddress && html` ${texts("notifications.refused")}`}</p>`}`;
}

/** Returns the choice in a submitted form, or why it cannot be saved. */
export function choiceIn(context: Context, permit: Permit, language: string): NotificationChoice | { fault: Key } {
  const form = (context.request.body ?? {}) as Record<string, unknown>;
  const address = typeof form.address === "string" ? form.address.trim() : "";
  const chosen = kindsOf(permit).filter((kind) => form[`kind-${kind}`] === "1");
  const named = Object.keys(form).flatMap((name) => /^store-([\w-]{1,64})$/.exec(name)?.[1] ?? []);
  const own = named.filter((id) => permit.stores === "*" || permit.stores.has(id)).slice(0, MAX_NAMED_STORES);
  const stores = form.stores === "some" ? own : "*";
  const lateMinutes = LATE_MINUTES.find((minutes) => String(minutes) === form.minutes) ?? LATE_MINUTES[1];
  if (address === "" ? chosen.length > 0 : !isMailAddress(address)) return { fault: "notifications.badAddress" };
  if (stores !== "*" && stores.length === 0) return { fault: "notifications.noStores" };
  return { chosen, lateMinutes, stores, language, address };
}
