import { readdir, readFile } from "node:fs/promises";
import { createServer, get } from "node:http";
import { buffer } from "node:stream/consumers";
import test, { type ExecutionContext } from "ava";
import Koa from "koa";
import { openAssets } from "../../../api/pages/assets.ts";
import { scoped } from "../../../api/pages/browser/vendor/scoped.ts";
import { bundles, sharedModules } from "../../../api/pages/bundles.ts";

/** The maximum size of all scripts of a page. */
const MAX_SCRIPT_BYTES = 250_000;

test("a domain module that pages share imports nothing, and is served under the name that pages import", async (t) => {
  for (const [name, place] of Object.entries(sharedModules)) {
    const code = await readFile(place, "utf8");
    t.notRegex(code, /^import|\bfrom "/m, name);
    const shared = await readFile(new URL(`../../../api/pages/browser/${name}`, import.meta.url), "utf8");
    const [, names = ""] = /export \{ (.+) \}/.exec(shared) ?? [];
    const answer = await fetch(`${await serveAssets(t)}/${name}`);
    t.is(answer.headers.get("content-type"), "text/javascript; charset=utf-8");
    const served = await answer.text();
    // The server replaces type parameters with blanks.
    for (const exported of names.split(", ").filter((one) => !one.startsWith("type ")))
      t.regex(served, new RegExp(`export function ${exported} *\\(`), exported);
  }
});

test("pages import no files that only a compiler finds: only the domain's shared modules are served", async (t) => {
  const folder = new URL("../../../api/pages/browser/", import.meta.url);
  const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith(".ts"));
  const own = names.filter((name) => !name.startsWith("shared/") && !name.startsWith("vendor/"));
  for (const name of own) {
    const code = await readFile(new URL(name, folder), "utf8");
    const imported = [...code.matchAll(/^(?:import|export)(?! type)[^"]* from "([^"]+)";/gm)].map(
      ([, from = ""]) => from,
    );
    const outside = imported.filter((from) => !new URL(from, new URL(name, folder)).href.startsWith(folder.href));
    t.deepEqual(outside, [], name);
  }
});

/** Serves the assets until the test ends; returns their address. */
async function serveAssets(t: ExecutionContext): Promise<string> {
  const { router, version } = await openAssets();
  const server = createServer(new Koa().use(router.routes()).callback()).listen(0, "127.0.0.1");
  t.teardown(() => server.close());
  await new Promise((done) => server.once("listening", done));
  const { port } = server.address() as { port: number };
  return `http://127.0.0.1:${port}/assets/${version}`;
}

test("a bundle is one compressed module that imports nothing and leaves room for its page", async (t) => {
  const assets = await serveAssets(t);
  for (const name of Object.keys(bundles)) {
    const address = `${assets}/${name}`;
    const packed = await new Promise<Buffer>((done, fail) =>
      get(address, { headers: { "accept-encoding": "br" } }, (answer) => void buffer(answer).then(done, fail)),
    );
    t.true(packed.length < MAX_SCRIPT_BYTES / 2, `${name}: ${packed.length}`);
    const answer = await fetch(address);
    t.is(answer.headers.get("content-type"), "text/javascript; charset=utf-8");
    t.regex(answer.headers.get("cache-control") ?? "", /immutable/);
    t.notRegex(await answer.text(), /\bfrom"|\bimport"/, name);
  }
});

test("bundled style sheets apply only to their own element and below it, except for global rules", (t) => {
  const css =
    "\n{\nposition: absolute;\n}\n.line, .control {\ntop: 0;\n}\n:host[data-x] {\nleft: 0;\n}\n:global .view {\ncolor: red;\n}";
  t.is(
    scoped(css, "own"),
    ".own {\nposition: absolute;\n}\n.own .line, .own .control {\ntop: 0;\n}\n.own[data-x] {\nleft: 0;\n}\n.view {\ncolor: red;\n}",
  );
});
