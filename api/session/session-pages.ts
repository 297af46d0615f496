import Router from "@koa/router";
import type { Context, Middleware } from "koa";
import { koaBody } from "koa-body";
import type { Logger } from "pino";
import { clientAddress } from "../access/client-address.ts";
import { IssuerError } from "../access/issuer-keys.ts";
import type { LoginWorld } from "../access/login/login.ts";
import { TokenError } from "../access/verify-token.ts";
import { bodyLimits } from "../body/body-limits.ts";
import { ProblemError } from "../http/problem-error.ts";
import { type ProblemName, problems } from "../http/problem-kinds.ts";
import { personText } from "../pages/browser/person-text.ts";
import { type Appearance, goOnPage } from "../pages/layout/document.ts";
import { appearanceOf } from "../pages/layout/preferences.ts";
import { sendPage } from "../pages/layout/send-page.ts";
import type { Key } from "../pages/messages/en.ts";
import { beginSession } from "./begin-session.ts";
import { loginPage, logoutPage } from "./login-page.ts";
import { firstPage, HOME, localPath, redirect } from "./next-page.ts";
import { type ProblemPageWorld, settingOf, showProblemsAsPages } from "./problem-page.ts";
import type { Provider, SignOnError } from "./provider/provider.ts";
import { refuseForeign } from "./same-origin.ts";
import { deleteSessionCookie, sessionIdOf } from "./session-cookie.ts";
import type { Login, Sessions } from "./sessions.ts";

export interface SessionWorld extends ProblemPageWorld {
  sessions: Sessions;
  /** The identity provider; absent if people log in only by name and password. */
  provider?: Provider | undefined;
}

export const LOGIN = "/login";
const LOGOUT = "/logout";
/** The address that starts a login through the identity provider. */
export const BEGIN = "/login/provider";

/** `/login` and `/logout`: start and end a browser's session, for every page that `requireSession` guards. */
export function sessionPages(world: SessionWorld & LoginWorld & { log: Logger }): Router {
  const { sessions, basePath, log } = world;
  const loginOf = createLoginOf(world);

  const logIn: Middleware = async (context) => {
    const { next, ...form } = formIn(context);
    try {
      const permit = await beginSession(context, sessions, await loginOf(context, form));
      log.info({ caller: permit.caller, tenant: permit.tenant }, "a session was started");
      redirect(context, `${basePath}${firstPage(permit, next)}`);
    } catch (error) {
      const refusal = refusalOf(error);
      const { problem, extra } = refusal;
      const appearance = appearanceOf(context, basePath, world.assets.version);
      // The challenge of HTTP Basic would make the browser open its own login dialog.
      const { "www-authenticate": _, ...headers } = extra.headers ?? {};
      context.set(headers);
      const way = world.provider && { name: world.provider.name, path: `${basePath}${BEGIN}` };
      const page = loginPage(appearance, `${basePath}${LOGIN}`, next, sayingOf(refusal, appearance, world), way);
      sendPage(context, problems[problem].status, page);
    }
  };

  const logOut: Middleware = async (context) => {
    const id = sessionIdOf(context.req);
    await leave(context as Context, world, id === undefined ? undefined : await sessions.end(id));
  };

  const askLogOut: Middleware = async (context) => {
    const id = sessionIdOf(context.req);
    const permit = id === undefined ? undefined : await sessions.read(id);
    if (permit === undefined) return redirect(context as Context, `${basePath}${LOGIN}`);
    const appearance = appearanceOf(context as Context, basePath, world.assets.version);
    sendPage(
      context as Context,
      200,
      logoutPage(appearance, `${basePath}${LOGOUT}`, permit.subject ?? personText(permit.caller, appearance.texts)),
    );
  };

  const router = new Router({ strict: true, sensitive: true });
  router.get(LOGIN, (context: Context) => askLogin(context, world, 200, undefined, context.query.next ?? HOME));
  router.post(LOGIN, showProblemsAsPages(world), refuseForeign, readForm, logIn);
  router.get(LOGOUT, showProblemsAsPages(world), askLogOut);
  router.post(LOGOUT, showProblemsAsPages(world), refuseForeign, logOut);
  return router;
}

/**
 * Sends a browser whose session has ended to the login page or, if the session started at the identity provider, to the
 * logout there. If the provider cannot be reached, the browser is still logged out here.
 */
export async function leave(
  context: Context,
  { basePath, assets, provider, log }: SessionWorld & { log: Logger },
  idToken: string | undefined,
): Promise<void> {
  deleteSessionCookie(context);
  const url = await (idToken !== undefined ? provider?.endUrl(idToken) : undefined)?.catch((error: SignOnError) => {
    log.warn({ fault: error.fault }, "the logout at the identity provider failed");
    return undefined;
  });
  if (url === undefined) return redirect(context, `${basePath}${LOGIN}`);
  // Not a redirect, because it would belong to the form, which may not lead to another origin.
  sendPage(context, 200, goOnPage(appearanceOf(context, basePath, assets.version), url.href));
}

/** Shows the login page in place of a page that requires a session, or a session with more rights. */
export function askLogin(
  context: Context,
  { basePath, assets, provider }: SessionWorld,
  status: 200 | 401 | 403,
  message?: string,
  next: unknown = context.url,
): void {
  const appearance: Appearance = appearanceOf(context, basePath, assets.version);
  const way = provider && { name: provider.name, path: `${basePath}${BEGIN}` };
  sendPage(context, status, loginPage(appearance, `${basePath}${LOGIN}`, localPath(next), message, way));
}

/** The message for a failed login in the reader's language; other problems are shown as the interface reports them. */
const sayings: Partial<Record<ProblemName, Key>> = {
  "wrong-credentials": "login.wrong",
  "too-many-failed-logins": "login.tooMany",
  "invalid-token": "login.badToken",
  "no-login": "login.onlyTokens",
  unavailable: "login.failed",
  "issuer-unavailable": "login.failed",
  busy: "login.failed",
};

/** The message for a problem; for a database error it includes the setting, since an operator must act. */
function sayingOf(
  { problem, message, extra: { outage } }: ProblemError,
  { texts }: Appearance,
  world: SessionWorld,
): string {
  if (outage !== undefined)
    return `${texts(`outage.${outage}`)} ${texts("outage.operator", { setting: settingOf(outage, world) })}`;
  const said = sayings[problem];
  return said === undefined ? message : texts(said);
}

/** Creates a function that returns the login in a form: the token, or the user with the name and password. */
function createLoginOf({ login: { issue, checkUser, trustedProxies } }: LoginWorld) {
  return async (
    context: Context,
    { token, name, password }: Record<"token" | "name" | "password", string>,
  ): Promise<Login> => {
    if (token !== "") return { token };
    if (issue === undefined)
      throw new ProblemError(
        "no-login",
        "This server accepts only tokens from your issuer, not names and passwords. Enter a token.",
      );
    const attempt = { userName: name, address: clientAddress(context.req, trustedProxies) };
    return { user: await checkUser(attempt, password) };
  };
}

function refusalOf(error: unknown): ProblemError {
  if (error instanceof ProblemError) return error;
  if (error instanceof TokenError) return new ProblemError("invalid-token", `${error.message}.`);
  if (error instanceof IssuerError)
    return new ProblemError("issuer-unavailable", "The keys of the token issuer cannot be fetched at the moment.");
  throw error;
}

/** Reads the form of a login page. */
export const readForm = koaBody({
  json: false,
  text: false,
  multipart: false,
  urlencoded: true,
  formLimit: bodyLimits.loginForm.maxBytes,
}) as Middleware;

/** Returns the fields of the login pages' forms; an absent field is empty. */
export function formIn(context: Context) {
  const form = (context.request.body ?? {}) as Record<string, unknown>;
  const textOf = (name: string) => (typeof form[name] === "string" ? form[name] : "");
  return {
    token: textOf("token").trim(),
    name: textOf("name"),
    password: textOf("password"),
    end: textOf("end"),
    code: textOf("code"),
    next: localPath(form.next),
  };
}
