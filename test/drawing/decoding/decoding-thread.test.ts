import { readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import test from "ava";

/** A file's static imports, without type-only imports. */
const importsOf = (file: URL): string[] =>
  [...readFileSync(file, "utf8").matchAll(/^(?:import|export) (?!type )[^;]*?from "([^"]+)";$/gm)].map(
    ([, name]) => name as string,
  );

/** The packages that a file loads. */
function packagesOf(file: URL, seen = new Set<string>()): string[] {
  if (seen.has(file.href)) return [];
  seen.add(file.href);
  return importsOf(file).flatMap((name) => {
    if (name.startsWith(".")) return packagesOf(new URL(name, file), seen);
    return isBuiltin(name) ? [] : [name];
  });
}

const fileOf = (path: string): URL => new URL(`../../../${path}`, import.meta.url);

test("a decoding process starts without packages and loads only those that its file needs", (t) => {
  t.deepEqual(packagesOf(fileOf("runtime/thread/child-program.ts")), []);
  t.deepEqual(packagesOf(fileOf("drawing/decoding/decoding-thread.ts")), []);
  t.deepEqual(packagesOf(fileOf("drawing/decoding/decode-image.ts")), []);
  t.deepEqual(packagesOf(fileOf("drawing/decoding/draw-svg.ts")), ["@resvg/resvg-wasm"]);
  t.deepEqual(packagesOf(fileOf("drawing/decoding/draw-pages.ts")), ["jimp"]);
});
