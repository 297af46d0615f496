import Router from "@koa/router";
import type { Context, Middleware } from "koa";
import type { Logger } from "pino";
import type { Person } from "../../../domain/access/map-claims.ts";
import type { Notifications } from "../../notifications/notification-store.ts";
import { type Appearance, goOnPage } from "../../pages/layout/document.ts";
import { appearanceOf } from "../../pages/layout/preferences.ts";
import { sendPage } from "../../pages/layout/send-page.ts";
import type { Key } from "../../pages/messages/en.ts";
import { beginSession } from "../begin-session.ts";
import { loginPage } from "../login-page.ts";
import { firstPage, localPath, redirect } from "../next-page.ts";
import { showProblemsAsPages } from "../problem-page.ts";
import { BEGIN, LOGIN, type SessionWorld } from "../session-pages.ts";
import { CALLBACK, type Provider, SignOnError, type SignOnFault } from "./provider.ts";
import { begunLoginOf, setBegunLogin } from "./transaction-cookie.ts";

/** The login page's message for a failed login through the provider, and its status. */
const sayings: Readonly<Record<SignOnFault, readonly [status: number, Key]>> = {
  unreachable: [503, "login.failed"],
  refused: [401, "login.providerRefused"],
  noUser: [403, "login.noAccess"],
  noRole: [403, "login.noAccess"],
  noTenant: [403, "login.noAccess"],
  noStores: [403, "login.noAccess"],
};

type ProviderPagesWorld = SessionWorld & {
  log: Logger;
  /** Absent if nobody is notified by e-mail. */
  notifications?: Pick<Notifications, "noteLogin"> | undefined;
};

/** Serves the round trip to the identity provider (docs/operations/sign-on.md). */
export function providerPages(world: ProviderPagesWorld, provider: Provider): Router {
  const { sessions, basePath, assets, log, notifications } = world;

  /**
   * Records the rights of the latest login, which determine the person's notifications. An error here does not fail the login.
   */
  async function noteLogin(caller: string, { claims: { tenant, stores, scope }, address }: Person): Promise<void> {
    if (notifications === undefined || tenant === undefined || stores === undefined) return;
    await notifications
      .noteLogin({ caller, tenant, stores, scope, address })
      .catch((error: Error) => log.warn({ cause: world.reasonOf(error) }, "the rights of a login were not recorded"));
  }
  const appearance = (context: Context): Appearance => appearanceOf(context, basePath, assets.version);

  /** Shows on the login page why a login failed; a person can start another one there. */
  const explained =
    (work: (context: Context) => Promise<void>): Middleware =>
    async (context) => {
      try {
        await work(context as Context);
      } catch (error) {
        if (!(error instanceof SignOnError)) throw error;
        const { message: cause } = (error.cause ?? error) as Error;
        log.warn({ fault: error.fault, cause }, "a login through the identity provider failed");
        const [status, key] = sayings[error.fault];
        const shown = appearance(context as Context);
        const way = { name: provider.name, path: `${basePath}${BEGIN}` };
        const next = localPath(context.query.next);
        sendPage(context as Context, status, loginPage(shown, `${basePath}${LOGIN}`, next, shown.texts(key), way));
      }
    };

  const begin = explained(async (context) => {
    const { url, transaction } = await provider.begin();
    setBegunLogin(context, { ...transaction, next: localPath(context.query.next) }, provider.isSecure);
    context.set("cache-control", "no-store");
    redirect(context, url.href);
  });

  const comeBack = explained(async (context) => {
    const begun = begunLoginOf(context, provider.isSecure);
    // Each login returns only once, so even if this one fails, the next has to go through the provider again.
    setBegunLogin(context, undefined, provider.isSecure);
    if (begun === undefined) throw new SignOnError("refused", new Error("this browser started no login"));
    const { idToken, address, ...person } = await provider.finish(context.querystring, begun);
    const login = { person: { ...person, idToken } };
    const permit = await beginSession(context, sessions, login, provider.isSecure);
    log.info({ caller: permit.caller, tenant: permit.tenant }, "a session was started through the identity provider");
    await noteLogin(permit.caller, { ...person, address });
    // A redirect would still belong to the provider's page, and browsers would send no `SameSite=Strict` cookie with it.
    sendPage(context, 200, goOnPage(appearance(context), `${basePath}${firstPage(permit, localPath(begun.next))}`));
  });

  const router = new Router({ strict: true, sensitive: true });
  router.get(BEGIN, showProblemsAsPages(world), begin);
  router.get(CALLBACK, showProblemsAsPages(world), comeBack);
  return router;
}
