import { readFile, writeFile } from "node:fs/promises";
import { labelCatalogue } from "../../../schemas/label-catalogue.ts";
import { readCommandLine } from "../command-line.ts";

const file = new URL("../../../docs/operations/catalogue.md", import.meta.url);
const [START, END] = ["<!-- catalogue -->", "<!-- end -->"];

export const storedCataloguePage = (): Promise<string> => readFile(file, "utf8");

/** Returns the document with a regenerated table of the catalogue. */
export function writeCataloguePage(document: string): string {
  const from = document.indexOf(START);
  const to = document.indexOf(END, from);
  if (from < 0 || to < 0) throw new Error(`docs/operations/catalogue.md has no part "${START}"`);
  const table = [titles, titles.map(() => "---"), ...rows()].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
  return `${document.slice(0, from + START.length)}\n${table}\n${document.slice(to)}`;
}

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
    means: "write the table of labels of docs/operations/catalogue.md",
    options: {},
  });
  await writeFile(file, writeCataloguePage(await storedCataloguePage()));
}
