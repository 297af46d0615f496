import { hash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { stripTypeScriptTypes } from "node:module";
import Router from "@koa/router";
import type { Context } from "koa";
import { ProblemError } from "../http/problem-error.ts";
import { type Packers, staticAnswer } from "../http/static-answer.ts";

const folders = {
  browser: { ending: ".ts", type: "text/javascript; charset=utf-8", read: stripped },
  styles: { ending: ".css", type: "text/css; charset=utf-8", read: (text: string) => text },
} as const;

/** A year: the address changes with the content. */
const CACHE_CONTROL = "public, max-age=31536000, immutable";
const HASH_LENGTH = 12;

/** The files that browsers get, at addresses that hold a hash of all of them, so that modules import one another plainly. */
export interface Assets {
  version: string;
  router: Router;
}

/** Reads the pages' scripts, whose types are taken away when one is first asked for, and styles; all may have them. */
export async function openAssets(packers?: Packers): Promise<Assets> {
  const files = (await Promise.all(Object.entries(folders).map(([folder, how]) => filesOf(folder, how)))).flat();
  const contents = files.map(({ name, content }) => `${name}\n${content}`).join("\n");
  const version = hash("sha256", contents, "hex").slice(0, HASH_LENGTH);
  const answers = new Map(
    files.map(({ name, content, type, read }) => [
      name,
      staticAnswer({ read: async () => read(content), type }, packers),
    ]),
  );
  const router = new Router({ strict: true, sensitive: true });
  router.get("/assets/:version/*name", (async (context: Context & { params: Record<string, string> }) => {
    const answer = answers.get(context.params.name ?? "");
    if (answer === undefined) throw new ProblemError("unknown-path", `There is nothing at ${context.path}.`);
    await answer(context);
    context.set("x-content-type-options", "nosniff");
    if (context.params.version === version) context.set("cache-control", CACHE_CONTROL);
  }) as never);
  return { version, router };
}

async function filesOf(folder: string, { ending, type, read }: (typeof folders)[keyof typeof folders]) {
  const place = new URL(`${folder}/`, import.meta.url);
  const names = (await readdir(place, { recursive: true })).filter((name) => name.endsWith(ending)).sort();
  return Promise.all(
    names.map(async (name) => ({ name, type, read, content: await readFile(new URL(name, place), "utf8") })),
  );
}

/** The text of a module without its types; every character stays in its place, so that the browser's line numbers are right. */
function stripped(text: string): string {
  return stripTypeScriptTypes(text, { mode: "strip" });
}
