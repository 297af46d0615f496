import Router from "@koa/router";
import type { Context, Middleware } from "koa";
import type { Logger } from "pino";
import { subjectCaller } from "../../domain/access/callers.ts";
import { type Invitations, PASSWORD_LENGTH } from "../installation/invitations.ts";
import { html } from "../pages/html/html.ts";
import type { Appearance } from "../pages/layout/document.ts";
import { appearanceOf } from "../pages/layout/preferences.ts";
import { sendPage } from "../pages/layout/send-page.ts";
import { beginSession } from "./begin-session.ts";
import { small } from "./login-page.ts";
import { firstPage, redirect } from "./next-page.ts";
import { showProblemsAsPages } from "./problem-page.ts";
import { refuseForeign } from "./same-origin.ts";
import { formIn, LOGIN, readForm, type SessionWorld } from "./session-pages.ts";

const JOIN = "/join";

/** `/join`: an invited person chooses a password, and is logged in (docs/operations/sign-on.md#invitations). */
export function joinPages(
  world: SessionWorld & { log: Logger; invitations: Pick<Invitations, "find" | "accept"> },
): Router {
  const { basePath, assets, sessions, invitations, log } = world;
  const appearance = (context: Context): Appearance => appearanceOf(context, basePath, assets.version);
  const expired = (context: Context) => {
    const shown = appearance(context);
    const content = html`<p class="alert" role="alert">${shown.texts("join.expired")}</p>
<p><a href="${basePath}${LOGIN}">${shown.texts("login.title")}</a></p>`;
    sendPage(context, 410, small(shown, shown.texts("join.title"), content));
  };

  function ask(context: Context, name: string, code: string, isRefused: boolean): void {
    const shown = appearance(context);
    const { texts } = shown;
    const { least, most } = PASSWORD_LENGTH;
    const content = html`<h2>${texts("join.title")}</h2><p>${texts("join.welcome", { name })}</p>
${isRefused && html`<p class="alert" role="alert">${texts("join.length", { count: least })}</p>`}
<form method="post" action="${basePath}${JOIN}">
<input type="hidden" name="code" value="${code}">
<input type="hidden" name="name" value="${name}" autocomplete="username">
<label class="field">${texts("login.password")}<input name="password" type="password" autocomplete="new-password" minlength="${String(least)}" maxlength="${String(most)}" required autofocus></label>
<p class="hint">${texts("join.length", { count: least })}</p>
<button class="primary">${texts("join.go")}</button>
</form>`;
    sendPage(context, isRefused ? 400 : 200, small(shown, texts("join.title"), content));
  }

  const show: Middleware = async (context) => {
    const code = String(context.query.code ?? "");
    const user = await invitations.find(code);
    if (user === undefined) return expired(context as Context);
    ask(context as Context, user.name, code, false);
  };

  const join: Middleware = async (context) => {
    const { code, password } = formIn(context as Context);
    const invited = await invitations.find(code);
    if (invited === undefined) return expired(context as Context);
    const { least, most } = PASSWORD_LENGTH;
    if (password.length < least || password.length > most) return ask(context as Context, invited.name, code, true);
    const user = await invitations.accept(code, password);
    if (user === undefined) return expired(context as Context);
    // A person who was logged in with an earlier password is logged out.
    await sessions.endOf({ tenant: user.tenant, caller: subjectCaller(user.name) });
    const permit = await beginSession(context as Context, sessions, { user });
    log.info({ caller: permit.caller, tenant: permit.tenant }, "an invitation was accepted");
    redirect(context as Context, `${basePath}${firstPage(permit)}`);
  };

  const router = new Router({ strict: true, sensitive: true });
  router.get(JOIN, showProblemsAsPages(world), show);
  router.post(JOIN, showProblemsAsPages(world), refuseForeign, readForm, join);
  return router;
}
