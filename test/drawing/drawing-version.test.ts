import { mkdir, readFile, writeFile } from "node:fs/promises";
import test from "ava";
import { DRAWING_VERSION, isNewerDrawing, markOf } from "../../drawing/drawing-version.ts";
import type { Framebuffer } from "../../drawing/pixels/framebuffer.ts";
import { imageFileOf } from "../../drawing/pixels/image-file.ts";
import { overlayPictures } from "../../drawing/pixels/overlay-pictures.ts";
import { labelTypes } from "../../scripts/demo/catalogue.ts";
import { goldenCases } from "./canvas/golden-cases/golden-cases.ts";
import { fullModels, renderEcc } from "./links/ecc-links.ts";

/** The pictures of a drawing version, by name, each with the SHA-256 of its pixels. */
interface Fingerprints {
  version: number;
  /** Packages whose code or fonts affect pictures; package.json pins their versions. */
  packages: Record<string, string>;
  pictures: Record<string, string>;
}

const stored = new URL("./drawing-version.json", import.meta.url);
const folder = new URL("../../.test/", import.meta.url);

const packages = [
  "@expo-google-fonts/fira-sans-extra-condensed",
  "@expo-google-fonts/noto-sans",
  "@expo-google-fonts/noto-sans-arabic",
  "@expo-google-fonts/noto-sans-devanagari",
  "@expo-google-fonts/noto-sans-hebrew",
  "@expo-google-fonts/noto-sans-thai",
  "@napi-rs/canvas",
  "bidi-js",
  "bwip-js",
  "dejavu-fonts-ttf",
  "harfbuzzjs",
  "hyphen",
  "jimp",
  "lean-qr",
];

async function readVersions(): Promise<Record<string, string>> {
  const { dependencies } = JSON.parse(await readFile(new URL("../../package.json", import.meta.url), "utf8"));
  return Object.fromEntries(packages.map((name) => [name, dependencies[name] ?? "none"]));
}

function drawAll(): Pick<Fingerprints, "version" | "pictures"> {
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

test("a release that draws different pixels has a new drawing version, so that audits redraw every label", async (t) => {
  const before: Fingerprints = JSON.parse(await readFile(stored, "utf8"));
  const now: Fingerprints = { ...drawAll(), packages: await readVersions() };
  const changed = Object.keys(now.pictures).filter(
    (name) => before.pictures[name] !== undefined && before.pictures[name] !== now.pictures[name],
  );
  if (before.version === now.version)
    t.deepEqual(changed, [], "raise DRAWING_VERSION in drawing/drawing-version.ts: these pictures have changed");
  if (before.version === now.version)
    t.deepEqual(before.packages, now.packages, "raise DRAWING_VERSION: these packages have changed");
  await mkdir(folder, { recursive: true });
  await writeFile(new URL("drawing-version.json", folder), `${JSON.stringify(now, undefined, 2)}\n`);
  t.deepEqual(before, now, "cp .test/drawing-version.json test/drawing/");
});

const fonts = { "@expo-google-fonts/noto-sans-jp": "0.4.2", "@expo-google-fonts/noto-sans-kr": "0.4.10" };

test("the pictures' mark names the drawing version and the fonts added to the installation", (t) => {
  t.is(markOf(7, {}), "drawing 7");
  t.is(markOf(7, fonts), "drawing 7 noto-sans-jp@0.4.2,noto-sans-kr@0.4.10");
});

test("only pictures with a newer drawing version, or with more or newer fonts, count as newer", (t) => {
  const with2 = markOf(7, fonts);
  const with1 = markOf(7, { "@expo-google-fonts/noto-sans-jp": "0.4.2" });
  const newerFont = markOf(7, { ...fonts, "@expo-google-fonts/noto-sans-kr": "0.4.11" });
  const otherFont = markOf(7, { "@expo-google-fonts/noto-sans-tc": "9.9.9" });
  const inOrder = [
    "drawing 6 abcdefghijkl",
    "drawing 6 noto-sans-jp@9.0.0",
    "drawing 7",
    with1,
    with2,
    newerFont,
    "drawing 10",
  ];
  for (const [index, mark] of inOrder.entries())
    for (const [at, other] of inOrder.entries()) t.is(isNewerDrawing(mark, other), index > at, `${mark} > ${other}`);
  t.false(
    isNewerDrawing(otherFont, with2) || isNewerDrawing(with2, otherFont),
    "neither installation draws the other's pictures again",
  );
  t.false(
    isNewerDrawing("drawing 7", "drawing 7 abcdefghijkl"),
    "a mark from an earlier release, whose digest names no font",
  );
});
