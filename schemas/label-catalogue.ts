import { distance } from "fastest-levenshtein";
import { type Static, Type } from "typebox";
import type { Color } from "./color.ts";
import { catalogueRows } from "./label-catalogue-rows.ts";
import { LabelTypeOrder, TypeNumber } from "./label-type.ts";

/** A label that can be bought. */
export const CatalogueEntry = Type.Object(
  {
    name: Type.String({ description: "Name in the catalogue", examples: ['M3 2.9" BWRY'] }),
    type: { ...TypeNumber, description: "Number of its label type, unless you choose another" },
    button: Type.Boolean({ description: "Whether the label has a button" }),
    rotation: Type.Integer({ minimum: 0, maximum: 3, description: "Rotation of the label's buffer in quarter turns" }),
    labelType: LabelTypeOrder,
  },
  { title: "CatalogueEntry" },
);
export type CatalogueEntry = Static<typeof CatalogueEntry>;

/** Above every number that the four digits of the default barcode can contain. */
const FIRST_TYPE = 100_000;

/** The labels that can be bought, by their hardware types. */
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

/** Names are the same without regard to case, inch marks, and points or commas in numbers. */
const plain = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/["″”']/g, "")
    .replaceAll(/(\d),(\d)/g, "$1.$2")
    .replaceAll(/\s+/g, " ")
    .trim();

const byName = new Map(labelCatalogue.map((entry) => [plain(entry.name), entry]));
const byHardwareType = new Map(labelCatalogue.map((entry) => [entry.labelType.hardwareType, entry]));

/** The label of this name; case and inch marks make no difference. */
export const catalogueEntry = (name: string): CatalogueEntry | undefined => byName.get(plain(name));

/** The label with this hardware type, in hex. */
export const catalogueEntryOf = (hardwareType: string): CatalogueEntry | undefined => byHardwareType.get(hardwareType);

/** The labels whose names contain each word of a text. */
export function searchCatalogue(text: string): CatalogueEntry[] {
  const words = plain(text).split(" ");
  return labelCatalogue.filter(({ name }) => words.every((word) => plain(name).includes(word)));
}

/** The names nearest to one that the catalogue lacks, the nearest first. */
export function nearestNames(name: string, count: number): string[] {
  const farness = new Map(labelCatalogue.map((entry) => [entry.name, distance(plain(name), plain(entry.name))]));
  return [...farness.keys()]
    .toSorted((one, other) => (farness.get(one) ?? 0) - (farness.get(other) ?? 0))
    .slice(0, count);
}
