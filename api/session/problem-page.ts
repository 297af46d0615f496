import type { Context, Middleware } from "koa";
import type { Outage } from "../../queues/outage.ts";
import { PLATFORM } from "../../schemas/token.ts";
import type { Permit } from "../access/verify-token.ts";
import type { ProblemError } from "../http/problem-error.ts";
import { html } from "../pages/html/html.ts";
import { documentOf } from "../pages/layout/document.ts";
import { appearanceOf } from "../pages/layout/preferences.ts";
import { problemKey, problemSection } from "../pages/layout/problem-content.ts";
import { sendPage } from "../pages/layout/send-page.ts";

export interface ProblemPageWorld {
  /** The path under which a proxy serves this process; empty if it is the origin's root. */
  basePath: string;
  /** The files that pages load. */
  assets: { version: string };
  /** The setting with the address of Redis. */
  redisSetting: string;
  /** Returns why a database failed, with its setting, host and remedy. */
  reasonOf(error: Error): string;
}

/** Whether a browser requests a page, as opposed to a script that requests a response. */
export const asksForPage = (context: Pick<Context, "accepts">): boolean => context.accepts(["json", "html"]) === "html";

/** Shows errors of later middleware to a browser as a page in its reader's language, by marking calls for `answerProblems`. */
export function showProblemsAsPages(world: ProblemPageWorld): Middleware {
  return (context, next) => {
    if (asksForPage(context as Context))
      context.state.problemPage = (problem: ProblemError, error: Error) =>
        show(world, context as Context, problem, error);
    return next();
  };
}

function show(world: ProblemPageWorld, context: Context, problem: ProblemError, error: Error) {
  const { basePath, assets, reasonOf } = world;
  const appearance = appearanceOf(context, basePath, assets.version);
  const { texts } = appearance;
  const { outage } = problem.extra;
  const isOperator = (context.state.permit as Permit | undefined)?.scopes.has(PLATFORM);
  const said = html`<p>${texts(outage ? `outage.${outage}` : problemKey(problem.problem))}</p>
${outage !== undefined && !isOperator && html`<p>${texts("outage.operator", { setting: settingOf(outage, world) })}</p>`}
${outage !== undefined && isOperator && html`<p lang="en">${reasonOf(error)}</p>`}`;
  const content = problemSection(texts, said, `${basePath}/`);
  const body = html`<body><main class="page narrow">${content}</main></body>`;
  sendPage(context, context.status, documentOf(appearance, texts("problem.title"), body));
}

/** Returns the name of the setting with the database's address. */
export const settingOf = (outage: Outage, { redisSetting }: Pick<ProblemPageWorld, "redisSetting">): string =>
  outage.startsWith("redis") ? redisSetting : "MONGODB_URL";
