import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { scripts } from "./shaping/scripts.ts";

/**
 * To be raised with every change of code after which a picture has other pixels. A test holds the golden pictures against
 * it (test/workers/renderer/drawing-version.test.ts).
 */
export const DRAWING_VERSION = 11;

/** Packages whose code or whose fonts are seen in pictures. Their versions are pinned. */
const packages = [
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

const require = createRequire(import.meta.url);

/**
 * An input of every picture that is drawn: another text for each version of the drawing code, the libraries and the
 * fonts, those that an installation added included. So pictures of an earlier release, and those with boxes for letters of a
 * font that came since, are stale, and audits draw them again.
 */
export const drawingMark = markOf(DRAWING_VERSION, { ...readVersions(), ...addedFonts() });

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

/** The versions of the fonts of scripts that the product does not bring, where they are installed. */
function addedFonts(): Record<string, string> {
  const names = Object.values(scripts).map((script) => script.package);
  return Object.fromEntries(names.filter((name) => !packages.includes(name)).flatMap(versionOf));
}

function versionOf(name: string): [name: string, version: string][] {
  try {
    return [[name, require(`${name}/package.json`).version]];
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "MODULE_NOT_FOUND") return [];
    throw error;
  }
}
