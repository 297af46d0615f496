import { readFile, writeFile } from "node:fs/promises";
import { labelCatalogue } from "../../../schemas/label-catalogue.ts";
import { readCommandLine } from "../command-line.ts";
import { insertPart } from "./insert-part.ts";
import { markdownTable } from "./markdown-table.ts";

const file = new URL("../../../docs/operations/catalogue.md", import.meta.url);

export const storedCataloguePage = (): Promise<string> => readFile(file, "utf8");

/** Returns the document with a regenerated table of the catalogue. */
export const writeCataloguePage = (document: string): string =>
  insertPart("docs/operations/catalogue.md", document, "catalogue", markdownTable(titles, rows()));

const titles = ["name", "type", "hardware", "pixels", "dpi", "colours", "LED", "button"];

const rows = (): string[][] =>
  labelCatalogue.map(({ name, type, button, labelType: { width, height, dpi, colors, flash, hardwareType = "" } }) => [
    name,
    String(type),
    hardwareType,
    `${width} x ${height}`,
    String(dpi ?? ""),
    colors.join(", "),
    flash ? "yes" : "",
    button ? "yes" : "",
  ]);

if (import.meta.main) {
  readCommandLine("npm run catalogue --", {
    arguments: [],
    means: "write the table of labels in docs/operations/catalogue.md",
    options: {},
  });
  await writeFile(file, writeCataloguePage(await storedCataloguePage()));
}
