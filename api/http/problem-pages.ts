import { readFile } from "node:fs/promises";
import Router from "@koa/router";
import type { Middleware } from "koa";
import { ProblemError } from "./problem-error.ts";
import { problems } from "./problem-kinds.ts";

const folder = new URL("../../docs/problems/", import.meta.url);

/** Serves the page that a problem's `type` names. Only names in the table of problems become a file's path. */
export function problemPages(): Router {
  const page: Middleware = async (context) => {
    const { name = "" } = context.params as { name?: string };
    if (!Object.hasOwn(problems, name)) throw new ProblemError("not-found", `The problem "${name}" does not exist.`);
    context.type = "text/markdown; charset=utf-8";
    context.body = await readFile(new URL(`${name}.md`, folder), "utf8");
  };
  const router = new Router({ strict: true, sensitive: true });
  router.get("/problems/:name", page);
  return router;
}
