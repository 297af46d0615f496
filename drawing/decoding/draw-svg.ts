import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { initWasm, Resvg } from "@resvg/resvg-wasm";
import type { ImageFile } from "../../schemas/image-file.ts";

const require = createRequire(import.meta.url);
const faces = ["DejaVuSans.ttf", "DejaVuSans-Bold.ttf"].map((name) => `dejavu-fonts-ttf/ttf/${name}`);

/** Loaded once, and only if an SVG is drawn. */
let loading: Promise<Uint8Array[]> | undefined;

async function load(): Promise<Uint8Array[]> {
  await initWasm(await readFile(require.resolve("@resvg/resvg-wasm/index_bg.wasm")));
  return Promise.all(faces.map((face) => readFile(require.resolve(face))));
}

/**
 * Draws an SVG with a longer side of `side` pixels, and its text in the product's own typeface. The renderer is WebAssembly, so
 * it has no access to files or the network, and a crash in it affects nothing else.
 */
export async function drawSvg(file: Uint8Array, side: number): Promise<Omit<ImageFile, "sha256">> {
  loading ??= load();
  const fontBuffers = await loading;
  const font = { fontBuffers, defaultFontFamily: "DejaVu Sans", sansSerifFamily: "DejaVu Sans" };
  const measured = new Resvg(file, { font });
  const mode = measured.width >= measured.height ? "width" : "height";
  measured.free();
  const svg = new Resvg(file, { font, fitTo: { mode, value: side } });
  const drawn = svg.render();
  try {
    return { png: drawn.asPng(), width: drawn.width, height: drawn.height };
  } finally {
    drawn.free();
    svg.free();
  }
}
