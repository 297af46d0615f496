import { watch } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { basename, dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { mergeItem } from "../../domain/items/merge-item.ts";
import { readSettings } from "../../runtime/read-settings.ts";
import type { Item } from "../../schemas/item.ts";
import { readItems } from "../operate/import/read-items.ts";
import { readCommandLine } from "./command-line.ts";
import { contactSheet, type Sheet } from "./designs/contact-sheet.ts";
import { drawOwn, type OwnDesign } from "./designs/draw-own.ts";
import { drawSheets } from "./designs/draw-sheets.ts";
import { isFontFile, isImageFile, readFonts, readImages } from "./designs/own-files.ts";
import { demoLabels, readLabels } from "./designs/own-labels.ts";

/**
 * `npm run designs -- mine.json items.csv`: writes an HTML file that shows these designs on every label type that they
 * fit, with the items that are hardest to draw; without a design those of the demo. A PNG, JPEG or SVG next to
 * them is an image, and a TTF or OTF a font; designs refer to them by file name. `--output` names the file, whose path
 * is printed, `--installation` the tenant whose label types and store are used (a file as for `npm run admin -- apply`,
 * with `--tenant` and `--store` if it has several), `--mapping` how the columns of the CSV are read, and `--watch`
 * draws again whenever one of the files changes. Ends with 1 if a design has faults.
 */
const { DATA_DIR } = readSettings(["DATA_DIR"]);
const { options: values, arguments: positionals } = readCommandLine("npm run designs --", {
  arguments: ["FILE..."],
  means:
    "write an HTML file that shows these designs (JSON), or the demo's, with the items of a CSV that are hardest to draw",
  options: {
    output: { takes: "FILE", initial: `${DATA_DIR}/designs.html`, means: "the HTML file to write" },
    mapping: { takes: "FILE.json", means: "maps columns of the CSV to fields" },
    installation: { takes: "FILE.json", means: "tenant whose label types and store are used" },
    tenant: { takes: "TENANT", means: "tenant, if the installation has several" },
    store: { takes: "STORE", means: "store, if the installation has several" },
    watch: { means: "draw again whenever one of the files changes" },
  },
});
const output = resolve(values.output);
const designFiles = positionals.filter((file) => file.endsWith(".json"));
const imageFiles = positionals.filter(isImageFile);
const fontFiles = positionals.filter(isFontFile);
const [list = new URL("../demo/products.csv", import.meta.url), ...others] = positionals.filter(
  (file) => ![...designFiles, ...imageFiles, ...fontFiles].includes(file),
);
if (others.length > 0) throw new Error(`there is one list of items, and ${others.join(", ")} would be another`);

async function readAll(): Promise<Item[]> {
  const patches = await (values.mapping === undefined ? readItems(list) : readItems(list, values.mapping));
  return patches.map((patch) => mergeItem(undefined, patch, 1, true));
}

const readDesign = async (file: string): Promise<OwnDesign> => ({
  file: basename(file),
  design: JSON.parse(await readFile(file, "utf8")),
});

/** Writes the page; returns its sheets. */
async function draw(): Promise<Sheet[]> {
  const items = await readAll();
  const named = { images: await readImages(imageFiles), fonts: await readFonts(fontFiles) };
  const { installation, tenant, store } = values;
  const labels = installation === undefined ? demoLabels : await readLabels(installation, tenant, store);
  const designs = await Promise.all(designFiles.map(readDesign));
  const sheets = designs.length > 0 ? drawOwn(designs, items, named, labels) : drawSheets(items);
  await mkdir(dirname(output), { recursive: true });
  await writeFile(output, contactSheet(sheets, { isWatched: values.watch }));
  for (const { title, messages = [] } of sheets)
    for (const message of messages) process.stderr.write(`${title}: ${message}\n`);
  process.stdout.write(`${output}\n`);
  return sheets;
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
      if (name === null || !names.has(name)) return;
      clearTimeout(timer);
      timer = setTimeout(again, QUIET_MS);
    });
  }
}

if (values.watch) {
  const listFile = typeof list === "string" ? list : fileURLToPath(list);
  drawAgain([...designFiles, ...imageFiles, ...fontFiles, listFile].map((file) => resolve(file)));
}
const sheets = await draw();
if (!values.watch && sheets.some(({ messages = [] }) => messages.length > 0)) process.exitCode = 1;
