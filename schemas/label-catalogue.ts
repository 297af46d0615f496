import { distance } from "fastest-levenshtein";
import { type Static, Type } from "typebox";
import type { Color } from "./color.ts";
import { catalogueRows } from "./label-catalogue-rows.ts";
import { LabelTypeOrder, TypeNumber } from "./label-type.ts";

/** A label on the market. */
export const CatalogueEntry = Type.Object(
  {
    name: Type.String({ description: "Name in the catalogue", examples: ['M3 2.9" BWRY'] }),
    type: { ...TypeNumber, description: "Default number of the label type; you can choose another" },
    button: Type.Boolean({ description: "Whether the label has a button" }),
    rotation: Type.Integer({ minimum: 0, maximum: 3, description: "Rotation of the label's buffer in quarter turns" }),
    labelType: LabelTypeOrder,
  },
  { title: "CatalogueEntry" },
);
export type CatalogueEntry = Static<typeof CatalogueEntry>;

/** First number of the catalogue's label types: larger than any number in the four digits of the default barcode. */
const FIRST_TYPE = 100_000;

/** The catalogue's labels, ordered by hardware type. */
export const labelCatalogue: readonly CatalogueEntry[] = catalogueRows.map(
  ([hardwareType, name, width, height, dpi, colors, parts, rotation]) => ({
    name,
    type: FIRST_TYPE + Number.parseInt(hardwareType, 16),
    button: parts.includes("button"),
    rotation,
    labelType: {
      width,
      height,
      ...(dpi !== undefined && { dpi }),
      colors: colors.split(" ") as Color[],
      display: "matrix",
      flash: parts.includes("led"),
      pages: 1,
      hardwareType,
    },
  }),
);

/** Normalizes a name, so that case, inch marks, and points or commas in numbers make no difference. */
const plain = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/["″”']/g, "")
    .replaceAll(/(\d),(\d)/g, "$1.$2")
    .replaceAll(/\s+/g, " ")
    .trim();

const byName = new Map(labelCatalogue.map((entry) => [plain(entry.name), entry]));
const byHardwareType = new Map(labelCatalogue.map((entry) => [entry.labelType.hardwareType, entry]));

/** Returns the label with this name; case and inch marks make no difference. */
export const catalogueEntry = (name: string): CatalogueEntry | undefined => byName.get(plain(name));

/** Returns the label with this hardware type, in hex. */
export const catalogueEntryOf = (hardwareType: string): CatalogueEntry | undefined => byHardwareType.get(hardwareType);

/** Returns the labels whose names contain every word of the text. */
export function searchCatalogue(text: string): CatalogueEntry[] {
  const words = plain(text).split(" ");
  return labelCatalogue.filter(({ name }) => words.every((word) => plain(name).includes(word)));
}

/** Returns the catalogue's names that are most similar to an unknown name, nearest first. */
export function nearestNames(name: string, count: number): string[] {
  const farness = new Map(labelCatalogue.map((entry) => [entry.name, distance(plain(name), plain(entry.name))]));
  return [...farness.keys()]
    .toSorted((one, other) => (farness.get(one) ?? 0) - (farness.get(other) ?? 0))
    .slice(0, count);
}
