import { readdir, readFile } from "node:fs/promises";
import test from "ava";
import { transform } from "esbuild";
import { strippedModule } from "../../../api/pages/stripped-module.ts";

const minified = async (code: string) => (await transform(code, { loader: "ts", minifyWhitespace: true })).code;

test("a page's module loses its types and comment lines, but keeps its code and line numbers", async (t) => {
  const folder = new URL("../../../api/pages/browser/", import.meta.url);
  const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith(".ts"));
  t.true(names.length > 100);
  for (const name of names) {
    const content = await readFile(new URL(name, folder));
    const served = strippedModule(content);
    t.is(await minified(served), await minified(content.toString()), name);
    t.is(served.split("\n").length, content.toString().split("\n").length, name);
    t.notRegex(served, /^ *\/\*\*/m, name);
  }
});
