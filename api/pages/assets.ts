import { hash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import Router from "@koa/router";
import type { Context } from "koa";
import { type Packers, staticAnswer } from "../http/answers/static-answer.ts";
import { ownOriginPolicy } from "../http/own-origin-policy.ts";
import { ProblemError } from "../http/problem-error.ts";
import { bundle, bundledVersions, bundles, sharedModules } from "./bundles.ts";
import { strippedModule } from "./stripped-module.ts";

interface Kind {
  ending: string;
  type: string;
  read?: (content: Buffer) => string | Promise<string>;
}
interface File extends Kind {
  name: string;
  content: Buffer;
}

const SCRIPT = "text/javascript; charset=utf-8";
const folders: readonly (Kind & { folder: string })[] = [
  { folder: "browser", ending: ".ts", type: SCRIPT, read: strippedModule },
  { folder: "styles", ending: ".css", type: "text/css; charset=utf-8" },
  { folder: "install", ending: ".webmanifest", type: "application/manifest+json" },
  { folder: "install", ending: ".svg", type: "image/svg+xml" },
];

/** Modules in these folders are not served. Bundles and modules of the domain are served in their place. */
const REPLACED = ["vendor/", "shared/"];

/** The code reader for browsers without one, which a page fetches when its camera is first opened. */
const reader = import.meta.resolve("zxing-wasm/reader");
const packaged: Readonly<Record<string, { place: string; type: string }>> = {
  "zxing/reader/index.js": { place: reader, type: SCRIPT },
  "zxing/share.js": { place: new URL("../share.js", reader).href, type: SCRIPT },
  "zxing/reader/zxing_reader.wasm": {
    place: import.meta.resolve("zxing-wasm/reader/zxing_reader.wasm"),
    type: "application/wasm",
  },
};

/** A worker's rights are defined by its own script's headers. */
const ownHeaders: Readonly<Record<string, Record<string, string>>> = {
  "aisle/service-worker.ts": { "service-worker-allowed": "/" },
  "aisle/decode-worker.ts": {
    "content-security-policy": ownOriginPolicy({ "script-src": "'self' 'wasm-unsafe-eval'" }),
  },
};

/** One year, since the address changes with the content. */
const CACHE_CONTROL = "public, max-age=31536000, immutable";
const HASH_LENGTH = 12;

/**
 * The files for browsers, at addresses that contain a hash of all of them, so that modules can import one another by
 * name.
 */
export interface Assets {
  version: string;
  router: Router;
}

/** Reads the pages' scripts, whose types are stripped at the first request, and their other files; all of them are public. */
export async function openAssets(packers?: Packers): Promise<Assets> {
  const files = [
    ...(await Promise.all(folders.map(filesOf))).flat(),
    ...(await packagedFiles()),
    ...(await bundledFiles()),
    ...(await sharedFiles()),
  ];
  const parts = files.flatMap(({ name, content }) => [Buffer.from(`${name}\n`), content]);
  const version = hash("sha256", Buffer.concat(parts), "hex").slice(0, HASH_LENGTH);
  const answers = new Map(
    files.map(({ name, content, type, read }) => [
      name,
      staticAnswer({ read: async () => read?.(content) ?? content, type, headers: ownHeaders[name] ?? {} }, packers),
    ]),
  );
  const router = new Router({ strict: true, sensitive: true });
  router.get("/assets/:version/*name", async (context: Context & { params: Record<string, string> }) => {
    const answer = answers.get(context.params.name ?? "");
    if (answer === undefined) throw new ProblemError("unknown-path", `The path ${context.path} does not exist.`);
    await answer(context);
    context.set("x-content-type-options", "nosniff");
    if (context.params.version === version) context.set("cache-control", CACHE_CONTROL);
  });
  return { version, router };
}

async function filesOf({ folder, ...kind }: (typeof folders)[number]): Promise<File[]> {
  const place = new URL(`${folder}/`, import.meta.url);
  const names = (await readdir(place, { recursive: true }))
    .filter((name) => name.endsWith(kind.ending) && !REPLACED.some((folder) => name.startsWith(folder)))
    .sort();
  return Promise.all(names.map(async (name) => ({ ...kind, name, content: await readFile(new URL(name, place)) })));
}

const packagedFiles = (): Promise<File[]> =>
  Promise.all(
    Object.entries(packaged).map(async ([name, { place, type }]) => ({
      name,
      type,
      ending: "",
      content: await readFile(new URL(place)),
    })),
  );

/** Returns the bundles, which are made at the first request. Their addresses change with the versions of their packages. */
async function bundledFiles(): Promise<File[]> {
  const content = await readFile(bundledVersions);
  return Object.entries(bundles).map(([name, module]) => ({
    name,
    type: SCRIPT,
    ending: "",
    content,
    read: () => bundle(module),
  }));
}

const sharedFiles = (): Promise<File[]> =>
  Promise.all(
    Object.entries(sharedModules).map(async ([name, place]) => ({
      ...{ name, type: SCRIPT, ending: "", read: strippedModule },
      content: await readFile(place),
    })),
  );
