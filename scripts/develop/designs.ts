import { watch } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { basename, dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { ExpressionError } from "../../domain/expression/expression.ts";
import { mergeItem } from "../../domain/items/merge-item.ts";
import { readSettings } from "../../runtime/read-settings.ts";
import type { Item } from "../../schemas/item.ts";
import { readItems } from "../operate/import/read-items.ts";
import { readCommandLine } from "./command-line.ts";
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
 * `npm run designs -- mine.json items.csv`: writes an HTML file that shows these designs on every label type that they
 * fit, with the items that are hardest to draw; without a design those of the demo. A PNG, JPEG or SVG in a design's
 * folder is an image, and a TTF or OTF a font; designs refer to them by file name. Ends with 1 if a design has faults
 * or a picture fails: a position is blank, or an element is left out.
 */
const { DATA_DIR } = readSettings(["DATA_DIR"]);
const { options: values, arguments: positionals } = readCommandLine("npm run designs --", {
  arguments: ["FILE..."],
  means:
    "write an HTML file that shows these designs (JSON), or the demo's, with the items of CSV lists that are hardest to draw",
  options: {
    all: { means: "draw every item, count those that fail or have warnings, and show these" },
    where: {
      takes: "EXPRESSION",
      means: "draw only items for which it holds, such as 'item.priceKind == \"special\"'",
    },
    shipped: { means: "draw the designs that ship, without a design of your own" },
    output: { takes: "FILE", initial: `${DATA_DIR}/designs.html`, means: "the HTML file to write" },
    mapping: { takes: "FILE.json", means: "maps columns of the CSV to fields" },
    installation: { takes: "FILE.json", means: "tenant whose label types, models and store are used" },
    tenant: { takes: "TENANT", means: "tenant, if the installation has several" },
    store: { takes: "STORE", means: "store, if the installation has several" },
    watch: { means: "serve the page, and draw again whenever one of the files changes" },
  },
});
const output = resolve(values.output);
const designFiles = positionals.filter((file) => file.endsWith(".json"));
const givenFiles = positionals.filter((file) => isImageFile(file) || isFontFile(file));
const given = positionals.filter((file) => ![...designFiles, ...givenFiles].includes(file));
const lists = given.length > 0 ? given : [fileURLToPath(new URL("../demo/products.csv", import.meta.url))];
const page = values.watch ? await servePage(output) : undefined;
const { installation, tenant, store } = values;
const labels = installation === undefined ? demoLabels : await readLabels(installation, tenant, store);

async function readAll(): Promise<Item[]> {
  const patches = await Promise.all(
    lists.map((list) => (values.mapping === undefined ? readItems(list) : readItems(list, values.mapping))),
  );
  const items = patches.flat().map((patch) => mergeItem(undefined, patch, 1, true));
  return values.where === undefined ? items : itemsWhere(items, values.where, labels.store);
}

const readDesign = async (file: string): Promise<OwnDesign> => ({
  file: basename(file),
  design: JSON.parse(await readFile(file, "utf8")),
});

/** Writes the page, and reports; returns whether anything failed. */
async function draw(): Promise<boolean> {
  const items = await readAll();
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
  page?.announce();
  const { lines, failures, hasFailed } = reportOf(sheets);
  for (const line of failures) process.stderr.write(`${line}\n`);
  for (const line of [...lines, output]) process.stdout.write(`${line}\n`);
  return hasFailed;
}

const QUIET_MS = 150;

/**
 * Draws again once the files have been at rest: an editor writes a file in several steps. Their folders are watched,
 * because many editors write a new file and rename it, which would be reported only once.
 */
function drawAgain(files: readonly string[]): void {
  let timer: NodeJS.Timeout | undefined;
  const again = () => draw().catch((error: Error) => process.stderr.write(`${error.message}\n`));
  for (const [folder, own] of Map.groupBy(files, dirname)) {
    const names = new Set(own.map((file) => basename(file)));
    watch(folder, (_, name) => {
      if (name === null || !(names.has(name) || isImageFile(name) || isFontFile(name))) return;
      clearTimeout(timer);
      timer = setTimeout(again, QUIET_MS);
    });
  }
}

const WRONG_CALL = 2;

try {
  if (page) drawAgain([...designFiles, ...givenFiles, ...lists].map((file) => resolve(file)));
  const hasFailed = await draw();
  if (page) process.stdout.write(`${page.address} shows the page, and its changes\n`);
  else if (hasFailed) process.exitCode = 1;
} catch (error) {
  if (!(error instanceof ExpressionError)) throw error;
  process.stderr.write(`--where ${values.where}: ${error.message}\n`);
  process.exit(WRONG_CALL);
}
