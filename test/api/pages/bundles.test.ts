import { createServer, get } from "node:http";
import { buffer } from "node:stream/consumers";
import test from "ava";
import Koa from "koa";
import { openAssets } from "../../../api/pages/assets.ts";
import { scoped } from "../../../api/pages/browser/vendor/scoped.ts";
import { bundles } from "../../../api/pages/bundles.ts";

/** A page may transfer this much script in all. */
const MAX_SCRIPT_BYTES = 250_000;

test("a bundle is one compressed module that imports nothing and leaves room for its page", async (t) => {
  const { router, version } = await openAssets();
  const server = createServer(new Koa().use(router.routes()).callback()).listen(0, "127.0.0.1");
  t.teardown(() => server.close());
  await new Promise((done) => server.once("listening", done));
  const { port } = server.address() as { port: number };
  for (const name of Object.keys(bundles)) {
    const address = `http://127.0.0.1:${port}/assets/${version}/${name}`;
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

test("bundled style sheets apply below their own element", (t) => {
  const css =
    "\n{\nposition: absolute;\n}\n.line, .control {\ntop: 0;\n}\n:host[data-x] {\nleft: 0;\n}\n:global .view {\ncolor: red;\n}";
  t.is(
    scoped(css, "own"),
    ".own {\nposition: absolute;\n}\n.own .line, .own .control {\ntop: 0;\n}\n.own[data-x] {\nleft: 0;\n}\n.view {\ncolor: red;\n}",
  );
});
