import Router from "@koa/router";
import type { Context, Middleware } from "koa";
import { koaBody } from "koa-body";
import type { Logger } from "pino";
import { clientAddress } from "../access/client-address.ts";
import { IssuerError } from "../access/issuer-keys.ts";
import type { LoginWorld } from "../access/login/login.ts";
import { type Permit, TokenError } from "../access/verify-token.ts";
import { bodyLimits } from "../body/body-limits.ts";
import { ProblemError } from "../http/problem-error.ts";
import { type ProblemName, problems } from "../http/problem-kinds.ts";
import { type Frame, PAGE_POLICY } from "../pages/layout/document.ts";
import { frameOf } from "../pages/layout/preferences.ts";
import type { Key } from "../pages/messages/en.ts";
import { loginPage, logoutPage } from "./login-page.ts";
import { type ProblemPageWorld, settingOf, showProblemsAsPages } from "./problem-page.ts";
import { isSameOrigin } from "./same-origin.ts";
import { sessionIdOf, setSessionCookie } from "./session-cookie.ts";
import type { Sessions } from "./sessions.ts";

export interface SessionWorld extends ProblemPageWorld {
  sessions: Sessions;
}

const LOGIN = "/login";
const LOGOUT = "/logout";
/** Target of a login that did not start from a page. */
const HOME = "/";
/** The same for somebody who works in single stores: what there is to do. */
const HOME_OF_STAFF = "/work";

/** `/login` and `/logout`: a browser's session, for every page that `requireSession` guards. */
export function sessionPages(world: SessionWorld & LoginWorld & { log: Logger }): Router {
  const { sessions, basePath, log } = world;
  const tokenOf = createTokenOf(world);

  const logIn: Middleware = async (context) => {
    const { next, ...form } = formOf(context);
    try {
      const { id, permit, secondsLeft } = await sessions.begin(await tokenOf(context, form));
      log.info({ caller: permit.caller, tenant: permit.tenant }, "a session was started");
      setSessionCookie(context, id, secondsLeft);
      redirect(context, `${basePath}${next === HOME ? homeOf(permit) : next}`);
    } catch (error) {
      const refusal = refusalOf(error);
      const { problem, extra } = refusal;
      const frame = frameOf(context, basePath, world.assets.version);
      // The challenge of HTTP Basic would make the browser open its own login dialog.
      const { "www-authenticate": _, ...headers } = extra.headers ?? {};
      context.set(headers);
      const page = loginPage(frame, `${basePath}${LOGIN}`, next, sayingOf(refusal, frame, world));
      sendPage(context, problems[problem].status, page);
    }
  };

  const logOut: Middleware = async (context) => {
    const id = sessionIdOf(context.req);
    if (id !== undefined) await sessions.end(id);
    setSessionCookie(context as Context, "", 0);
    redirect(context as Context, `${basePath}${LOGIN}`);
  };

  const askLogOut: Middleware = async (context) => {
    const id = sessionIdOf(context.req);
    const permit = id === undefined ? undefined : await sessions.read(id);
    if (permit === undefined) return redirect(context as Context, `${basePath}${LOGIN}`);
    const frame = frameOf(context as Context, basePath, world.assets.version);
    sendPage(context as Context, 200, logoutPage(frame, `${basePath}${LOGOUT}`, permit.subject ?? permit.caller));
  };

  const router = new Router({ strict: true, sensitive: true });
  router.get(LOGIN, (context: Context) => askLogin(context, world, 200, undefined, context.query.next ?? HOME));
  router.post(LOGIN, showProblemsAsPages(world), refuseForeign, readForm, logIn);
  router.get(LOGOUT, showProblemsAsPages(world), askLogOut);
  router.post(LOGOUT, showProblemsAsPages(world), refuseForeign, logOut);
  return router;
}

/** Refuses what no page of this origin sent: another site's page must not act with, begin or end a session. */
export const refuseForeign: Middleware = (context, next) => {
  if (isSameOrigin(context.headers)) return next();
  throw new ProblemError("forbidden", "Only a page of this origin may send this request (Sec-Fetch-Site, Origin).");
};

/** Shows the login page in place of a page that needs a session, or one with further rights. */
export function askLogin(
  context: Context,
  { basePath, assets }: SessionWorld,
  status: 200 | 401 | 403,
  message?: string,
  next: unknown = context.url,
): void {
  const frame: Frame = frameOf(context, basePath, assets.version);
  sendPage(context, status, loginPage(frame, `${basePath}${LOGIN}`, localPath(next), message));
}

/** The text for a failed login in the reader's language; other problems are shown as the interface reports them. */
const sayings: Partial<Record<ProblemName, Key>> = {
  "wrong-credentials": "login.wrong",
  "too-many-failed-logins": "login.tooMany",
  "invalid-token": "login.badToken",
  "no-login": "login.onlyTokens",
  unavailable: "login.failed",
  "issuer-unavailable": "login.failed",
  busy: "login.failed",
};

/** The same in words; for a database error with its setting, since an operator must act. */
function sayingOf(
  { problem, message, extra: { outage } }: ProblemError,
  { texts }: Frame,
  world: SessionWorld,
): string {
  if (outage !== undefined)
    return `${texts(`outage.${outage}`)} ${texts("outage.operator", { setting: settingOf(outage, world) })}`;
  const said = sayings[problem];
  return said === undefined ? message : texts(said);
}

/** The token entered in a form, or issued to the user entered in it. */
function createTokenOf({ login: { issue, checkUser, trustedProxies } }: LoginWorld) {
  return async (context: Context, { token, name, password }: Record<"token" | "name" | "password", string>) => {
    if (token !== "") return token;
    if (issue === undefined)
      throw new ProblemError(
        "no-login",
        "This server accepts only tokens of your issuer, no names and passwords: enter a token.",
      );
    const attempt = { userName: name, address: clientAddress(context.req, trustedProxies) };
    return issue(await checkUser(attempt, password));
  };
}

function refusalOf(error: unknown): ProblemError {
  if (error instanceof ProblemError) return error;
  if (error instanceof TokenError) return new ProblemError("invalid-token", `${error.message}.`);
  if (error instanceof IssuerError)
    return new ProblemError("issuer-unavailable", "The keys of the token issuer cannot be fetched at the moment.");
  throw error;
}

const readForm = koaBody({
  json: false,
  text: false,
  multipart: false,
  urlencoded: true,
  formLimit: bodyLimits.loginForm.maxBytes,
}) as Middleware;

function formOf(context: Context) {
  const form = (context.request.body ?? {}) as Record<string, unknown>;
  const textOf = (name: string) => (typeof form[name] === "string" ? form[name] : "");
  return {
    token: textOf("token").trim(),
    name: textOf("name"),
    password: textOf("password"),
    next: localPath(form.next),
  };
}

/** A path of this origin, or the home page: a login must not lead to another site. */
export const localPath = (text: unknown): string =>
  typeof text === "string" && /^\/(?![/\\])[\x21-\x7e]*$/.test(text) ? text : HOME;

/** Where a session begins: those who may compare all labels of the tenant begin with the overview of its stores. */
const homeOf = ({ stores, scopes }: Pick<Permit, "stores" | "scopes">): string =>
  stores !== "*" && scopes.has("labels:read") ? HOME_OF_STAFF : HOME;

function redirect(context: Context, path: string): void {
  context.status = 303;
  context.set("location", path);
  context.body = "";
}

function sendPage(context: Context, status: number, body: string): void {
  context.status = status;
  context.set({ "content-security-policy": PAGE_POLICY, "referrer-policy": "same-origin" });
  context.type = "text/html; charset=utf-8";
  context.body = body;
}
