import { mkdir, writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { parseArgs } from "node:util";
import { readSettings } from "../../queues/read-settings.ts";
import { mergeItem } from "../../workers/item/rules/merge-item.ts";
import { readItems } from "../operate/import/read-items.ts";
import { contactSheet } from "./designs/contact-sheet.ts";
import { drawSheets } from "./designs/draw-sheets.ts";

/**
 * `npm run designs`: writes an HTML file that shows every design of the demo on every label type that it fits.
 * `--output` names the file, whose path is printed.
 */
const { DATA_DIR } = readSettings(["DATA_DIR"]);
const { values } = parseArgs({ options: { output: { type: "string", default: `${DATA_DIR}/designs.html` } } });
const output = resolve(values.output);
const patches = await readItems(new URL("../demo/products.csv", import.meta.url));
const items = patches.map((patch) => mergeItem(undefined, patch, 1, true));
await mkdir(dirname(output), { recursive: true });
await writeFile(output, contactSheet(drawSheets(items)));
process.stdout.write(`${output}\n`);
