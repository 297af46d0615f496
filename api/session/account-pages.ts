import Router from "@koa/router";
import type { Context, Middleware } from "koa";
import type { Permit } from "../access/verify-token.ts";
import { ProblemError } from "../http/problem-error.ts";
import { canBeNotified, choiceIn, NOTIFICATIONS, notificationSection } from "../notifications/account-section.ts";
import type { Notifications, Saved } from "../notifications/notification-store.ts";
import { personText } from "../pages/browser/person-text.ts";
import { type Html, html } from "../pages/html/html.ts";
import { rememberedStore } from "../pages/layout/chosen-store.ts";
import type { Appearance } from "../pages/layout/document.ts";
import { appearanceOf } from "../pages/layout/preferences.ts";
import { sendPage } from "../pages/layout/send-page.ts";
import { instantText } from "../pages/layout/time-text.ts";
import type { Key } from "../pages/messages/en.ts";
import type { StoresOf } from "../pages/stores-of.ts";
import { small } from "./login-page.ts";
import { redirect } from "./next-page.ts";
import { showProblemsAsPages } from "./problem-page.ts";
import { requireSession } from "./require-session.ts";
import { sessionIdOf } from "./session-cookie.ts";
import { sessionName } from "./session-index.ts";
import { formIn, leave, readForm, type SessionWorld } from "./session-pages.ts";

const ACCOUNT = "/account";
const ALL = "all";

/** The messages shown after a choice has been sent, by its outcome. */
const sayings = {
  saved: "notifications.saved",
  confirm: "notifications.confirm",
  tooMany: "notifications.tooMany",
} as const satisfies Record<Saved, Key>;
const isSaved = (text: unknown): text is Saved => typeof text === "string" && Object.hasOwn(sayings, text);

export type AccountWorld = SessionWorld &
  Parameters<typeof leave>[1] & {
    /** Absent if nobody is notified by e-mail. */
    notifications?: Notifications | undefined;
    storesOf: StoresOf;
  };

/** Placeholder for a time, which an element replaces. */
const TIME = "{time}";

/**
 * Returns a message with its time as an element. If no time zone is known, `local-times.ts` writes the time by the
 * browser's clock.
 */
function withTime(
  { texts, language }: Appearance,
  key: "account.since" | "account.seen",
  at: number,
  timeZone: string | undefined,
): Html {
  const iso = new Date(at).toISOString();
  const [before, after] = texts(key, { time: TIME }).split(TIME);
  return html`${before}<time datetime="${iso}"${timeZone === undefined && html` data-utc`}>${instantText(iso, language, timeZone)}</time>${after}`;
}

/** `/account`: where a person is logged in, can log out there or everywhere, and can choose notifications. */
export function accountPages(world: AccountWorld): Router {
  const { sessions, basePath, assets, notifications } = world;

  async function show(context: Context, fault?: Key): Promise<void> {
    const permit = context.state.permit as Permit;
    const appearance = appearanceOf(context, basePath, assets.version);
    const { texts } = appearance;
    const stores = await world.storesOf(permit);
    const remembered = rememberedStore(context, permit.tenant);
    const { timeZone } = stores.find(({ id }) => id === remembered) ?? stores[0] ?? {};
    const own = sessionName(sessionIdOf(context.req) ?? "");
    const end = (value: string, text: string, kind = "") =>
      html`<button name="end" value="${value}" class="${kind}">${text}</button>`;
    const rows = (await sessions.list(permit)).map(
      ({ name, device, begun, seen }) =>
        html`<li><p><strong>${device || texts("account.unknownDevice")}</strong>${name === own && html` · ${texts("account.thisOne")}`}<br>
<span class="muted">${withTime(appearance, "account.since", begun, timeZone)}<br>${withTime(appearance, "account.seen", seen, timeZone)}</span></p>${name !== own && end(name, texts("menu.logout"))}</li>`,
    );
    const { saved } = context.query;
    const saying = fault ?? (isSaved(saved) ? sayings[saved] : undefined);
    const section =
      notifications !== undefined &&
      canBeNotified(permit) &&
      (await notificationSection(notifications, permit, appearance, basePath, { stores, timeZone, saying }));
    const content = html`<h2>${texts("account.title")}</h2><p>${texts("login.loggedIn", { name: permit.subject ?? personText(permit.caller, texts) })}</p>
<form method="post" action="${basePath}${ACCOUNT}"><ul class="sessions">${rows}</ul>
<p>${end(ALL, texts("account.everywhere"), "danger")}</p></form>
${section}
<p><a href="${basePath}/">${texts("account.back")}</a></p>`;
    sendPage(
      context,
      fault === undefined ? 200 : 400,
      small(appearance, texts("account.title"), content, { scripts: ["session/local-times.ts"] }),
    );
  }

  const choose: Middleware = async (context) => {
    const permit = context.state.permit as Permit;
    if (notifications === undefined || !canBeNotified(permit))
      throw new ProblemError(
        "forbidden",
        "Only a retailer's users who log in by name or through the identity provider are notified.",
      );
    const { language } = appearanceOf(context as Context, basePath, assets.version);
    const choice = choiceIn(context as Context, permit, language);
    if ("fault" in choice) return show(context as Context, choice.fault);
    const saved = await notifications.save(permit, choice);
    redirect(context as Context, `${basePath}${ACCOUNT}?saved=${saved}#notifications`);
  };

  const end: Middleware = async (context) => {
    const permit = context.state.permit as Permit;
    const { end: name } = formIn(context as Context);
    if (name !== ALL) {
      await sessions.endOf(permit, [name]);
      return redirect(context as Context, `${basePath}${ACCOUNT}`);
    }
    const idToken = await sessions.end(sessionIdOf(context.req) ?? "");
    await sessions.endOf(permit);
    await leave(context as Context, world, idToken);
  };

  const enter = [showProblemsAsPages(world), requireSession(world, async () => undefined)];
  const router = new Router({ strict: true, sensitive: true });
  router.get(ACCOUNT, ...enter, (context) => show(context as Context));
  router.post(ACCOUNT, ...enter, readForm, end);
  if (notifications) router.post(NOTIFICATIONS, ...enter, readForm, choose);
  return router;
}
