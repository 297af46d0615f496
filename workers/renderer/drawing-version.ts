import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

/**
 * To be raised with every change of code after which a picture has other pixels. A test holds the golden pictures against
 * it (test/workers/renderer/drawing-version.test.ts).
 */
export const DRAWING_VERSION = 7;

/** Packages whose code or whose fonts are seen in pictures. Their versions are pinned. */
const packages = [
  "@expo-google-fonts/noto-sans",
  "@napi-rs/canvas",
  "bwip-js",
  "dejavu-fonts-ttf",
  "hyphen",
  "jimp",
  "lean-qr",
];

/**
 * An input of every picture that is drawn: another text for each version of the drawing code, the libraries and the
 * fonts. So pictures of an earlier release are stale, and audits draw them again.
 */
export const drawingMark = markOf(DRAWING_VERSION, readVersions());

/** `versions` are those of the packages, by name. */
export function markOf(version: number, versions: Readonly<Record<string, string>>): string {
  const digest = createHash("sha256").update(JSON.stringify(Object.entries(versions).sort()));
  return `drawing ${version} ${digest.digest("base64url").slice(0, 12)}`;
}

function readVersions(): Record<string, string> {
  const manifest = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
  return Object.fromEntries(
    packages.map((name) => {
      const version: unknown = manifest.dependencies[name];
      if (typeof version !== "string") throw new TypeError(`package.json does not depend on ${name}, which draws`);
      return [name, version];
    }),
  );
}
