import Router from "@koa/router";
import type { Context, Middleware } from "koa";
import type { Permit } from "../access/verify-token.ts";
import { html } from "../pages/html/html.ts";
import { frameOf } from "../pages/layout/preferences.ts";
import { instantText } from "../pages/layout/time-text.ts";
import { small } from "./login-page.ts";
import { showProblemsAsPages } from "./problem-page.ts";
import { requireSession } from "./require-session.ts";
import { redirect, sendPage } from "./send-page.ts";
import { sessionIdOf } from "./session-cookie.ts";
import { sessionName } from "./session-index.ts";
import { formIn, leave, readForm, type SessionWorld } from "./session-pages.ts";

const ACCOUNT = "/account";
const ALL = "all";

/** `/account`: where a person is logged in, to log out there or everywhere. */
export function accountPages(world: SessionWorld & Parameters<typeof leave>[1]): Router {
  const { sessions, basePath, assets } = world;

  const show: Middleware = async (context) => {
    const permit = context.state.permit as Permit;
    const frame = frameOf(context as Context, basePath, assets.version);
    const { texts, language } = frame;
    const own = sessionName(sessionIdOf(context.req) ?? "");
    const end = (value: string, text: string, kind = "") =>
      html`<button name="end" value="${value}" class="${kind}">${text}</button>`;
    const rows = (await sessions.list(permit)).map(
      ({ name, device, begun, seen }) =>
        html`<li><p><strong>${device || texts("account.unknownDevice")}</strong>${name === own && html` · ${texts("account.thisOne")}`}<br>
<span class="muted">${texts("account.since", { time: instantText(new Date(begun).toISOString(), language, undefined) })}<br>${texts("account.seen", { time: instantText(new Date(seen).toISOString(), language, undefined) })}</span></p>${name !== own && end(name, texts("menu.logout"))}</li>`,
    );
    const content = html`<p>${texts("login.loggedIn", { name: permit.subject ?? permit.caller })}</p>
<form method="post" action="${basePath}${ACCOUNT}"><ul class="sessions">${rows}</ul>
<p>${end(ALL, texts("account.everywhere"), "danger")}</p></form>
<p><a href="${basePath}/">${texts("account.back")}</a></p>`;
    sendPage(context as Context, 200, small(frame, texts("account.title"), content));
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
  router.get(ACCOUNT, ...enter, show);
  router.post(ACCOUNT, ...enter, readForm, end);
  return router;
}
