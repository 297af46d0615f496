import { fileURLToPath } from "node:url";

/** Modules for browsers that only a bundler resolves, by the names under which pages import them. */
export const bundles: Readonly<Record<string, URL>> = {
  "vendor/codemirror.js": new URL("browser/vendor/codemirror.ts", import.meta.url),
  "vendor/moveable.js": new URL("browser/vendor/moveable.ts", import.meta.url),
  "vendor/qr.js": new URL("browser/vendor/qr.ts", import.meta.url),
};

/**
 * Modules of the domain that pages also run, by the names under which pages import them. Each is served in place of a module in
 * `browser/shared/` that re-exports it for compilers and tests. A shared module imports nothing, and does not use Node.
 */
export const sharedModules: Readonly<Record<string, URL>> = {
  "shared/hard-items.ts": new URL("../../domain/items/hard-items.ts", import.meta.url),
  "shared/template-parts.ts": new URL("../../domain/expression/template-parts.ts", import.meta.url),
};

/** The versions of the bundled packages. */
export const bundledVersions = new URL("../../package.json", import.meta.url);

const styled = fileURLToPath(new URL("browser/vendor/styled.ts", import.meta.url));

/**
 * Bundles the packages that a module exports into one minified module (docs/decisions/pages/bundles.md). The bundler is
 * loaded for the first bundle, since most processes never serve one.
 */
export async function bundle(module: URL): Promise<string> {
  const { build } = await import("esbuild");
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(module)],
    bundle: true,
    minify: true,
    write: false,
    format: "esm",
    target: "es2022",
    legalComments: "eof",
    alias: { "css-styled": styled },
  });
  return outputFiles[0]?.text ?? "";
}
