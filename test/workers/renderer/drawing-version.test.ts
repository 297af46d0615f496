import { mkdir, readFile, writeFile } from "node:fs/promises";
import test from "ava";
import { labelTypes } from "../../../scripts/demo/catalogue.ts";
import { overlayPictures } from "../../../workers/merger/overlay-pictures.ts";
import { DRAWING_VERSION, markOf } from "../../../workers/renderer/drawing-version.ts";
import type { Framebuffer } from "../../../workers/renderer/pixels/framebuffer.ts";
import { imageFileOf } from "../../../workers/renderer/pixels/image-file.ts";
import { goldenCases } from "./canvas/golden-cases.ts";
import { fullModels, renderEcc } from "./links/ecc-links.ts";

/** The pictures of the drawing version that is stored, by name: the SHA-256 of their pixels. */
interface Fingerprints {
  version: number;
  pictures: Record<string, string>;
}

const stored = new URL("./drawing-version.json", import.meta.url);
const folder = new URL("../../../.test/", import.meta.url);

function drawAll(): Fingerprints {
  const goldens = goldenCases.map(({ name, draw }): [string, Framebuffer] => [name, draw()]);
  const models = labelTypes
    .filter(({ display }) => display === "matrix")
    .flatMap((type) =>
      fullModels.map(([model, parameters]): [string, Framebuffer] => [
        `ecc-${model}-${type.type}`,
        renderEcc(type, model, parameters).picture,
      ]),
    );
  const row = (...pixels: number[]): Framebuffer => {
    return { width: 6, height: 1, palette: ["white", "black", "red"], pixels: Uint8Array.from(pixels) };
  };
  const overlaid = overlayPictures([row(1, 2, 0, 0, 0, 0), row(0, 0, 2, 1, 0, 0), row(0, 0, 0, 1, 1, 0)]).picture;
  const all = [...goldens, ...models, ["overlaid", overlaid] as const];
  const pictures = all.map(([name, picture]) => [name, imageFileOf(picture).sha256.slice(0, 16)]);
  return { version: DRAWING_VERSION, pictures: Object.fromEntries(pictures) };
}

test("a release that draws other pixels has another drawing version, so that audits draw every label again", async (t) => {
  const before: Fingerprints = JSON.parse(await readFile(stored, "utf8"));
  const now = drawAll();
  const changed = Object.keys(now.pictures).filter(
    (name) => before.pictures[name] !== undefined && before.pictures[name] !== now.pictures[name],
  );
  if (before.version === now.version)
    t.deepEqual(changed, [], "raise DRAWING_VERSION in workers/renderer/drawing-version.ts: these have other pixels");
  await mkdir(folder, { recursive: true });
  await writeFile(new URL("drawing-version.json", folder), `${JSON.stringify(now, undefined, 2)}\n`);
  t.deepEqual(before, now, "cp .test/drawing-version.json test/workers/renderer/");
});

test("the mark of pictures is another for another drawing version, and for another version of a library or a font", (t) => {
  const versions = { "@napi-rs/canvas": "1.1.1", "dejavu-fonts-ttf": "2.37.3" };
  const mark = markOf(1, versions);
  t.is(markOf(1, { "dejavu-fonts-ttf": "2.37.3", "@napi-rs/canvas": "1.1.1" }), mark);
  t.not(markOf(2, versions), mark);
  t.not(markOf(1, { ...versions, "@napi-rs/canvas": "1.1.2" }), mark);
  t.not(markOf(1, { ...versions, "dejavu-fonts-ttf": "2.37.4" }), mark);
});
