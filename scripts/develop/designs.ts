import { watch } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { basename, dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { ExpressionError } from "../../domain/expression/expression.ts";
import { mergeItem } from "../../domain/items/merge-item.ts";
import { readSettings } from "../../runtime/read-settings.ts";
import type { Item } from "../../schemas/item.ts";
import { command, type Options, type Values, WrongCall } from "../operate/admin/command.ts";
import { dataOptions, type Program } from "../operate/admin/parse-call.ts";
import { runCommandLine } from "../operate/admin/run-command-line.ts";
import { readItems } from "../operate/import/read-items.ts";
import { contactSheet, type Sheet } from "./designs/contact-sheet.ts";
import { drawOwn, type OwnDesign } from "./designs/draw-own.ts";
import { drawSheets } from "./designs/draw-sheets.ts";
import { drawShipped } from "./designs/draw-shipped.ts";
import { filesBeside } from "./designs/files-beside.ts";
import { itemsWhere } from "./designs/items-where.ts";
import { isFontFile, isImageFile, readFonts, readImages } from "./designs/own-files.ts";
import { demoLabels, readLabels } from "./designs/own-labels.ts";
import { reportOf } from "./designs/report.ts";
import { servePage } from "./designs/serve-page.ts";

/**
 * `npm run designs -- mine.json items.csv` writes an HTML file that shows these designs on every label type that they fit,
 * with the items that are hardest to draw. Without a design, it shows the demo's designs. A PNG, JPEG or SVG in a design's
 * folder is an image, and a TTF or OTF a font. Designs refer to them by file name. Exits with 1 if a design has faults or a
 * picture fails: a position is blank, or an element is left out.
 */
const options = {
  all: { means: "draw every item, count those that fail or have warnings, and show these" },
  where: {
    takes: "EXPRESSION",
    means: "draw only items for which the condition holds, such as 'item.priceKind == \"special\"'",
  },
  shipped: { means: "draw the shipped designs, without a design of your own" },
  output: { takes: "FILE", means: "the HTML file to write ({DATA_DIR}/designs.html)" },
  mapping: { takes: "FILE.json", means: "maps columns of the CSV to fields" },
  installation: { takes: "FILE.json", means: "tenant whose label types, models and store are used" },
  tenant: { takes: "TENANT", means: "tenant, if the installation has several" },
  store: { takes: "STORE", means: "store, if the installation has several" },
  watch: { means: "serve the page, and draw again whenever one of the files changes" },
} as const satisfies Options;

const drawDesigns = command({
  name: "",
  arguments: ["FILE..."],
  means:
    "write an HTML file that shows these designs (JSON), or the demo's, with the items of CSV lists that are hardest to draw",
  options,
  async run({ arguments: files, options: values }) {
    const output = resolve(values.output ?? `${readSettings(["DATA_DIR"]).DATA_DIR}/designs.html`);
    const page = values.watch ? await servePage(output) : undefined;
    const { installation, tenant, store } = values;
    const labels = installation === undefined ? demoLabels : await readLabels(installation, tenant, store);
    const order: Order = { ...sortFiles(files), output, values, labels };
    const draw = async () => {
      const drawn = await drawPage(order);
      page?.announce();
      return drawn;
    };
    if (page)
      drawAgain(
        [...order.designFiles, ...order.givenFiles, ...order.lists].map((file) => resolve(file)),
        draw,
      );
    const { lines, failures, hasFailed } = await draw();
    const shown = page ? [...lines, `${page.address} shows the page, and its changes`] : lines;
    return { lines: shown, data: { output, failures }, hasFailed: hasFailed && page === undefined };
  },
});

/** The files to draw by their kinds, and the labels to use. */
interface Order {
  designFiles: readonly string[];
  givenFiles: readonly string[];
  lists: readonly string[];
  output: string;
  values: Values<typeof options>;
  labels: typeof demoLabels;
}

function sortFiles(files: readonly string[]): Pick<Order, "designFiles" | "givenFiles" | "lists"> {
  const designFiles = files.filter((file) => file.endsWith(".json"));
  const givenFiles = files.filter((file) => isImageFile(file) || isFontFile(file));
  const given = files.filter((file) => ![...designFiles, ...givenFiles].includes(file));
  const lists = given.length > 0 ? given : [fileURLToPath(new URL("../demo/products.csv", import.meta.url))];
  return { designFiles, givenFiles, lists };
}

async function readAll({ lists, values, labels }: Order): Promise<Item[]> {
  const patches = await Promise.all(
    lists.map((list) => (values.mapping === undefined ? readItems(list) : readItems(list, values.mapping))),
  );
  const items = patches.flat().map((patch) => mergeItem(undefined, patch, 1, true));
  if (values.where === undefined) return items;
  try {
    return itemsWhere(items, values.where, labels.store);
  } catch (error) {
    throw error instanceof ExpressionError ? new WrongCall(`--where ${values.where}: ${error.message}`) : error;
  }
}

const readDesign = async (file: string): Promise<OwnDesign> => ({
  file: basename(file),
  design: JSON.parse(await readFile(file, "utf8")),
});

/** Writes the page, and names failures on standard error. Returns the lines of a report, and whether anything failed. */
async function drawPage(order: Order) {
  const { designFiles, givenFiles, output, values, labels } = order;
  const items = await readAll(order);
  const files = await filesBeside(designFiles, givenFiles);
  const named = {
    images: await readImages(files.filter(isImageFile)),
    fonts: await readFonts(files.filter(isFontFile)),
  };
  const designs = await Promise.all(designFiles.map(readDesign));
  const how = { isAll: values.all };
  const others = values.shipped ? drawShipped(items, labels, how) : drawSheets(items, how);
  const sheets: Sheet[] = designs.length > 0 ? drawOwn(designs, items, named, labels, how) : others;
  await mkdir(dirname(output), { recursive: true });
  await writeFile(output, contactSheet(sheets, { isWatched: values.watch }));
  const { lines, failures, hasFailed } = reportOf(sheets);
  for (const line of failures) process.stderr.write(`${line}\n`);
  return { lines: [...lines, output], failures, hasFailed };
}

const QUIET_MS = 150;

/**
 * Draws again once the files have not changed for a moment, because an editor writes a file in several steps. The files'
 * folders are watched, because many editors write a new file and rename it, which would be reported only once.
 */
function drawAgain(files: readonly string[], draw: () => Promise<{ lines: string[] }>): void {
  let timer: NodeJS.Timeout | undefined;
  const print = ({ lines }: { lines: string[] }) => process.stdout.write(`${lines.join("\n")}\n`);
  const again = () => draw().then(print, (error: Error) => process.stderr.write(`${error.message}\n`));
  for (const [folder, own] of Map.groupBy(files, dirname)) {
    const names = new Set(own.map((file) => basename(file)));
    watch(folder, (_, name) => {
      if (name === null || !(names.has(name) || isImageFile(name) || isFontFile(name))) return;
      clearTimeout(timer);
      timer = setTimeout(again, QUIET_MS);
    });
  }
}

/** `npm run designs`. */
export const program: Program = { call: "npm run designs --", commands: [drawDesigns], common: dataOptions };
if (import.meta.main) process.exitCode = await runCommandLine(process.argv.slice(2), program);
