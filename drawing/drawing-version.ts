import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { scripts } from "./shaping/scripts.ts";

/**
 * Must be raised whenever a change to the drawing code, or to a package that draws, changes a picture's pixels. A test compares
 * it with the golden pictures and the packages' versions (test/drawing/drawing-version.test.ts).
 */
export const DRAWING_VERSION = 15;

const require = createRequire(import.meta.url);

/**
 * An input of every drawn picture: the version of the drawing code, and the fonts that an installation added. So a picture
 * from an earlier release is stale, and so is a picture that shows boxes in place of letters if a font with those letters was
 * added later. Audits redraw both.
 */
export const drawingMark = markOf(DRAWING_VERSION, addedFonts());

/** Returns the mark. `fonts` are the versions of the fonts that an installation added, by the names of their packages. */
export function markOf(version: number, fonts: Readonly<Record<string, string>>): string {
  const named = Object.entries(fonts).map(([name, of]) => `${name.slice(name.lastIndexOf("/") + 1)}@${of}`);
  return ["drawing", version, ...(named.length > 0 ? [named.sort().join(",")] : [])].join(" ");
}

/**
 * Whether pictures with the first mark take precedence over pictures with the second: the first has newer drawing code, or the
 * code is the same and there are more or newer fonts, and no older ones. This is an ordering, so processes of two releases, or
 * with different fonts, never redraw each other's pictures endlessly: the newer picture stays.
 */
export function isNewerDrawing(mark: string, than: string): boolean {
  const [own, other] = [partsOf(mark), partsOf(than)];
  if (own.version !== other.version) return own.version > other.version;
  const names = [...new Set([...own.fonts.keys(), ...other.fonts.keys()])];
  const compared = names.map((name) => compareVersions(own.fonts.get(name) ?? "", other.fonts.get(name) ?? ""));
  return compared.every((order) => order >= 0) && compared.some((order) => order > 0);
}

/** Marks of earlier releases end with a digest that names no font. */
function partsOf(mark: string): { version: number; fonts: Map<string, string> } {
  const [, version = "0", fonts = ""] = mark.split(" ");
  const named = fonts.split(",").filter((font) => font.includes("@"));
  return { version: Number(version), fonts: new Map(named.map((font) => font.split("@") as [string, string])) };
}

/** Compares versions as numbers, part by part. A missing font counts as older than any version. */
const compareVersions = (one: string, other: string): number => one.localeCompare(other, "en", { numeric: true });

/** Returns the versions of installed fonts that do not come with the product. */
function addedFonts(): Record<string, string> {
  const { dependencies } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  const names = Object.values(scripts).map((script) => script.package);
  return Object.fromEntries(names.filter((name) => !Object.hasOwn(dependencies, name)).flatMap(versionOf));
}

function versionOf(name: string): [name: string, version: string][] {
  try {
    return [[name, require(`${name}/package.json`).version]];
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "MODULE_NOT_FOUND") return [];
    throw error;
  }
}
