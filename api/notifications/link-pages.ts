import Router from "@koa/router";
import type { Context, Middleware } from "koa";
import { type LinkAct, linkPath } from "../../domain/notifications/mail-links.ts";
import { html } from "../pages/html/html.ts";
import { appearanceOf } from "../pages/layout/preferences.ts";
import { sendPage } from "../pages/layout/send-page.ts";
import type { Key } from "../pages/messages/en.ts";
import { small } from "../session/login-page.ts";
import { type ProblemPageWorld, showProblemsAsPages } from "../session/problem-page.ts";
import { refuseForeign } from "../session/same-origin.ts";
import type { Notifications } from "./notification-store.ts";

/**
 * Serves the pages behind the links in e-mails. They need no session, because the signature shows that the person has the
 * e-mail. Opening a page changes nothing, since mail scanners open links; pressing its button does. Mail programs themselves
 * submit the page that stops notifications (RFC 8058).
 */
export function linkPages(world: ProblemPageWorld, notifications: Notifications): Router {
  const { basePath, assets } = world;

  function show(context: Context, status: number, title: Key, text: string, act?: LinkAct): void {
    const appearance = appearanceOf(context, basePath, assets.version);
    const { texts } = appearance;
    const button =
      act &&
      html`<form method="post" action="${basePath}${linkPath(act)}?${context.querystring}"><button class="primary">${texts(`notifications.${act}Go`)}</button></form>`;
    const content = html`<p>${text}</p>${button}<p><a href="${basePath}/account">${texts("notifications.title")}</a></p>`;
    sendPage(context, status, small(appearance, texts(title), content));
  }

  const textsFor = (context: Context) => appearanceOf(context, basePath, assets.version).texts;
  const find = (act: LinkAct, { query }: Context) => notifications.ofLink(act, query.of, query.signature);
  const refuse = (context: Context, act: LinkAct) =>
    show(context, 410, `notifications.${act}Title`, textsFor(context)("notifications.badLink"));

  const ask =
    (act: LinkAct): Middleware =>
    async (plain) => {
      const context = plain as Context;
      const found = await find(act, context);
      if (found === undefined) return refuse(context, act);
      const address = found.pending?.address ?? "";
      show(context, 200, `notifications.${act}Title`, textsFor(context)(`notifications.${act}Text`, { address }), act);
    };

  const confirm: Middleware = async (plain) => {
    const context = plain as Context;
    const found = await find("confirm", context);
    const isDone = found !== undefined && (await notifications.confirm(found._id, context.query.signature));
    if (!isDone) return refuse(context, "confirm");
    show(context, 200, "notifications.confirmTitle", textsFor(context)("notifications.confirmed"));
  };

  const stop: Middleware = async (plain) => {
    const context = plain as Context;
    const found = await find("stop", context);
    if (found === undefined) return refuse(context, "stop");
    await notifications.stop(found._id);
    show(context, 200, "notifications.stopTitle", textsFor(context)("notifications.stopped"));
  };

  const router = new Router({ strict: true, sensitive: true });
  router.get(linkPath("confirm"), showProblemsAsPages(world), ask("confirm"));
  router.post(linkPath("confirm"), showProblemsAsPages(world), refuseForeign, confirm);
  router.get(linkPath("stop"), showProblemsAsPages(world), ask("stop"));
  // Accepted from any origin, since mail programs have none. The signature authorises it.
  router.post(linkPath("stop"), showProblemsAsPages(world), stop);
  return router;
}
